import type { Message } from "../messages/message.js";
import { type MessageLike, toMessages } from "../messages/to-messages.js";
import { PromptError } from "./errors.js";
import { messageTemplate } from "./message-template.js";
import { isPlaceholder, type Placeholder } from "./placeholder.js";
import { type Template, template } from "./template.js";
import { messagesFor, type Values } from "./values.js";
import type { ChatVariables } from "./variables.js";

/** Messages with variables. */
export type ChatPrompt<Variables extends object> = Template<Variables, Message[]>;

/**
 * One part of a chat prompt: the text of what a person says; a role and a text, or content blocks; a message, ours or
 * OpenAI-style; or the place for messages.
 */
export type ChatPromptPart =
  string | readonly [role: TemplateRole, content: string | readonly object[]] | MessageLike | Placeholder;

/** Who says it. `developer` counts as `system`, `human` as `user`, `ai` as `assistant`. */
export type TemplateRole = "system" | "developer" | "user" | "human" | "assistant" | "ai";

/**
 * Messages with variables. A text is written as for `promptTemplate()`, and so is every text within a text or media
 * block: its URL, its data, its file name. All else in a message, such as tool calls and metadata, is taken as it is. Media
 * come in by a variable for a URL, or for the data in base64. A text block that turns out empty is left out.
 *
 * Values are never read as a template again, nor are the messages that a `placeholder()` stands for.
 *
 * @throws {PromptError} `invalid_template`, with the place
 * @throws {MessageError} for a part that is no message, with its place
 *
 * @example
 * ```ts
 * import { chatPrompt, user, placeholder } from "millrace";
 *
 * const prompt = chatPrompt([
 *   ["system", "You are {role}."],
 *   placeholder("history"),
 *   { role: "user", content: [{ type: "text", text: "{question}" }, { type: "image", url: "{photo}" }] },
 * ]);
 * const guide = prompt.partial({ role: "a guide" });
 * console.log(guide.variables); // ["history", "question", "photo"]
 * const messages = guide.format({
 *   history: [user("Hi")],
 *   question: "Where is this?",
 *   photo: "https://example.com/photo.jpg",
 * });
 * console.log(messages.map(({ role, content }) => `${role}: ${content.length}`)); // ["system: 1", "user: 1", "user: 2"]
 * ```
 */
export function chatPrompt<const Parts extends readonly ChatPromptPart[]>(
  parts: Parts,
): ChatPrompt<ChatVariables<Parts>> {
  // All at once, so that an error names the right place.
  const messages = toMessages(parts.map(asMessage));
  const templates = parts.map((part, index): PartTemplate => {
    const place = `messages[${index}]`;
    if (typeof part === "object" && isPlaceholder(part)) {
      const { placeholder: name } = part;
      return { place, names: [], placeholder: name, render: (values) => messagesFor(part, place, values) };
    }
    const { names, render } = messageTemplate(messages[index] as Message, place);
    return { place, names, render: (values) => [render(values)] };
  });
  checkKinds(templates);
  const names = templates.flatMap(({ names, placeholder }) =>
    placeholder === undefined ? names : [placeholder],
  );
  return template(names, (values) => templates.flatMap(({ render }) => render(values)));
}

interface PartTemplate {
  readonly place: string;
  /** Of its texts. */
  readonly names: readonly string[];
  readonly placeholder?: string;
  readonly render: (values: Values) => Message[];
}

function asMessage(part: ChatPromptPart): string | MessageLike {
  if (typeof part === "string") return part;
  if (isPair(part)) return { role: part[0], content: part[1] };
  return isPlaceholder(part) ? "" : part;
}

function isPair(part: ChatPromptPart): part is readonly [TemplateRole, string | readonly object[]] {
  return Array.isArray(part);
}

/** A variable is either a text or messages. */
function checkKinds(templates: readonly PartTemplate[]): void {
  const inTexts = new Map(templates.flatMap(({ names, place }) => names.map((name) => [name, place])));
  for (const { placeholder: variable, place } of templates) {
    const text = variable === undefined ? undefined : inTexts.get(variable);
    if (text === undefined) continue;
    throw new PromptError(
      "invalid_template",
      `The variable "${variable}" stands for messages in ${place}, and for a text in ${text}.`,
      { place, variable },
    );
  }
}
