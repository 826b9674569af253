import { ModelError } from "../contract/errors.js";

/** The error for a call of a tool in a message that is no assistant's. */
export function misplacedCallError(block: { readonly type: string }, role: string): ModelError {
  const message = `A message of the role "${role}" holds a ${block.type}; only an assistant calls tools.`;
  return new ModelError("invalid_request", message);
}
