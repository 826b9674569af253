import { messageOf } from "../text/excerpt.js";
import { describe } from "../messages/loose.js";
import type { Message } from "../messages/message.js";
import { type MessagesInput, toMessages } from "../messages/to-messages.js";
import { PromptError } from "./errors.js";
import type { Placeholder } from "./placeholder.js";
import { readTemplate, type TemplateSlot } from "./read-template.js";

/** The values of variables by name. */
export type Values = Readonly<Record<string, unknown>>;

/** What a template is made of: a text, a block, a message, or all messages. */
export interface TemplatePart<Output> {
  /** The names of the variables in order, possibly with duplicates. */
  readonly names: readonly string[];
  readonly render: (values: Values) => Output;
}

/** A text with variables. Values are inserted unchanged, including braces. @param place its name in errors */
export function textTemplate(text: string, place: string): TemplatePart<string> {
  const segments = readTemplate(text, place);
  return {
    names: segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.name])),
    render: (values) =>
      segments.map((segment) => (typeof segment === "string" ? segment : textFor(segment, values))).join(""),
  };
}

/** Returns the messages for a placeholder. */
export function messagesFor(
  { placeholder: name, optional, maxMessages }: Placeholder,
  place: string,
  values: Values,
): Message[] {
  const value = valueOf(name, values);
  if (value === undefined) {
    if (optional) return [];
    throw missing({ name, place }, values);
  }
  const messages = read(name, place, value);
  if (messages.length <= maxMessages) return messages;
  const kept = messages.slice(messages.length - maxMessages);
  const start = kept.findIndex(({ role }) => role !== "tool");
  return start < 0 ? [] : kept.slice(start);
}

function textFor(slot: TemplateSlot, values: Values): string {
  const { name, place, offset } = slot;
  const value = valueOf(name, values);
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
        `The variable "${name}" of ${place} must be a string, a number or a boolean, but is ${describe(value)}.`,
        { place, offset, variable: name },
      );
  }
}

function read(name: string, place: string, value: unknown): Message[] {
  try {
    return toMessages(value as MessagesInput);
  } catch (cause) {
    const problem = messageOf(cause);
    throw new PromptError(
      "invalid_value",
      `The variable "${name}" of ${place} must be a list of messages. ${problem}`,
      { place, variable: name, cause },
    );
  }
}

/** Reads own properties only, because a variable may be named `constructor`. */
function valueOf(name: string, values: Values): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function missing(
  slot: Pick<TemplateSlot, "name" | "place"> & Partial<TemplateSlot>,
  values: Values,
): PromptError {
  const { name, place, offset } = slot;
  const at = offset === undefined ? "" : ` at offset ${offset}`;
  const names = Object.keys(values).filter((key) => values[key] !== undefined);
  return new PromptError(
    "missing_variable",
    `The variable "${name}" has no value. It is used in ${place}${at}. Variables with a value: ${names.join(", ") || "none"}.`,
    { place, offset, variable: name },
  );
}
