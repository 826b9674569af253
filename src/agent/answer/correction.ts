import type { JsonValue } from "../../json/value.js";
import { sentence, textForModel } from "../../text/cut.js";
import { jsonText } from "../../text/json-text.js";
import { user } from "../../messages/constructors.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { answerCall } from "../call-answers.js";
import { excerpt } from "../../text/excerpt.js";
import { AgentError, type AgentErrorCode } from "../errors.js";
import type { Plan } from "./plan.js";
import type { ResponseReader } from "./response-reader.js";
import { type ErrorClass, isErrorClass } from "./response-format.js";
import { schemaNames } from "./validate-response.js";
import { isInstance } from "../../text/thrown.js";

/** The reaction to an invalid structured response. */
export interface Correction {
  /** A tool message for each call that was a response; otherwise one user message. */
  readonly messages: readonly Message[];
  /** The error that ends the run, if `handleError` does not handle it or throws. */
  readonly failure?: { readonly error: unknown };
}

/** Writes the messages that ask the model for a corrected response. */
export async function correctResponse(
  { plan, calls }: ResponseReader,
  error: AgentError,
): Promise<Correction> {
  try {
    if (final.has(error.code)) throw error;
    const text = await textFor(plan, error, calls.length > 0);
    return { messages: calls.length === 0 ? [user(text, fromAgent)] : answerCalls(calls, text) };
  } catch (failure) {
    // Answer the calls anyway: when the run is resumed, providers reject calls without a tool message.
    return { messages: answerCalls(calls, textForModel(error.message)), failure: { error: failure } };
  }
}

/** Pages do not show the message as one of the user. */
const fromAgent = { metadata: { correction: true } };

/** The tool message of a valid response that was a call. */
export function confirmResponse({ plan, calls }: ResponseReader, written: JsonValue): Message[] {
  const text =
    plan.toolMessageContent ?? textForModel(`Returning structured response: ${jsonText(written).text}`);
  return calls.map((call) => answerCall(call, text, "success"));
}

function answerCalls(calls: readonly FinishedCall[], text: string): Message[] {
  return calls.map((call) => answerCall(call, text, "error"));
}

/** A retry would end in the same way. */
const final: ReadonlySet<AgentErrorCode> = new Set(["truncated", "content_filter", "refused"]);

async function textFor(plan: Plan, error: AgentError, called: boolean): Promise<string> {
  const { handleError } = plan;
  if (typeof handleError === "string") return textForModel(handleError);
  if (typeof handleError === "function" && !isErrorClass(handleError)) {
    const text: unknown = await handleError(error);
    if (typeof text === "string") return textForModel(text);
    throw new AgentError(
      "invalid_options",
      `handleError must return the text for the model, but returned ${excerpt(text, 80)}.`,
      { cause: error },
    );
  }
  const handles =
    typeof handleError === "boolean" ? handleError : [handleError].flat().some((it) => isCaused(error, it));
  if (!handles) throw error;
  return `${sentence(textForModel(error.message))} ${instruction(plan, error, called)}`;
}

/** Whether the error, or one of its causes, is an instance of the class. */
function isCaused(error: unknown, errorClass: ErrorClass, depth = 0): boolean {
  if (error instanceof errorClass) return true;
  return isInstance(error, Error) && depth < maxCauses && isCaused(error.cause, errorClass, depth + 1);
}

/** Causes may form a circle. */
const maxCauses = 20;

function instruction(plan: Plan, { code }: AgentError, called: boolean): string {
  if (plan.kind !== "tool")
    return "Correct the mistakes and answer again with the complete JSON and nothing else.";
  if (!called) return `Answer with a call of the tool ${schemaNames(plan)}.`;
  if (code === "several_responses") return `Call one tool once: ${schemaNames(plan)}.`;
  return "Correct the mistakes and call the tool again.";
}
