import { ModelError } from "../contract/errors.js";

/** The error for what stands at a JSON Pointer (RFC 6901) of a schema, in words that follow on "at /a/b, ". */
export type Refuse = (pointer: string, problem: string) => ModelError;

/**
 * @param subject what the schema belongs to: `the tool "weather"`
 * @param what cannot be done with it: `expressed in OpenAI's strict mode`
 * @param wayOut a sentence on what helps, if anything does
 */
export function refuseIn(subject: string, what: string, wayOut = ""): Refuse {
  return (pointer, problem) => {
    const place = pointer === "" ? "its root" : pointer;
    const message = `The schema of ${subject} cannot be ${what}: at ${place}, ${problem}. ${wayOut}`;
    return new ModelError("invalid_request", message.trimEnd());
  };
}
