/**
 * Why the model stopped, in the same words for all providers. `providerFinishReason` has the provider's own word.
 *
 * - `stop`: the model finished, or reached a stop sequence
 * - `length`: the model reached the token limit, and its output is cut
 * - `tool_calls`: the model waits for the results of tools
 * - `pause`: the model paused its turn, for example while a tool of its provider runs. Send the message back, and it
 *   continues. Agents do
 * - `content_filter`: the provider withheld the rest
 * - `error`: the provider failed while the model was writing. The models of this package throw a `ModelError` instead
 * - `other`: any other word
 */
export type FinishReason = "stop" | "length" | "tool_calls" | "pause" | "content_filter" | "error" | "other";
