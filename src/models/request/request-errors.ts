import { invalidRequest, type ModelError } from "../contract/errors.js";

/** Creates the error for a place in a schema (JSON Pointer, RFC 6901). The problem continues the text "at /a/b, ". */
export type Refuse = (pointer: string, problem: string) => ModelError;

/**
 * @param subject owner of the schema, for example `the tool "weather"`
 * @param what the failed conversion, for example `expressed in OpenAI's strict mode`
 * @param wayOut a sentence with a solution, if there is one
 */
export function refuseIn(subject: string, what: string, wayOut = ""): Refuse {
  return (pointer, problem) => {
    const place = pointer === "" ? "its root" : pointer;
    const message = `The schema of ${subject} cannot be ${what}: at ${place}, ${problem}. ${wayOut}`;
    return invalidRequest(message.trimEnd(), { schemaPointer: pointer });
  };
}

/** The error for a tool call in a message of another role than assistant. */
export function misplacedCallError(block: { readonly type: string }, role: string): ModelError {
  const message = `A message with role "${role}" contains a ${block.type}. Only assistant messages can contain tool calls.`;
  return invalidRequest(message);
}

/** The error for a block without a source, or with a source that the provider does not support. */
export function unreadableBlockError(
  block: { readonly type: string },
  provider: string,
  forms: string,
): ModelError {
  return invalidRequest(`${provider} requires a block of type "${block.type}" to have ${forms}.`);
}
