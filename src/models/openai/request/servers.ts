import { quoted } from "../../../text/cut.js";
import type { ModelProfile, CallOptions } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { idWithin, isMistral, mistralId } from "../../dialect/call-ids.js";

/**
 * A server with one of OpenAI's APIs. The local ones enforce schemas by a grammar, not by OpenAI's strict rules, so that
 * a schema keeps its limits and its optional properties.
 */
export type OpenAIServer = "openai" | "azure" | LocalServer | "other";

/** A server that runs models on your own machine. */
export type LocalServer = "llama.cpp" | "lmstudio" | "ollama" | "vllm";

interface LocalRules {
  readonly title: string;
  readonly port: number;
  /** Whether a call of some tool can be forced, of one tool by its name, or not at all. */
  readonly forces: "any" | "named" | "nothing";
  /** Whether the Responses API enforces a schema, too. */
  readonly responsesFormat: boolean;
}

/** As of November 2026; docs/reference/local-servers.md shows it. */
export const localServers: Readonly<Record<LocalServer, LocalRules>> = {
  "llama.cpp": { title: "llama.cpp", port: 8080, forces: "any", responsesFormat: false },
  lmstudio: { title: "LM Studio", port: 1234, forces: "any", responsesFormat: false },
  ollama: { title: "Ollama", port: 11434, forces: "nothing", responsesFormat: false },
  vllm: { title: "vLLM", port: 8000, forces: "named", responsesFormat: true },
};

export function isLocal(server: string | undefined): server is LocalServer {
  return server !== undefined && Object.hasOwn(localServers, server);
}

export function checkServer(server: string | undefined): void {
  if (server === undefined || isLocal(server) || otherServers.includes(server)) return;
  const known = [...Object.keys(localServers), ...otherServers].join(", ");
  throw invalidRequest(`Unknown server ${quoted(server)}. Known servers: ${known}.`);
}

const otherServers: readonly string[] = ["openai", "azure", "other"] satisfies OpenAIServer[];

export function serverProfile(
  server: OpenAIServer | undefined,
  api: "chat" | "responses",
): Partial<ModelProfile> {
  if (!isLocal(server)) return {};
  const { forces, responsesFormat } = localServers[server];
  return {
    structuredOutput: api === "chat" || responsesFormat,
    // The grammar of the schema leaves no room for a call.
    structuredOutputWithTools: false,
    toolCalling: true,
    ...(forces === "nothing" && { forcedToolChoice: false }),
  };
}

export interface ServerRules {
  readonly server: OpenAIServer;
  /** Whether it is OpenAI, or Azure with models of OpenAI. They refuse fields that they do not know. */
  readonly official: boolean;
  /** OpenAI refuses `max_tokens` for its reasoning models. Most compatible servers support nothing else. */
  readonly limit: "max_completion_tokens" | "max_tokens";
  /** Mistral refuses fields that it does not know: `seed`, and `stream_options`. It always sends the usage. */
  readonly atMistral: boolean;
  /** Whether an assistant message may have `reasoning`. Groq refuses it for some models. */
  readonly takesReasoning: boolean;
  /** The id of a call as the server accepts it: the same for the call and for its result. */
  readonly callId: (id: string) => string;
}

export function serverRules(
  hostname: string,
  model: string,
  server: OpenAIServer = serverAt(hostname),
): ServerRules {
  const official = server === "openai" || server === "azure";
  return {
    server,
    official,
    limit:
      official || (!isLocal(server) && openAIReasoner.test(model)) ? "max_completion_tokens" : "max_tokens",
    atMistral: /(?:^|\.)mistral\.ai$/.test(hostname),
    takesReasoning: !/(?:^|\.)groq\.com$/.test(hostname),
    callId: isMistral(`${hostname} ${model}`)
      ? mistralId
      : official || openAIModel.test(model)
        ? (id) => idWithin(id, 40)
        : (id) => id,
  };
}

function serverAt(hostname: string): OpenAIServer {
  if (openAIHost.test(hostname)) return "openai";
  return azureHost.test(hostname) ? "azure" : "other";
}

/** Also the hosts of its regions, such as eu.api.openai.com. */
const openAIHost = /^(?:[a-z]+\.)?api\.openai\.com$/;

const azureHost =
  /\.(?:(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)|api\.cognitive\.microsoft\.(?:com|us))$/;

const openAIReasoner = /^(?:.*\/)?(?:gpt-[5-9](?!.*-chat)|o\d)/;

/** The models of OpenAI, also behind a gateway. gpt-oss runs elsewhere. */
const openAIModel = /^(?:.*\/)?(?:gpt-(?!oss)|chatgpt-|o\d)/;

/**
 * The call as a local server does what it asks for. The servers ignore without a word what they do not support.
 *
 * - One call at a time, unless the call allows more: the default of a template may let the model call a tool many times.
 * - `toolChoice: { name }` is a required call with that tool alone, where a server reads the name as `auto`.
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
