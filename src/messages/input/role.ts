import { MessageError } from "../errors.js";
import { describe, type Loose } from "../loose.js";
import type { Message } from "../message.js";

/** The role of a message: its `role`, or its `type` in the vocabulary of LangChain. */
export function roleOf(input: Loose, place: string): Message["role"] {
  const name = input["role"] ?? roleOfLangChain(input);
  const role = roleNamed(name);
  if (role !== undefined) return role;
  if ("messages" in input) {
    throw new MessageError(
      "invalid_input",
      `${place} is an object with messages. Pass the array of messages itself.`,
    );
  }
  const expected = Object.keys(roles).join(", ");
  throw new MessageError(
    "unknown_role",
    `${place}.role is ${describe(name)}, but must be one of ${expected}.`,
  );
}

export function roleNamed(name: unknown): Message["role"] | undefined {
  return typeof name === "string" && Object.hasOwn(roles, name) ? roles[name as RoleName] : undefined;
}

/**
 * A name of a role: ours, OpenAI's and LangChain's. `developer` counts as `system`, `human` as `user`, `ai` as
 * `assistant`.
 */
export type RoleName = keyof typeof roles;

const roles = {
  system: "system",
  developer: "system",
  user: "user",
  human: "user",
  assistant: "assistant",
  ai: "assistant",
  tool: "tool",
} as const;

/** Earlier versions of LangChain.js have a method instead of the field. */
function roleOfLangChain(input: Loose): unknown {
  const { type, _getType } = input;
  if (typeof type === "string") return type;
  return typeof _getType === "function" ? (_getType.call(input) as unknown) : undefined;
}
