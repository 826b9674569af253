import { collect, createAgent, from, jsonParser, last, mergeChunks, pipe, toolCallsOf } from "millrace";
import { decodeOpenAIChat, type OpenAIChatPayload } from "millrace/openai";
import { scriptedModel } from "millrace/testing";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import OpenAI from "openai";
import { z } from "zod";
import { benchFigure } from "./bench-figures.js";
import { loadPeer } from "../../support/peers.js";
import { answeringAiSdk, answeringOpenAI, fetchOf, payloadsOf } from "./streaming-models.js";

/** Checks for the cells about libraries that call models, by using them. */
type Property = (library: Library) => Promise<string>;

type Library = "millrace" | "LangChain.js" | "AI SDK" | "openai SDK";

const langChain = await loadPeer("langchain");
const { StructuredOutputParser } = await loadPeer("@langchain/core/output_parsers");
const { ChatOpenAI } = await loadPeer("@langchain/openai");
const { Output, streamText, tool } = await loadPeer("ai");

const order = z.object({ tea: z.string(), tins: z.int() }).meta({ title: "Order" });

export const stackProperties: Readonly<Record<string, Property>> = {
  "the structured response of an agent appears": async (library) => {
    const pieces = ['{"tea": "gr', 'een", "ti', 'ns": 3}'];
    const seen = new Set<string>();
    for await (const partial of agents[library](order, pieces)) seen.add(JSON.stringify(partial));
    return seen.size > 1 ? "while it is written" : "when it is complete";
  },

  "an invalid value in the first of 100 pieces: pieces read": async (library) => {
    let read = 0;
    async function* pieces(): AsyncGenerator<string> {
      while (read < 100) {
        read++;
        yield read === 1 ? '{"tins": "many", "tea": "' : read < 100 ? "green " : '"}';
      }
    }
    await collect(structured[library](pieces(), order, "stop")).catch(() => undefined);
    return String(read);
  },

  "an answer cut at the token limit: the error has": async (library) => {
    const failure: unknown = await collect(
      structured[library](from(['{"tea": "gre']), order, "length"),
    ).catch((error: unknown) => error);
    const { value, text, llmOutput, finishReason } = failure as Readonly<Record<string, unknown>>;
    return (
      [
        (value as { tea?: string } | undefined)?.tea === "gre" && "the value so far",
        (text === '{"tea": "gre' || llmOutput === '{"tea": "gre') && "the text so far",
        finishReason === "length" && "the finish reason",
      ]
        .filter((what) => what !== false)
        .join(", ") || "neither"
    );
  },

  "a refinement that fails": async (library) => {
    const few = order.refine(({ tins }) => tins < 5, "Too many.").meta({ title: "Order" });
    let answers = 0;
    let accepted: unknown;
    const texts = (): string[] => [
      answers++ === 0 ? '{"tea": "green", "tins": 9}' : '{"tea": "green", "tins": 3}',
    ];
    try {
      for await (const value of agents[library](few, texts)) accepted = value;
    } catch {
      return "an error";
    }
    return (accepted as { tins: number }).tins === 9 ? "accepted" : "retried";
  },

  "two tool calls that share an index, but not an id": async (library) => {
    const call = (id: string, name: string): Delta => ({
      tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: '{"a": 1}' } }],
    });
    const calls = await callsIn[library]([call("call_1", "first"), call("call_2", "second")]);
    return `${calls.length === 2 ? "two calls" : "one call"}, ${calls.every(isWhole) ? "complete" : "incomplete"}`;
  },

  "the name of a tool, cut in two: wea + ther": async (library) => {
    const head = {
      index: 0,
      id: "call_1",
      type: "function" as const,
      function: { name: "wea", arguments: "" },
    };
    const tail = { index: 0, function: { name: "ther", arguments: '{"a": 1}' } };
    const calls = await callsIn[library]([{ tool_calls: [head] }, { tool_calls: [tail] }]);
    return `\`${calls[0]?.name ?? ""}\``;
  },

  "one event, from bytes in reads of 1 KB to a chunk, ns": (library) =>
    Promise.resolve(benchFigure("models", "From bytes to message chunks", library, "1 KB")),

  "merging one of 8,000 text deltas, ns": (library) => {
    const rows: Readonly<Record<string, string>> = {
      millrace: "mergeChunk, text",
      "LangChain.js": "LangChain.js concat, text",
    };
    return Promise.resolve(benchFigure("models", "Merging", rows[library], "8,000"));
  },
};

type Structured = (
  source: AsyncIterable<string>,
  schema: typeof order,
  reason: string,
) => AsyncIterable<unknown>;

