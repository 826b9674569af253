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

/** The error for a call of a tool in a message that is no assistant's. */
export function misplacedCallError(block: { readonly type: string }, role: string): ModelError {
  const message = `A message of the role "${role}" holds a ${block.type}; only an assistant calls tools.`;
  return new ModelError("invalid_request", message);
}

/** The error for a block that says nowhere where its medium is, or in a way that the provider cannot read. */
export function unreadableBlockError(
  block: { readonly type: string },
  provider: string,
  forms: string,
): ModelError {
  return new ModelError(
    "invalid_request",
    `${provider} needs a block of the type "${block.type}" to have ${forms}.`,
  );
}
