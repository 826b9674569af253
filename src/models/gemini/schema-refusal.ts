import { ModelError } from "../errors.js";

/** @param pointer JSON Pointer (RFC 6901) of what cannot be expressed */
export function refusal(pointer: string, why: string): ModelError {
  return new ModelError(
    "invalid_request",
    `The schema at ${JSON.stringify(pointer)} cannot be expressed: ${why}. With strict: false it is sent as it is.`,
  );
}
