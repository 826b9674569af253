import { ModelError } from "../errors.js";

/** The error for what stands at a JSON Pointer, in words that follow on "at /a/b, ". */
export type Refuse = (pointer: string, problem: string) => ModelError;

/**
 * @param subject what the schema belongs to: `the tool "weather"`
 * @param what cannot be done with it: `given to Anthropic`
 */
export function refuseIn(subject: string, what: string): Refuse {
  return (pointer, problem) => {
    const place = pointer === "" ? "its root" : pointer;
    return new ModelError(
      "invalid_request",
      `The schema of ${subject} cannot be ${what}: at ${place}, ${problem}.`,
    );
  };
}
