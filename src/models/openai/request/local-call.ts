import type { CallOptions } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { type LocalServer, localServers } from "./servers.js";

/**
 * The call as a local server does what it asks for. The servers ignore without a word what they do not support.
 *
 * - One call at a time, unless the call allows more: the default of a template may let the model call a tool many times.
 * - `toolChoice: { name }` is a required call with that tool alone, where a server reads the name as `auto`.
 *
 * @throws {ModelError} `invalid_request` for what cannot be asked in another way
 */
export function toLocalCall(call: CallOptions, server: LocalServer, api: "chat" | "responses"): CallOptions {
  const { title, forces, responsesFormat } = localServers[server];
  const { tools = [], toolChoice, responseFormat, parallelToolCalls = false } = call;
  if (responseFormat !== undefined && api === "responses" && !responsesFormat)
    throw invalidRequest(`${title} ignores a responseFormat in the Responses API. Use api: "chat".`);
  if (tools.length === 0) return call;
  if (responseFormat !== undefined && toolChoice !== "none")
    throw invalidRequest(`${title} calls no tool beside a responseFormat. Send one of the two.`);
  const isForced = toolChoice === "required" || typeof toolChoice === "object";
  if (isForced && forces === "nothing")
    throw invalidRequest(`${title} does not support a forced tool call (toolChoice).`);
  const sent = { ...call, parallelToolCalls };
  if (typeof toolChoice !== "object" || forces === "named") return sent;
  return { ...sent, tools: tools.filter(({ name }) => name === toolChoice.name), toolChoice: "required" };
}
