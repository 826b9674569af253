import type { GivenMessage } from "./agent-messages.js";
import { RequestError } from "./request-error.js";

/**
 * Refuses a conversation that ends with calls which nobody has answered: an agent would begin with running their tools, on
 * arguments that the client has sent.
 *
 * @param allowed it is what the agent is made for: its middleware decides about each call
 * @throws {RequestError} `invalid_input`
 */
export function refuseOpenCalls(messages: readonly GivenMessage[], allowed: boolean): void {
  if (allowed) return;
  const last = messages.findLastIndex(({ role }) => role !== "tool");
  const caller = messages[last];
  const answered = new Set(
    messages.slice(last + 1).map((message) => ("toolCallId" in message ? message.toolCallId : "")),
  );
  const calls = caller !== undefined && "tool_calls" in caller ? (caller.tool_calls ?? []) : [];
  if (calls.every(({ id }) => answered.has(id))) return;
  throw new RequestError("invalid_input", "The messages end with a call of a tool that nobody has answered.");
}
