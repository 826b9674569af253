import { describe } from "../messages/loose.js";
import type { Message } from "../messages/message.js";
import { type MessagesInput, toMessages } from "../messages/to-messages.js";
import { PromptError } from "./errors.js";
import type { Placeholder } from "./placeholder.js";
import type { Slot, TextTemplate } from "./read-template.js";

/** What was given for the variables. */
export type Values = Readonly<Record<string, unknown>>;

/** The text with the values in it. They are put in as they are, braces and all. */
export function renderText({ segments }: TextTemplate, values: Values): string {
  return segments
    .map((segment) => (typeof segment === "string" ? segment : textFor(segment, values)))
    .join("");
}

/** The messages for a placeholder. */
export function messagesFor(
  { placeholder: name, optional, limit }: Placeholder,
  place: string,
  values: Values,
): Message[] {
  const value = given(name, values);
  if (value === undefined) {
    if (optional) return [];
    throw missing({ name, place }, values);
  }
  const messages = read(name, place, value);
  if (messages.length <= limit) return messages;
  const kept = messages.slice(messages.length - limit);
  const start = kept.findIndex(({ role }) => role !== "tool");
  return start < 0 ? [] : kept.slice(start);
}

function textFor(slot: Slot, values: Values): string {
  const { name, place, offset } = slot;
  const value = given(name, values);
  switch (typeof value) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "undefined":
      throw missing(slot, values);
    default:
      throw new PromptError(
        "invalid_value",
        `The variable "${name}" of ${place} must be a text, a number or a boolean, but is ${describe(value)}.`,
        { place, offset, variable: name },
      );
  }
}

function read(name: string, place: string, value: unknown): Message[] {
  try {
    return toMessages(value as MessagesInput);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new PromptError(
      "invalid_value",
      `The variable "${name}" of ${place} must be messages. ${problem}`,
      { place, variable: name, cause },
    );
  }
}

/** Not what every object inherits: a variable may be called `constructor`. */
function given(name: string, values: Values): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function missing(slot: Pick<Slot, "name" | "place"> & Partial<Slot>, values: Values): PromptError {
  const { name, place, offset } = slot;
  const at = offset === undefined ? "" : ` at offset ${offset}`;
  const names = Object.keys(values).filter((key) => values[key] !== undefined);
  return new PromptError(
    "missing_variable",
    `The variable "${name}" is missing: ${place} needs it${at}. Given: ${names.join(", ") || "none"}.`,
    { place, offset, variable: name },
  );
}
