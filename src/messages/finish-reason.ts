/**
 * Why the model stopped, in one vocabulary for all providers. The provider's own word stands beside it, in
 * `providerFinishReason`.
 *
 * - `stop`: it was done, or came to a stop sequence
 * - `length`: the token limit; what it wrote is cut
 * - `tool_calls`: it waits for the results of tools
 * - `content_filter`: the provider withheld the rest
 * - `error`: the provider failed while it wrote
 * - `other`: a word that is not known here
 */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "error" | "other";
