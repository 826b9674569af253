import type { ServerResponse } from "node:http";
import type { ChatModel } from "millrace";
import type { ProviderOptions } from "millrace/models";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { serving } from "./models.js";
import {
  type Fields,
  fieldsIn,
  listIn,
  type Refusal,
  refusedByAnthropic,
  refusedByChat,
  refusedByGemini25,
  refusedByOllama,
  refusedByResponses,
  refusedByVllm,
  refusedByVllmResponses,
} from "./refusals.js";
import { type Answer, begin, delta, finish, stream, type TestServer } from "./server.js";

/** A call that a fake writes. `args` are its argument text in pieces. */
export interface FakeCall {
  readonly name: string;
  readonly args: readonly string[];
  /** Default: `c1` */
  readonly id?: string;
  /** Default: the reason for tool calls */
  readonly finishReason?: "length";
}

/** The endpoint of a provider, which refuses what the provider refuses. */
export interface Fake {
  readonly name: string;
  refuse(body: Fields): Refusal | undefined;
  model(server: TestServer, options?: Partial<ProviderOptions>): ChatModel;
  says(text: string): Answer;
  calls(call: FakeCall): Answer;
  /** The names of the tools in a request. */
  toolsIn(body: Fields): readonly string[];
  /** Whether the request has a schema for the text. */
  hasFormat(body: Fields): boolean;
  /** The arguments of the calls in a request, parsed. */
  argumentsIn(body: Fields): readonly unknown[];
}

/** A server of that provider. It refuses invalid requests, and gives the answers to the others, in order. */
export function fakeServer(fake: Fake, ...answers: readonly Answer[]): Promise<TestServer> {
  let next = 0;
  return serving((response, request, index) => {
    const refusal = fake.refuse(request.body as Fields);
    if (refusal === undefined) {
      return answers[Math.min(next++, answers.length - 1)]?.(response, request, index);
    }
    response.writeHead(refusal.status, { "content-type": "application/json" });
    return response.end(JSON.stringify(refusal.body));
  });
}

const common = { apiKey: "sk-example", maxRetries: 0 };

const chat = {
  says: (text) => stream(delta({ content: text }), finish()),
  calls: ({ id = "c1", name, args, finishReason }) =>
    stream(
      delta({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "" } }] }),
      ...args.map((piece) => delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
      finish(finishReason ?? "tool_calls"),
    ),
  toolsIn: (body) => listIn(body, "tools").map((tool) => String(fieldsIn(tool, "function")["name"])),
  hasFormat: (body) => body["response_format"] !== undefined,
  argumentsIn: (body) =>
    listIn(body, "messages")
      .flatMap((message) => listIn(message, "tool_calls"))
      .map((call): unknown => JSON.parse(String(fieldsIn(call, "function")["arguments"]))),
} satisfies Partial<Fake>;

export const openAIChat: Fake = {
  name: "Chat Completions",
  refuse: refusedByChat,
  model: (server, options) => openai({ model: "gpt-4.1", baseURL: server.url, ...common, ...options }),
  ...chat,
};

/** A server with a model that is not in the table. It parses the arguments of earlier calls. */
export const vllm: Fake = {
  ...openAIChat,
  name: "vLLM",
  refuse: (body) => refusedByVllm(body) ?? refusedByChat(body),
  model: (server, options) => openai({ model: "my-llama", baseURL: server.url, ...common, ...options }),
};

/** Events of the Responses API. */
function events(...payloads: readonly object[]): Answer {
  return stream({ type: "response.created", response: { id: "resp_1", model: "gpt-4.1" } }, ...payloads, {
    type: "response.completed",
    response: { id: "resp_1", status: "completed" },
  });
}

export const openAIResponses: Fake = {
  name: "Responses",
  refuse: (body) => refusedByVllmResponses(body) ?? refusedByResponses(body),
  model: (server, options) =>
    openai({ model: "gpt-4.1", api: "responses", baseURL: server.url, ...common, ...options }),
  says: (text) =>
    events(
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "message", id: "m1", content: [] },
      },
      { type: "response.output_text.delta", output_index: 0, content_index: 0, item_id: "m1", delta: text },
    ),
  calls: ({ id = "c1", name, args }) =>
    events(
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: "" },
      },
      ...args.map((piece) => ({
        type: "response.function_call_arguments.delta",
        output_index: 0,
        item_id: `fc_${id}`,
        delta: piece,
      })),
    ),
  toolsIn: (body) => listIn(body, "tools").map(({ name }) => String(name)),
  hasFormat: (body) => fieldsIn(body, "text", "format")["schema"] !== undefined,
  argumentsIn: (body) =>
    listIn(body, "input")
      .filter(({ type }) => type === "function_call")
      .map((item): unknown => JSON.parse(String(item["arguments"]))),
};

