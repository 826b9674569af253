import { human, toolMessage } from "../messages/constructors.js";
import type { Message } from "../messages/message.js";
import type { Captured } from "./capture.js";
import type { AgentError, AgentErrorCode } from "./errors.js";
import type { Plan } from "./plan.js";
import { namesOf } from "./verdict.js";

/**
 * What the model is told of a structured response that was wrong: the result of each call that was one, or else what a
 * person says.
 *
 * @throws {AgentError} the error itself, where it is not to be handled; and what `handleError` throws
 */
export async function correction({ response }: Captured, error: AgentError): Promise<Message[]> {
  const { plan } = response;
  if (plan === undefined) throw error;
  if (plan === undefined || final.has(error.code)) throw error;
  const text = await textFor(plan, error);
  return response.calls.length === 0
    ? [human(text)]
    : response.calls.map(({ id, name }) =>
        toolMessage(text, {
          toolCallId: id,
          status: "error",
          ...(name === undefined ? undefined : { name }),
        }),
      );
}

/** Asked again, the model would come to the same end. */
const final: ReadonlySet<AgentErrorCode> = new Set(["truncated", "content_filter", "refused"]);

async function textFor(plan: Plan, error: AgentError): Promise<string> {
  const { handleError } = plan;
  if (handleError === false) throw error;
  if (handleError === true) return `${error.message} ${request(plan, error)}`;
  return typeof handleError === "string" ? handleError : handleError(error);
}

function request(plan: Plan, { code }: AgentError): string {
  if (plan.kind === "provider")
    return "Answer with the whole JSON again, with the mistakes corrected, and nothing else.";
  if (code === "no_response") return `Answer by calling the tool ${namesOf(plan)}.`;
  if (code === "several_responses") return `Call ${namesOf(plan)} again, only one of them, and only once.`;
  return "Call the tool again, with the mistakes corrected.";
}
