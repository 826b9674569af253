import { ServeError } from "./errors.js";
import { RequestError } from "./http/request-error.js";
import { report } from "./report.js";
import { fieldOf, isInstance, textFieldOf } from "../text/thrown.js";
import { withReason } from "./with-reason.js";

/** The part of an error that a client sees. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
}

/** Receives the error that ended a run. May return what the client sees. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function that only logs returns void
export type OnRunError = (error: unknown) => ShownError | undefined | void;

/** Converts an error to what the client sees: nothing internal, unless `onError` returns it. */
export function toShownError(error: unknown, onError: OnRunError | undefined): ShownError {
  if (isInstance(error, ServeError) || isInstance(error, RequestError)) {
    return { code: error.code, message: error.message };
  }
  return toShownFailure(error, onError);
}

/**
 * Converts an error that is neither a `ServeError` nor a `RequestError`: to what `onError` returns, or to words for the
 * users of an app. They tell what happened, and nothing of the request, the model or the error, except in development. A
 * `ThreadError` has such words itself.
 *
 * For example, a `ModelError` with the status 429 is `{ code: "rate_limited", message: "There are too many requests at
 * the moment. Please try again in a minute." }`.
 */
export function toShownFailure(error: unknown, onError: OnRunError | undefined): ShownError {
  const shown = report(onError, error) as unknown;
  const code = fieldOf(shown, "code");
  const message = fieldOf(shown, "message");
  // A logger may return anything, also the error itself.
  if (!isInstance(shown, Error) && typeof code === "string" && typeof message === "string")
    return { code, message };
  return knownFailure(error);
}

function knownFailure(error: unknown): ShownError {
  const problem = threadProblem(error);
  if (problem !== undefined) return problem;
  const code = shownCode(error);
  return { code, message: withReason(words[code], error) };
}

/**
 * The code and the message of a `ThreadError`, which are for users; `undefined` for any other error. By its name: this
 * folder does not know the class, and an app may have two copies of the package.
 */
export function threadProblem(error: unknown): ShownError | undefined {
  if (!isInstance(error, Error) || textFieldOf(error, "name") !== "ThreadError") return undefined;
  return { code: textFieldOf(error, "code"), message: textFieldOf(error, "message") };
}

/** The default words for users. */
const words = {
  rate_limited: "There are too many requests at the moment. Please try again in a minute.",
  overloaded: "The model is overloaded at the moment. Please try again later.",
  unreachable: "The model cannot be reached. Please try again later.",
  timeout: "The model did not answer in time. Please try again.",
  cut: "The connection to the model was lost. Please try again.",
  too_long: "The answer became longer than the model may write.",
  withheld: "The provider of the model has withheld the answer.",
  refused: "The model declined to answer.",
  invalid_answer: "The model gave no valid answer. Please try again.",
  too_many_steps: "The model did not finish within the allowed number of steps.",
  run_failed: "The run failed.",
} as const;

type ShownCode = keyof typeof words;

/** By the names of errors: this folder does not know their classes, and an app may have two copies of the package. */
const codes: Readonly<Record<string, Readonly<Record<string, ShownCode>>>> = {
  ModelError: { network: "unreachable", timeout: "timeout", cut: "cut" },
  AgentError: {
    truncated: "too_long",
    content_filter: "withheld",
    refused: "refused",
    invalid_response: "invalid_answer",
    several_responses: "invalid_answer",
    no_response: "invalid_answer",
    empty: "invalid_answer",
    max_steps: "too_many_steps",
  },
};

function shownCode(error: unknown): ShownCode {
  if (!isInstance(error, Error)) return "run_failed";
  const name = textFieldOf(error, "name");
  const status = fieldOf(error, "status");
  if (name === "ModelError" && typeof status === "number") {
    if (status === 429) return "rate_limited";
    if (status >= 500) return "overloaded";
  }
  if (name === "JsonParseError" || name === "SchemaViolation") return "invalid_answer";
  const known = Object.hasOwn(codes, name) ? codes[name] : undefined;
  const code = textFieldOf(error, "code");
  return known !== undefined && Object.hasOwn(known, code) ? (known[code] as ShownCode) : "run_failed";
}

/** Whether a run was stopped or abandoned, as opposed to failed. */
export function isStop(error: unknown): boolean {
  return isInstance(error, Error) && fieldOf(error, "name") === "AbortError";
}
