import type { InputMessage } from "./page-messages.js";
import { RequestError } from "../http/request-error.js";

/**
 * Removes unanswered tool calls, which a stopped run leaves behind: providers reject such a history.
 *
 * A conversation that ends with unanswered calls is refused, because the agent would run their tools with arguments
 * sent by the client.
 *
 * @param mayEndOpen allows it, for agents whose middleware decides about each call
 * @throws {RequestError} `invalid_input`
 */
export function withoutOpenCalls(messages: readonly InputMessage[], mayEndOpen: boolean): InputMessage[] {
  return messages.flatMap((message, index) => {
    if (!("tool_calls" in message) || !message.tool_calls) return [message];
    const answered = new Set<string | undefined>();
    let next = index + 1;
    for (let answer = messages[next]; answer?.role === "tool"; answer = messages[++next]) {
      answered.add("toolCallId" in answer ? answer.toolCallId : "");
    }
    const isLast = next === messages.length;
    const calls = message.tool_calls.filter(({ id }) => answered.has(id));
    if (calls.length === message.tool_calls.length || (isLast && mayEndOpen)) return [message];
    if (isLast) {
      throw new RequestError("invalid_input", "The messages end with an unanswered tool call.");
    }
    const isEmpty = calls.length === 0 && (message.content ?? "").length === 0;
    return isEmpty ? [] : [{ ...message, tool_calls: calls }];
  });
}
