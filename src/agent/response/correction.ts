import { user } from "../../messages/constructors.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { Message } from "../../messages/message.js";
import { answerTo } from "../loop/answer-to.js";
import type { Captured } from "./capture.js";
import type { AgentError, AgentErrorCode } from "../errors.js";
import type { Plan } from "../loop/plan.js";
import { namesOf } from "./verdict.js";

/** What comes of a structured response that was wrong. */
export interface Correction {
  /** The result of each call that was one, or else what a person says. */
  readonly told: readonly Message[];
  /** What ends the run, where the error is not to be handled, or handling it has failed. */
  readonly failure?: { readonly error: unknown };
}

export async function correction({ response }: Captured, error: AgentError): Promise<Correction> {
  const { plan, calls } = response;
  try {
    if (plan === undefined || final.has(error.code)) throw error;
    const text = await textFor(plan, error);
    return { told: calls.length === 0 ? [user(text)] : answersTo(calls, text) };
  } catch (failure) {
    // Answered all the same: no provider goes on from a call that nobody has answered, if the run is resumed.
    return { told: answersTo(calls, error.message), failure: { error: failure } };
  }
}

function answersTo(calls: readonly FinishedCall[], text: string): Message[] {
  return calls.map((call) => answerTo(call, text, "error"));
}

/** Asked again, the model would come to the same end. */
const final: ReadonlySet<AgentErrorCode> = new Set(["truncated", "content_filter", "refused"]);

async function textFor(plan: Plan, error: AgentError): Promise<string> {
  const { handleError } = plan;
  if (handleError === false) throw error;
  if (handleError === true) return `${sentence(error.message)} ${request(plan, error)}`;
  return typeof handleError === "string" ? handleError : handleError(error);
}

function request(plan: Plan, { code }: AgentError): string {
  if (plan.kind === "provider")
    return "Answer with the whole JSON again, with the mistakes corrected, and nothing else.";
  if (code === "no_response") return `Answer by calling the tool ${namesOf(plan)}.`;
  if (code === "several_responses") return `Call ${namesOf(plan)} again, only one of them, and only once.`;
  return "Call the tool again, with the mistakes corrected.";
}

/** The words of a schema's library may end without a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
