import type { JsonObject } from "../json/value.js";
import type { ContentBlock } from "../messages/blocks/blocks.js";
import { textForModel } from "../text/cut.js";
import { toolMessage } from "../messages/constructors.js";
import type { Message, ToolMessage } from "../messages/message.js";
import type { ToolErrorEvent } from "../tools/run/events.js";
import type { AgentError } from "./errors.js";

/** The parts of a call that its answer repeats. */
export interface AnsweredCall {
  readonly id: string;
  /** Absent if the model did not write a name. */
  readonly name?: string;
}

/** The tool message for a call whose tool did not run. */
export function answerCall(
  { id, name }: AnsweredCall,
  text: string,
  status: NonNullable<ToolMessage["status"]>,
): ToolMessage {
  return toolMessage(text, { toolCallId: id, ...(name === undefined ? undefined : { name }), status });
}

/** Answers a call with the message of an error instead of running its tool. */
export function refuseCall(call: AnsweredCall, error: AgentError): ToolErrorEvent {
  return { type: "error", message: answerCall(call, textForModel(error.message), "error"), error };
}

/**
 * Shows the model, and people, the arguments that run. The calls of a step are in its message: earlier messages may have
 * calls with the same ids.
 */
export function withArgs(
  messages: readonly Message[],
  edits: ReadonlyMap<string, JsonObject>,
): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.map((message, at) => (at === last ? edited(message, edits) : message));
}

function edited(message: Message, edits: ReadonlyMap<string, JsonObject>): Message {
  const isEdited = (block: ContentBlock): boolean => block.type === "tool_call" && edits.has(block.id);
  if (message.role !== "assistant" || !message.content.some(isEdited)) return message;
  return {
    ...message,
    content: message.content.map((block) =>
      block.type === "tool_call" ? { ...block, args: edits.get(block.id) ?? block.args } : block,
    ),
  };
}
