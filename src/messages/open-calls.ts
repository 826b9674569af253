import { isObject, type JsonValue } from "../json/value.js";
import type { ToolCallBlock } from "./blocks/blocks.js";
import { isFinishedCall } from "./blocks/read.js";
import type { Message } from "./message.js";

/** The part of a paused run that says which calls wait. */
export interface PausedCalls {
  readonly messages: readonly Message[];
  /** The state with which each call continues, by its id: that of a nested run. */
  readonly saved?: Readonly<Record<string, JsonValue>>;
  /** The ids of the calls that wait for a result of the client, not for a decision. */
  readonly clientCalls?: readonly string[];
}

export function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "assistant") return [];
    return content.flatMap((block) => (isFinishedCall(block) ? block.id : []));
  });
}

/** The tool calls without a tool message. A resumed run starts with them. */
export function openCalls(messages: readonly Message[]): ToolCallBlock[] {
  const answered = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    if (message.role === "tool") answered.add(message.toolCallId);
    else if (message.role !== "assistant") return [];
    else {
      return message.content.filter(
        (block): block is ToolCallBlock => block.type === "tool_call" && !answered.has(block.id),
      );
    }
  }
  return [];
}

/** The calls that wait in a paused run: instead of a call that runs an agent, those that wait inside. */
export function waitingCalls(run: PausedCalls): WaitingCall[] {
  return openCalls(run.messages).flatMap((call) => waitingInside(call, run));
}

/** The calls that wait inside a call that runs an agent; for any other call, that call. */
export function waitingInside<Call extends { readonly id: string }>(
  call: Call,
  { saved = {}, clientCalls = [] }: Pick<PausedCalls, "saved" | "clientCalls">,
): WaitingCall<Call | ToolCallBlock>[] {
  const inner = Object.hasOwn(saved, call.id) ? saved[call.id] : undefined;
  if (isObject(inner) && Array.isArray(inner["messages"])) return waitingCalls(inner as never);
  return [{ call, isForClient: clientCalls.includes(call.id) }];
}

interface WaitingCall<Call = ToolCallBlock> {
  readonly call: Call;
  readonly isForClient: boolean;
}
