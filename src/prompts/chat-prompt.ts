import type { Message } from "../messages/message.js";
import { type MessageLike, messagesOf } from "../messages/to-messages.js";
import { kindName } from "../text/kind-name.js";
import { PromptError } from "./errors.js";
import { messageTemplate } from "./message-template.js";
import { isPlaceholder, type Placeholder } from "./placeholder.js";
import { type Template, template } from "./template.js";
import { messagesFor, type TemplatePart } from "./values.js";
import type { ChatVariables } from "./variables.js";

/** A template for messages. */
export type ChatPrompt<Variables extends object> = Template<Variables, Message[]>;

/**
 * One part of a chat prompt: a string, which is a user message; a role with a text or content blocks; a message of this
 * package or in the style of OpenAI; or a placeholder for messages.
 */
export type ChatPromptPart =
  | string
  | readonly [role: TemplateRole, content: string | readonly object[]]
  | MessageLike
  | Placeholder;

/** The role of a message. `developer` means `system`, `human` means `user`, `ai` means `assistant`. */
export type TemplateRole = "system" | "developer" | "user" | "human" | "assistant" | "ai";

/**
 * Creates a template for messages. Texts are templates as in `promptTemplate()`, and so are the strings in text and
 * media blocks: URL, data, file name. Other parts of a message, such as tool calls and metadata, stay unchanged. To
 * insert media, use a variable for the URL or for the base64 data. Text blocks that are empty after formatting are left
 * out.
 *
 * Values and the messages for a `placeholder()` are never parsed as templates.
 *
 * @throws {PromptError} `invalid_template`, with the place
 * @throws {MessageError} for a part that is not a message, with its place
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
  if (!Array.isArray(parts)) {
    const problem = `chatPrompt() expects a list of messages, but got ${kindName(parts)}. For one text, write promptTemplate().`;
    throw new PromptError("invalid_template", problem, { place: "messages" });
  }
  const templates = Array.from(parts, (part: ChatPromptPart, index): PartTemplate => {
    const place = `messages[${index}]`;
    if (isPlaceholder(part)) {
      const { placeholder: name } = part;
      return { place, names: [], placeholder: name, render: (values) => messagesFor(part, place, values) };
    }
    const messages = messagesOf(isPair(part) ? { role: part[0], content: part[1] } : part, place).map(
      (message) => messageTemplate(message, place),
    );
    return {
      place,
      names: messages.flatMap(({ names }) => names),
      render: (values) => messages.map(({ render }) => render(values)),
    };
  });
  checkKinds(templates);
  const names = templates.flatMap(({ names, placeholder }) =>
    placeholder === undefined ? names : [placeholder],
  );
  return template({ names, render: (values) => templates.flatMap(({ render }) => render(values)) });
}

/** Its names are the variables in its texts. */
interface PartTemplate extends TemplatePart<Message[]> {
  readonly place: string;
  readonly placeholder?: string;
}

function isPair(part: ChatPromptPart): part is readonly [TemplateRole, string | readonly object[]] {
  return Array.isArray(part);
}

/** Rejects a variable that is used both in a text and as a placeholder for messages. */
function checkKinds(templates: readonly PartTemplate[]): void {
  const inTexts = new Map(templates.flatMap(({ names, place }) => names.map((name) => [name, place])));
  for (const { placeholder: variable, place } of templates) {
    const text = variable === undefined ? undefined : inTexts.get(variable);
    if (text === undefined) continue;
    throw new PromptError(
      "invalid_template",
      `The variable "${variable}" is a placeholder for messages in ${place}, but a text in ${text}. Rename one of them.`,
      { place, variable },
    );
  }
}
