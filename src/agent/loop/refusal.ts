import { type AnsweredCall, answerTo } from "./answer-to.js";
import type { AgentError } from "../errors.js";
import type { ToolOutcome } from "../middleware/middleware.js";

/** A call that is not run: the model is told why, in the words of the error. */
export function refusal(call: AnsweredCall, error: AgentError): ToolOutcome {
  return { type: "error", message: answerTo(call, error.message, "error"), error };
}
