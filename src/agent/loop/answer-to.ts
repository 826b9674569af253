import { toolMessage } from "../../messages/constructors.js";
import type { ToolMessage } from "../../messages/message.js";

/** What a call is answered with that no tool was run for. */
export function answerTo(
  { id, name }: AnsweredCall,
  text: string,
  status: NonNullable<ToolMessage["status"]>,
): ToolMessage {
  return toolMessage(text, { toolCallId: id, ...(name === undefined ? undefined : { name }), status });
}

/** A call, as far as its answer names it. */
export interface AnsweredCall {
  readonly id: string;
  /** Absent where the model gave none. */
  readonly name?: string;
}
