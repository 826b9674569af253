import type { InputMessage } from "../run/agent-messages.js";
import { RequestError } from "./request-error.js";

/**
 * The messages without the calls that were left behind unanswered, as where a run was stopped: no provider goes on from those.
 *
 * A conversation that ends with such calls is refused: the agent would begin with running their tools, on arguments that the
 * client has sent.
 *
 * @param openCalls it is what the agent is made for: its middleware decides about each call
 * @throws {RequestError} `invalid_input`
 */
export function withoutOpenCalls(messages: readonly InputMessage[], openCalls: boolean): InputMessage[] {
  return messages.flatMap((message, index) => {
    if (!("tool_calls" in message) || !message.tool_calls) return [message];
    const behind = messages.slice(index + 1);
    const next = behind.findIndex(({ role }) => role !== "tool");
    const answers = next < 0 ? behind : behind.slice(0, next);
    const answered = new Set(answers.map((answer) => ("toolCallId" in answer ? answer.toolCallId : "")));
    const calls = message.tool_calls.filter(({ id }) => answered.has(id));
    if (calls.length === message.tool_calls.length || (next < 0 && openCalls)) return [message];
    if (next < 0) {
      throw new RequestError(
        "invalid_input",
        "The messages end with a call of a tool that nobody has answered.",
      );
    }
    const isEmpty = calls.length === 0 && (message.content ?? "").length === 0;
    return isEmpty ? [] : [{ ...message, tool_calls: calls }];
  });
}
