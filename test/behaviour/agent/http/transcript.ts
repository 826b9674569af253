import type { ContentBlock, Message } from "millrace";
import { textOf } from "millrace";

/**
 * A conversation as lines of text, to compare the messages of a state with those that a server received: `user: …`,
 * `assistant: …`, a call as `c1 = Name({…})`, a call with unreadable arguments as `c1 = Name?({"a":)`, and a result as
 * `c1: …` or `c1 failed: …`.
 */
export function linesOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => {
    if (message.role === "tool") {
      return `${message.toolCallId}${message.status === "error" ? " failed" : ""}: ${textOf(message)}`;
    }
    const text = textOf(message);
    return [
      ...(text === "" ? [] : [`${message.role}: ${text}`]),
      ...(message.role === "assistant" ? message.content.flatMap(callIn) : []),
    ];
  });
}

function callIn(block: ContentBlock): string[] {
  switch (block.type) {
    case "tool_call":
      return [`${block.id} = ${block.name}(${JSON.stringify(block.args)})`];
    case "invalid_tool_call":
      return [`${block.id} = ${block.name ?? ""}?(${block.args})`];
    default:
      return [];
  }
}

/** A message as the mock records it, for every API. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** The same lines for the messages that a server received, without the status of results. */
export function wireLinesOf(messages: readonly WireMessage[]): string[] {
  return messages.flatMap(({ role, content, tool_calls: calls = [], tool_call_id: callId }) => {
    const text =
      typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("");
    return [
      ...(text === "" ? [] : [`${callId ?? role}: ${text}`]),
      ...calls.map((call) => `${call.id} = ${call.function.name}(${call.function.arguments})`),
    ];
  });
}
