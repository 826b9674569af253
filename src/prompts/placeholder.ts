import { isRecord } from "../messages/loose.js";
import { wholeNumber } from "../text/check-number.js";

/** A placeholder for messages in a chat prompt. */
export interface Placeholder<Name extends string = string, Optional extends boolean = boolean> {
  /** The name of the variable. */
  readonly placeholder: Name;
  readonly optional: Optional;
  readonly maxMessages: number;
}

/** The options of `placeholder()`. */
export interface PlaceholderOptions {
  /** Whether the variable may be left out, which inserts no messages. Default: false. */
  readonly optional?: boolean;
  /**
   * The maximum number of messages, counted from the last one. Tool results at the start of these are also left out,
   * because providers reject a result without its call. Default: `Infinity`.
   */
  readonly maxMessages?: number;
}

/**
 * Creates a placeholder for messages in a `chatPrompt()`, for example the history of a conversation or few-shot
 * examples. The inserted messages are never parsed as templates.
 *
 * @throws {RangeError} if `maxMessages` is not a whole number of at least 0
 *
 * @example
 * ```ts
 * import { assistant, chatPrompt, user, placeholder, textOf } from "millrace";
 *
 * const prompt = chatPrompt([placeholder("history", { optional: true, maxMessages: 2 }), ["user", "{question}"]]);
 * const history = [user("Hi"), assistant("Hello! {What} can I do?"), user("Wait."), assistant("Yes.")];
 * console.log(prompt.format({ history, question: "Now?" }).map(textOf)); // ["Wait.", "Yes.", "Now?"]
 * console.log(prompt.format({ question: "Now?" }).map(textOf)); // ["Now?"]
 * ```
 */
export function placeholder<const Name extends string>(
  name: Name,
  options: PlaceholderOptions & { readonly optional: true },
): Placeholder<Name, true>;
export function placeholder<const Name extends string>(
  name: Name,
  options?: PlaceholderOptions & { readonly optional?: false },
): Placeholder<Name, false>;
export function placeholder(
  name: string,
  { optional = false, maxMessages = Infinity }: PlaceholderOptions = {},
): Placeholder {
  wholeNumber("maxMessages of placeholder", maxMessages, 0);
  return { placeholder: name, optional, maxMessages };
}

export function isPlaceholder(part: unknown): part is Placeholder {
  return isRecord(part) && "placeholder" in part;
}