function anthropicMessage(stopReason: string, ...blocks: readonly object[]): Answer {
  return stream(
    {
      type: "message_start",
      message: { id: "msg_1", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: stopReason } },
    { type: "message_stop" },
  );
}

export const anthropicMessages: Fake = {
  name: "Anthropic",
  refuse: refusedByAnthropic,
  model: (server, options) =>
    anthropic({ model: "claude-sonnet-4-5", baseURL: server.url, ...common, ...options }),
  says: (text) =>
    anthropicMessage(
      "end_turn",
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
    ),
  calls: ({ id = "c1", name, args, finishReason }) =>
    anthropicMessage(
      finishReason === "length" ? "max_tokens" : "tool_use",
      { type: "content_block_start", index: 0, content_block: { type: "tool_use", id, name, input: {} } },
      ...args.map((piece) => ({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: piece },
      })),
      { type: "content_block_stop", index: 0 },
    ),
  toolsIn: (body) => listIn(body, "tools").map(({ name }) => String(name)),
  hasFormat: (body) => fieldsIn(body, "output_config", "format")["schema"] !== undefined,
  argumentsIn: (body) =>
    listIn(body, "messages")
      .flatMap((message) => listIn(message, "content"))
      .filter(({ type }) => type === "tool_use")
      .map(({ input }) => input),
};

function geminiParts(finishReason: string, ...parts: readonly object[]): Answer {
  return (response) => {
    begin(response, { candidates: [{ content: { role: "model", parts }, finishReason }] });
    response.end();
  };
}

export const gemini25: Fake = {
  name: "Gemini 2.5",
  refuse: refusedByGemini25,
  model: (server, options) =>
    gemini({ model: "gemini-2.5-flash", baseURL: server.url, ...common, ...options }),
  says: (text) => geminiParts("STOP", { text }),
  // Gemini sends a call whole.
  calls: ({ name, args, finishReason }) =>
    geminiParts(finishReason === "length" ? "MAX_TOKENS" : "STOP", {
      functionCall: { name, args: JSON.parse(args.join("")) as unknown },
    }),
  toolsIn: (body) =>
    listIn(body, "tools")
      .flatMap((tool) => listIn(tool, "functionDeclarations"))
      .map(({ name }) => String(name)),
  hasFormat: (body) => fieldsIn(body, "generationConfig")["responseJsonSchema"] !== undefined,
  argumentsIn: (body) =>
    listIn(body, "contents")
      .flatMap((content) => listIn(content, "parts"))
      .flatMap(({ functionCall }) => (functionCall === undefined ? [] : [(functionCall as Fields)["args"]])),
};

/** Gemini 3 accepts functions beside a schema. */
export const gemini3: Fake = {
  ...gemini25,
  name: "Gemini 3",
  refuse: () => undefined,
  model: (server, options) => gemini({ model: "gemini-3-pro", baseURL: server.url, ...common, ...options }),
};

function ollamaLines(response: ServerResponse, message: object, reason = "stop"): void {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write(`${JSON.stringify({ message, done: false })}\n`);
  response.end(
    `${JSON.stringify({ message: { role: "assistant", content: "" }, done: true, done_reason: reason })}\n`,
  );
}

export const ollamaChat: Fake = {
  name: "Ollama",
  refuse: refusedByOllama,
  model: (server, options) => ollama({ model: "qwen3:8b", baseURL: server.url, ...common, ...options }),
  says: (text) => (response) => ollamaLines(response, { role: "assistant", content: text }),
  calls:
    ({ name, args }) =>
    (response, { body }) => {
      // The grammar of the format allows nothing but the document, so the model invents one.
      if ((body as Fields)["format"] !== undefined) {
        ollamaLines(response, { role: "assistant", content: '{"city":"Atlantis","celsius":99}' });
        return;
      }
      const call = { function: { name, arguments: JSON.parse(args.join("")) as unknown } };
      ollamaLines(response, { role: "assistant", content: "", tool_calls: [call] });
    },
  toolsIn: (body) => listIn(body, "tools").map((tool) => String(fieldsIn(tool, "function")["name"])),
  hasFormat: (body) => body["format"] !== undefined,
  argumentsIn: (body) =>
    listIn(body, "messages")
      .flatMap((message) => listIn(message, "tool_calls"))
      .map((call) => fieldsIn(call, "function")["arguments"]),
};

export const allFakes: readonly Fake[] = [
  openAIChat,
  openAIResponses,
  anthropicMessages,
  gemini25,
  gemini3,
  ollamaChat,
  vllm,
];
