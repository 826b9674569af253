import { invalidRequest, type ModelError } from "../contract/errors.js";

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