/** A model whose answer is JSON of a schema. */
const structured: Readonly<Record<Library, Structured>> = {
  millrace: (source, schema, reason) => {
    const model = scriptedModel(async function* () {
      yield* source;
      yield { content: [], finishReason: reason as "stop" | "length" };
    });
    return pipe(model.stream("?"), jsonParser(schema).stream);
  },
  "LangChain.js": (source, schema) => StructuredOutputParser.fromZodSchema(schema).transform(source, {}),
  async *"AI SDK"(source, schema, reason) {
    const onError = (): void => {};
    const model = answeringAiSdk(source, reason);
    const result = streamText({ model, prompt: "?", output: Output.object({ schema }), onError });
    yield* result.partialOutputStream;
    yield await result.output;
  },
  async *"openai SDK"(source, schema, reason) {
    const runner = answeringOpenAI(source, schema, reason);
    const parsed: unknown[] = [];
    runner.on("content.delta", (event) => parsed.push(event.parsed));
    for await (const _ of runner) yield* parsed.splice(0);
    yield (await runner.finalChatCompletion()).choices[0]?.message.parsed;
  },
};

type Agent = (schema: typeof order, pieces: readonly string[] | (() => string[])) => AsyncIterable<unknown>;

/** An agent with several steps. The openai SDK has no agent with a structured response, so here it is one answer. */
const agents: Readonly<Record<Library, Agent>> = {
  millrace: (schema, pieces) => {
    const model = scriptedModel(() => piecesOf(pieces), { profile: { structuredOutput: true } });
    return createAgent({ model, responseFormat: schema }).partials("?");
  },
  async *"LangChain.js"(schema, pieces) {
    const fetch = fetchOf(() =>
      piecesOf(pieces).map((args, index) => ({
        tool_calls: [
          index === 0
            ? { index: 0, id: "call_1", type: "function", function: { name: "Order", arguments: args } }
            : { index: 0, function: { arguments: args } },
        ],
      })),
    );
    const model = new ChatOpenAI({ model: "m", apiKey: "none", streaming: true, configuration: { fetch } });
    const responseFormat = langChain.toolStrategy(schema);
    const agent = langChain.createAgent({ model, tools: [], responseFormat });
    const streamMode = ["messages", "values", "updates", "custom"];
    for await (const [mode, part] of await agent.stream({ messages: "?" }, { streamMode })) {
      if (mode === "values" && part.structuredResponse !== undefined) yield part.structuredResponse;
    }
  },
  async *"AI SDK"(schema, pieces) {
    const stock = tool({ inputSchema: z.object({}), execute: () => "" });
    const model = answeringAiSdk(from(piecesOf(pieces)));
    const output = Output.object({ schema });
    const result = streamText({ model, prompt: "?", tools: { stock }, output, onError: () => {} });
    yield* result.partialOutputStream;
    yield await result.output;
  },
  "openai SDK": (schema, pieces) => structured["openai SDK"](from(piecesOf(pieces)), schema, "stop"),
};

function piecesOf(pieces: readonly string[] | (() => string[])): readonly string[] {
  return typeof pieces === "function" ? pieces() : pieces;
}

interface Delta {
  readonly tool_calls: readonly object[];
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** The tool calls of the same Chat Completions stream. */
const callsIn: Readonly<Record<Library, (deltas: readonly Delta[]) => Promise<readonly Call[]>>> = {
  millrace: async (deltas) => {
    const payloads = from(payloadsOf(deltas) as unknown as readonly OpenAIChatPayload[]);
    const message = await last(pipe(payloads, decodeOpenAIChat(), mergeChunks()));
    return message === undefined ? [] : toolCallsOf(message);
  },
  "LangChain.js": async (deltas) => {
    const fetch = fetchOf(() => deltas);
    const model = new ChatOpenAI({ model: "m", apiKey: "none", streaming: true, configuration: { fetch } });
    const [first, ...others] = await collect(await model.stream("?"));
    const message = others.reduce((sum, chunk) => sum?.concat(chunk), first);
    return [...(message?.tool_calls ?? []), ...(message?.invalid_tool_calls ?? [])];
  },
  "AI SDK": async (deltas) => {
    const provider = createOpenAICompatible({
      name: "local",
      baseURL: "http://localhost/v1",
      fetch: fetchOf(() => deltas),
    });
    const inputSchema = z.object({ a: z.int() });
    const named = (name: string): object => ({ [name]: tool({ inputSchema }) });
    const tools = {
      ...named("first"),
      ...named("second"),
      ...named("wea"),
      ...named("ther"),
      ...named("weather"),
    };
    const { fullStream } = streamText({
      model: provider.chatModel("m"),
      prompt: "?",
      tools,
      onError: () => {},
    });
    const parts = await collect(fullStream);
    return parts.flatMap((part) =>
      part.type === "tool-call" ? [{ name: part.toolName ?? "", args: part.input }] : [],
    );
  },
  "openai SDK": async (deltas) => {
    const client = new OpenAI({ apiKey: "none", fetch: fetchOf(() => deltas) });
    const runner = client.chat.completions.stream({ model: "m", messages: [{ role: "user", content: "?" }] });
    const completion = await runner.finalChatCompletion();
    return (completion.choices[0]?.message.tool_calls ?? []).map((call) =>
      call.type === "function"
        ? { name: call.function.name, args: jsonOf(call.function.arguments) }
        : { name: "", args: "" },
    );
  },
};

function isWhole({ args }: Call): boolean {
  return JSON.stringify(args) === '{"a":1}';
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
