import { ServeError } from "./errors.js";
import { RequestError } from "./http/request-error.js";

/** What a client is shown of an error. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
}

/** Hears of the error that ended a run, and may say what the client is shown of it. */
export type OnRunError = (error: unknown) => ShownError | undefined;

/** What the client is shown: nothing of the inside, unless `onError` says so. */
export function toShownError(error: unknown, onError: OnRunError | undefined): ShownError {
  if (error instanceof ServeError || error instanceof RequestError) {
    return { code: error.code, message: error.message };
  }
  return toShownFailure(error, onError);
}

/** The same of an error that is not one of ours. */
export function toShownFailure(error: unknown, onError: OnRunError | undefined): ShownError {
  return onError?.(error) ?? { code: "run_failed", message: "The run failed." };
}

/** Whether a run was stopped, or left, rather than failed. */
export function isStop(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
