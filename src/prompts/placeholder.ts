import { wholeNumber } from "../stream/numbers.js";

/** The place for a list of messages in a chat prompt. */
export interface Placeholder<Name extends string = string, Optional extends boolean = boolean> {
  /** The name of the variable. */
  readonly placeholder: Name;
  readonly optional: Optional;
  readonly limit: number;
}

/** The options of `placeholder()`. */
export interface PlaceholderOptions {
  /** Whether it may be left out, and then stands for no message. Default: false. */
  readonly optional?: boolean;
  /**
   * How many messages it takes: the last ones. The results of tools at the start of what is left are left out too, as no
   * provider takes a result without its call. Default: `Infinity`.
   */
  readonly limit?: number;
}

/**
 * The place for a list of messages in a `chatPrompt()`: the history of a conversation, or examples (few-shot). What comes
 * in is never read as a template.
 *
 * @throws {RangeError} if `limit` is not a whole number of 0 or more
 *
 * @example
 * ```ts
 * import { assistant, chatPrompt, user, placeholder, textOf } from "millrace";
 *
 * const prompt = chatPrompt([placeholder("history", { optional: true, limit: 2 }), ["user", "{question}"]]);
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
  { optional = false, limit = Infinity }: PlaceholderOptions = {},
): Placeholder {
  wholeNumber("limit of placeholder", limit, 0);
  return { placeholder: name, optional, limit };
}

export function isPlaceholder(part: object): part is Placeholder {
  return "placeholder" in part;
}
