import { ServeError } from "./errors.js";
import { RequestError } from "./http/request-error.js";
import { report } from "./report.js";
import { fieldOf, isInstance } from "../text/thrown.js";

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

/** Converts an error that is neither a `ServeError` nor a `RequestError`. */
export function toShownFailure(error: unknown, onError: OnRunError | undefined): ShownError {
  const shown = report(onError, error) as ShownError | undefined;
  // A logger may return anything.
  return typeof shown?.code === "string" ? shown : { code: "run_failed", message: "The run failed." };
}

/** Whether a run was stopped or abandoned, as opposed to failed. */
export function isStop(error: unknown): boolean {
  return isInstance(error, Error) && fieldOf(error, "name") === "AbortError";
}
