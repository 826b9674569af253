import { toolMessage } from "../messages/constructors.js";
import type { AgentError } from "./errors.js";
import type { ToolOutcome } from "./middleware.js";

/** A call that is not run: the model is told why, in the words of the error. */
export function refusal({ id, name }: RefusedCall, error: AgentError): ToolOutcome {
  const named = name === undefined ? undefined : { name };
  const message = toolMessage(error.message, { toolCallId: id, ...named, status: "error" });
  return { type: "error", message, error };
}

interface RefusedCall {
  readonly id: string;
  /** Absent where the model gave none. */
  readonly name?: string;
}
