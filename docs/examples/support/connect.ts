/** Connects an example to its model, or to a local stand-in without one. */
import type { ChatCompletionRequest, TextResponse, ToolCall } from "@copilotkit/aimock";

/** The options that every sample takes, for `parseArgs()` of `node:util`. */
export const modelOptions = { model: { type: "string" }, "base-url": { type: "string" } } as const;

/**
 * A real model, if there is a key (`OPENAI_API_KEY`) or an address (`--base-url`, `OPENAI_BASE_URL`) of a server that
 * speaks OpenAI's Chat Completions. Without either, a local server replaces it: real HTTP, real server-sent events, and
 * the answers of `standIn`.
 *
 * @param options what the command line said
 * @param standIn answers a request as a model would
 */
export async function connect(options: ModelOptions, standIn: StandIn): Promise<Connection> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, MODEL } = process.env;
  const model = said(options.model) ?? said(MODEL) ?? defaultModel;
  const key = said(OPENAI_API_KEY);
  const baseURL = said(options["base-url"]) ?? said(OPENAI_BASE_URL);
  if (key !== undefined || baseURL !== undefined) {
    const title = baseURL === undefined ? model : `${model} at ${baseURL}`;
    return { endpoint: { model, apiKey: key ?? noKey, baseURL }, title, close: () => Promise.resolve() };
  }
  const { LLMock } = await import("@copilotkit/aimock");
  const server = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent" });
  server.on({ endpoint: "chat" }, standIn, pace);
  await server.start();
  return {
    // The name by which it is known what the model can do; the stand-in takes any.
    endpoint: { model: defaultModel, apiKey: noKey, baseURL: `${server.url}/v1` },
    title: `a stand-in for a model at ${server.url}`,
    close: () => server.stop(),
  };
}

export interface ModelOptions {
  readonly model?: string | undefined;
  readonly "base-url"?: string | undefined;
}

/** An answer of a model: a text, or tool calls. */
export type StandIn = (
  request: ChatCompletionRequest,
) => TextResponse | { readonly content: string; readonly toolCalls: ToolCall[] };

export interface Connection {
  /** For `openai()` of `millrace/openai`, and for the official SDK. */
  readonly endpoint: Endpoint;
  /** A description of the model. */
  readonly title: string;
  /** Ends the stand-in, if there is one. */
  readonly close: () => Promise<void>;
}

export interface Endpoint {
  readonly model: string;
  readonly apiKey: string;
  readonly baseURL: string | undefined;
}

/** The text of the last message of the user. */
export function lastQuestion({ messages }: ChatCompletionRequest): string {
  const question = messages.findLast(({ role }) => role === "user")?.content ?? "";
  return typeof question === "string" ? question : question.map(({ text = "" }) => text).join("");
}

/** A variable that is set to nothing counts as not set. */
function said(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}

const defaultModel = "gpt-6.1-terra";

/** The official SDK insists on a key, also where the server wants none. */
const noKey = "none";

/** Six characters are about what a token of English JSON has. */
const pace = { chunkSize: 6, streamingProfile: { ttft: 200, tps: 60, jitter: 0.3 } };
