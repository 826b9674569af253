import { textForModel } from "../text/cut.js";
import { toolMessage } from "../messages/constructors.js";
import type { ToolMessage } from "../messages/message.js";
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
