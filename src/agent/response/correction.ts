import { textForModel } from "../../text/cut.js";
import { user } from "../../messages/constructors.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { Message } from "../../messages/message.js";
import { answerCall } from "../loop/call-answers.js";
import type { Captured } from "./capture.js";
import type { AgentError, AgentErrorCode } from "../errors.js";
import type { Plan } from "./plan.js";
import { schemaNames } from "./classify-answer.js";

/** The reaction to an invalid structured response. */
export interface Correction {
  /** A tool message for each call that was a response; otherwise one user message. */
  readonly messages: readonly Message[];
  /** The error that ends the run, if `handleError` does not handle it or throws. */
  readonly failure?: { readonly error: unknown };
}

/** Writes the messages that ask the model for a corrected response. */
export async function correctResponse({ response }: Captured, error: AgentError): Promise<Correction> {
  const { plan, calls } = response;
  try {
    if (plan === undefined || final.has(error.code)) throw error;
    const text = await textFor(plan, error, calls.length > 0);
    return { messages: calls.length === 0 ? [user(text)] : answerCalls(calls, text) };
  } catch (failure) {
    // Answer the calls anyway: when the run is resumed, providers reject calls without a tool message.
    return { messages: answerCalls(calls, textForModel(error.message)), failure: { error: failure } };
  }
}

function answerCalls(calls: readonly FinishedCall[], text: string): Message[] {
  return calls.map((call) => answerCall(call, text, "error"));
}

/** A retry would end in the same way. */
const final: ReadonlySet<AgentErrorCode> = new Set(["truncated", "content_filter", "refused"]);

async function textFor(plan: Plan, error: AgentError, called: boolean): Promise<string> {
  const { handleError } = plan;
  if (handleError === false) throw error;
  if (handleError === true) return `${sentence(textForModel(error.message))} ${request(plan, error, called)}`;
  return textForModel(typeof handleError === "string" ? handleError : await handleError(error));
}

function request(plan: Plan, { code }: AgentError, called: boolean): string {
  if (plan.kind === "provider")
    return "Correct the mistakes and answer again with the complete JSON and nothing else.";
  if (!called) return `Answer with a call of the tool ${schemaNames(plan)}.`;
  if (code === "several_responses") return `Call one tool once: ${schemaNames(plan)}.`;
  return "Correct the mistakes and call the tool again.";
}

/** Ends the text with a full stop: messages of schema libraries may lack one. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
