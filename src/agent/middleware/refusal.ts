import { toolMessage } from "../../messages/constructors.js";
import type { ToolInvocation } from "../../tools/invocation.js";
import type { AgentError } from "../errors.js";
import type { ToolOutcome } from "../middleware.js";

/** A call that is not run: the model is told why, in the words of the error. */
export function refusal({ id, name }: ToolInvocation, error: AgentError): ToolOutcome {
  return {
    type: "error",
    message: toolMessage(error.message, { toolCallId: id, name, status: "error" }),
    error,
  };
}
