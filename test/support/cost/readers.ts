import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  commaSeparatedListParser,
  createAgent,
  from,
  generateObject,
  generateText,
  type JsonValue,
  listParser,
  map,
  markdownListParser,
  mergeChunk,
  mergeChunks,
  type MessageChunk,
  numberedListParser,
  jsonParser,
  type Operator,
  patchLines,
  pipe,
  retrying,
  streamObject,
  streamText,
  taggedParser,
  take,
  textParser,
  textToolCalls,
  throttle,
  toMessages,
  tool,
  toolCallsParser,
  toolMessage,
  xmlParser,
} from "millrace";
import { capture, card, type Detectors, email, ip, redactText, runTool } from "millrace/agent";
import { decodeAnthropic } from "millrace/anthropic";
import { createPatchStore, fromEventStream } from "millrace/client";
import { fileJournal } from "millrace/durable";
import { memoryThreads, threadHandler } from "millrace/thread";
import { decodeGemini } from "millrace/gemini";
import {
  type AnyPatchOperation,
  applyPatch,
  diff,
  expandAppends,
  extract,
  fast,
  formatJsonError,
  json,
  JsonParseError,
  JsonParser,
  rawStrings,
  repair,
} from "millrace/json";
import {
  chatModel,
  decodeNdjson,
  decodeSse,
  fromAiSdk,
  fromChatModel,
  fromLangChain,
  fromLanguageModel,
} from "millrace/models";
import { decodeOllama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses } from "millrace/openai";
import { guardOf, jsonSchema } from "millrace/schema";
import {
  agUiHandler,
  boundedHandler,
  fromUiMessages,
  joinPatches,
  keepResponse,
  memoryLog,
  resumeResponse,
  runHandler,
  toAgUi,
  toAgUiActivity,
  toEventStream,
  toTextStream,
  toUiMessages,
  toUiMessageStream,
  uiMessageHandler,
} from "millrace/serve";
import { replay, scriptedModel } from "millrace/testing";
import {
  assistantUiStore,
  fromA2ui,
  fromSpecStream,
  toA2ui,
  toAssistantTransport,
  toSpecStream,
} from "millrace/ui";
import { addIncrements, type XmlObject, XmlParser } from "millrace/xml";
import { z } from "zod";
import type { Language } from "./languages.js";

/** A function that reads texts of others. Returns what is held after the last of them. */
export interface CostReader {
  readonly languages: readonly Language[];
  readonly read: (chunks: readonly string[]) => unknown;
}

type Chunks = readonly string[];

const onLineError = (): void => {};
const eventStream = { headers: { "content-type": "text/event-stream" } };

/** Reads all items and holds none. */
async function drain(items: AsyncIterable<unknown>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

const draining =
  (...stages: readonly Operator<never, unknown>[]) =>
  (chunks: Chunks): Promise<void> =>
    drain(stages.reduce<AsyncIterable<unknown>>((source, stage) => stage(source as never), from(chunks)));

/** A decoder of a provider, from the text of its wire to messages. */
const decoding = (wire: unknown, decoder: unknown): ((chunks: Chunks) => Promise<void>) =>
  draining(wire as never, decoder as never, mergeChunks() as never);

const union = z.object({
  a: z.union([z.array(z.string()), z.number(), z.object({ b: z.string() })]).optional(),
  b: z
    .record(z.string(), z.union([z.number(), z.string().regex(/^x[0-9]*$/), z.array(z.number())]))
    .optional(),
});
const recursive = {
  $defs: {
    value: {
      anyOf: [
        {
          type: "object",
          additionalProperties: { $ref: "#/$defs/value" },
          properties: { a: { $ref: "#/$defs/value" } },
        },
        { type: "array", items: { $ref: "#/$defs/value" }, uniqueItems: true },
        { enum: [1, 12, true, null, "x"] },
        { type: "string", pattern: "^[A-Za-z ]*$", maxLength: 1_000_000 },
      ],
    },
  },
  $ref: "#/$defs/value",
} as const;
const lists = { a: z.array(z.number()).optional(), b: z.any() };

function feed(parser: JsonParser | XmlParser, chunks: Chunks): unknown {
  for (const chunk of chunks) {
    parser.write(chunk);
    parser.takePatch();
  }
  parser.end({ truncated: true });
  return parser;
}

/** The lines that are JSON. */
function linesIn(chunks: Chunks): unknown[] {
  return chunks
    .join("")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .flatMap((line): unknown[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

function streamOf(items: readonly unknown[]): ReadableStream<unknown> {
  const rest = items.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done = false } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const patchOf = (chunks: Chunks): AnyPatchOperation[] => linesIn(chunks) as AnyPatchOperation[];
/**
 * The patches of a model, as a page or a client gets them. No string grows: a client that cannot append gets the whole
 * string each time, which is documented.
 */
const patchesOf = (chunks: Chunks): AsyncIterable<readonly AnyPatchOperation[]> =>
  pipe(
    from(chunks),
    patchLines({ growing: false, append: true, onLineError }).patches,
    map((patch) => patch.filter(({ op }) => op !== "append")),
  );

const arrayOf = (chunks: Chunks): JsonValue =>
  JSON.parse(`[${chunks.join("").replace(/,[^,}\]]*$/, "")}]`) as JsonValue;

/** The chunks as pieces of the arguments of a call. */
function* callChunks(chunks: Chunks): Generator<MessageChunk> {
  yield { content: [{ type: "tool_call_chunk", index: 0, id: "c", name: "f", args: "" }] };
  for (const args of chunks) yield { content: [{ type: "tool_call_chunk", index: 0, args }] };
  yield { content: [], finishReason: "tool_calls" };
}

const f = tool({ name: "f", description: "f", schema: z.object({ a: z.any() }), run: () => "x" });
/** A model that writes the text once: what is asked for again is new text, which pays for itself. */
const modelOf = (chunks: Chunks, later: string) =>
  scriptedModel(({ messages }: { readonly messages: readonly unknown[] }) =>
    messages.length === 1 ? chunks : [later],
  );
const agentOf = (chunks: Chunks) => createAgent({ model: modelOf(chunks, "x") });

/** An agent whose messages and answer are looked through. */
const redacting =
  (detectors: Detectors) =>
  async (chunks: Chunks): Promise<unknown> => {
    const model = scriptedModel(chunks);
    return drain(createAgent({ model, middleware: [redactText({ detectors })] }).stream(chunks.join("")));
  };

const post = (body: string, query = ""): Request =>
  new Request(`http://localhost/${query}`, {
    ...{ method: "POST", body, headers: { "content-type": "application/json", host: "localhost" } },
  });

const text: readonly Language[] = ["json", "calls", "xml", "list"];
const sse: readonly Language[] = ["sse", "chat", "responses", "anthropic", "gemini"];

/** Every public function that takes text of a model, a model's server, a client or a file. */
export const costReaders: Readonly<Record<string, CostReader>> = {
  JsonParser: {
    languages: ["json"],
    read: (chunks) => feed(new JsonParser({ repair, fast, append: true }), chunks),
  },
  rawStrings: {
    languages: ["json"],
    read: (chunks) => feed(new JsonParser({ repair: rawStrings, append: true }), chunks),
  },
  extract: {
    languages: text,
    read: (chunks) => feed(new JsonParser({ repair, extract, fast, append: true }), chunks),
  },
  guardOf: {
    languages: ["json"],
    read: (chunks) =>
      feed(new JsonParser({ repair, extract, fast, append: true, guard: guardOf(union) }), chunks),
  },
  coerce: { languages: ["json"], read: draining(jsonParser(union, { locale: "de" }).final as never) },
  jsonSchema: {
    languages: ["json"],
    read: (chunks) => {
      const { value } = feed(new JsonParser({ repair, guard: guardOf(recursive) }), chunks) as JsonParser;
      return jsonSchema(recursive as never)["~standard"].validate(value);
    },
  },
  json: {
    languages: ["json"],
    read: (chunks) => draining(json({ repair, extract }).patches as never)(chunks),
  },
  jsonParser: {
    languages: text,
    read: (chunks) => draining(jsonParser(union, { append: true }).patches as never)(chunks),
  },
  formatJsonError: {
    languages: ["json"],
    read: (chunks) => {
      try {
        return feed(new JsonParser({}), chunks);
      } catch (error) {
        return error instanceof JsonParseError ? formatJsonError(error) : undefined;
      }
    },
  },
  XmlParser: {
    languages: ["xml"],
    read: (chunks) => feed(new XmlParser({ repair: true, extract: "auto" }), chunks),
  },
  xmlParser: {
    languages: ["xml", "tags"],
    read: (chunks) => draining(xmlParser().snapshots as never)(chunks),
  },
  addIncrements: {
    languages: ["xml"],
    read: async (chunks) => {
      let sum: XmlObject | undefined;
      // It copies what it extends, so a program adds only a few.
      for await (const increment of pipe(from(chunks), xmlParser().stream, take(1_000)))
        sum = sum === undefined ? increment : addIncrements(sum, increment);
      return sum;
    },
  },
  taggedParser: {
    languages: ["tags"],
    read: draining(
      taggedParser({ a: jsonParser(), b: textParser(), c: markdownListParser() }).stream as never,
    ),
  },
  textParser: { languages: text, read: draining(textParser().stream as never) },
  listParser: { languages: ["list"], read: draining(listParser({ pattern: /^- (.*)$/gm }).stream as never) },
  markdownListParser: { languages: ["list"], read: draining(markdownListParser().stream as never) },
  numberedListParser: { languages: ["list"], read: draining(numberedListParser().stream as never) },
  commaSeparatedListParser: {
    languages: ["list"],
    read: draining(commaSeparatedListParser().stream as never),
  },
  textToolCalls: { languages: ["calls"], read: draining(textToolCalls() as never) },
  patchLines: {
    languages: ["patch"],
    read: draining(patchLines({ append: true, onLineError }).patches as never),
  },
  "patchLines with a schema": {
    languages: ["patch"],
    read: draining(patchLines({ append: true, onLineError, schema: z.object(lists) }).snapshots as never),
  },
  fromSpecStream: {
    languages: ["patch"],
    read: draining(fromSpecStream({ append: true, onLineError }).patches as never),
  },
  fromA2ui: { languages: ["a2ui"], read: draining(fromA2ui({ append: true, onLineError }).patches as never) },
  retrying: {
    languages: ["json"],
    read: draining(retrying(jsonParser(union), scriptedModel(["{}"])).final as never),
  },
  toolCallsParser: {
    languages: ["json"],
    read: (chunks) => drain(pipe(from(callChunks(chunks)), toolCallsParser({ tools: [f] }).final)),
  },
  mergeChunks: {
    languages: ["json"],
    read: (chunks) => drain(pipe(from(callChunks(chunks)), mergeChunks())),
  },
  mergeChunk: {
    languages: ["json"],
    read: (chunks) => [...callChunks(chunks)].slice(0, 500).reduce((a, b) => mergeChunk(a, b)),
  },
  capture: {
    languages: ["json"],
    read: (chunks) =>
      drain(pipe(from(callChunks(chunks)), capture({ tools: [f], model: scriptedModel([]) }) as never)),
  },
  runTool: {
    languages: ["json"],
    read: (chunks) => drain(runTool(f, { id: "c", name: "f", args: { a: chunks.join("") } })),
  },
  createAgent: { languages: text, read: (chunks) => drain(agentOf(chunks).stream("x")) },
  redactText: { languages: text, read: redacting({ card, email, ip }) },
  card: { languages: text, read: redacting({ card }) },
  email: { languages: text, read: redacting({ email }) },
  ip: { languages: text, read: redacting({ ip }) },
  streamText: {
    languages: text,
    read: (chunks) => drain(streamText({ model: scriptedModel(chunks), prompt: "x" })),
  },
  generateText: {
    languages: text,
    read: (chunks) => generateText({ model: scriptedModel(chunks), prompt: "x" }),
  },
  streamObject: {
    languages: text,
    read: (chunks) =>
      drain(streamObject({ model: modelOf(chunks, "{}"), schema: union, prompt: "x", append: true }).patches),
  },
  generateObject: {
    languages: ["json"],
    read: (chunks) => generateObject({ model: modelOf(chunks, "{}"), schema: union, prompt: "x" }),
  },
  decodeSse: { languages: sse, read: draining(decodeSse() as never) },
  decodeNdjson: { languages: ["ollama", "patch"], read: draining(decodeNdjson() as never) },
  decodeOpenAIChat: {
    languages: ["chat"],
    read: decoding(decodeSse(), decodeOpenAIChat()),
  },
  decodeOpenAIResponses: {
    languages: ["responses"],
    read: decoding(decodeSse(), decodeOpenAIResponses()),
  },
  decodeAnthropic: {
    languages: ["anthropic"],
    read: decoding(decodeSse(), decodeAnthropic()),
  },
  decodeGemini: {
    languages: ["gemini"],
    read: decoding(decodeSse(), decodeGemini()),
  },
  decodeOllama: {
    languages: ["ollama"],
    read: decoding(decodeNdjson(), decodeOllama()),
  },
  fromAiSdk: {
    languages: ["aiSdk"],
    read: (chunks) => {
      const end = { type: "finish", finishReason: "stop", totalUsage: {} };
      return drain(pipe(fromAiSdk(from([...linesIn(chunks), end]) as never), mergeChunks()));
    },
  },
  fromLanguageModel: {
    languages: ["aiSdk"],
    read: (chunks) => {
      const end = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };
      const doStream = () => Promise.resolve({ stream: streamOf([...linesIn(chunks), end]) });
      const model = { specificationVersion: "v3", provider: "p", modelId: "m", doStream };
      return fromLanguageModel(model, { maxRetries: 0 }).invoke("x");
    },
  },
  fromLangChain: {
    languages: ["langChain"],
    read: (chunks) => drain(pipe(fromLangChain(from(linesIn(chunks)) as never), mergeChunks())),
  },
  fromChatModel: {
    languages: ["langChain"],
    read: (chunks) => {
      const end = { content: "", response_metadata: { finish_reason: "stop" } };
      const stream = () => Promise.resolve(streamOf([...linesIn(chunks), end]));
      return fromChatModel({ stream } as never, { maxRetries: 0 }).invoke("x");
    },
  },
  chatModel: {
    languages: ["chat"],
    read: (chunks) =>
      drain(
        chatModel({
          name: "m",
          stream: () => pipe(from(chunks), decodeSse(), decodeOpenAIChat()),
        } as never).stream("x"),
      ),
  },
  replay: {
    languages: ["ollama"],
    read: (chunks) => drain(replay('{"millrace":"transcript","version":1}\n' + chunks.join("")) as never),
  },
  fromEventStream: {
    languages: ["sse", "chat", "compact"],
    read: (chunks) => drain(fromEventStream(new Response(chunks.join(""), eventStream)) as never),
  },
  createPatchStore: {
    languages: ["patch"],
    read: (chunks) => {
      const store = createPatchStore({ schedule: () => {} });
      for (const operation of patchOf(chunks)) {
        try {
          store.apply([operation]);
        } catch {
          // It does not fit.
        }
      }
      return store;
    },
  },
  applyPatch: { languages: ["patch"], read: (chunks) => applyPatch({}, patchOf(chunks)) },
  expandAppends: { languages: ["patch"], read: (chunks) => expandAppends(patchOf(chunks), {}) },
  joinPatches: {
    languages: ["patch"],
    read: (chunks) =>
      draining(throttle(1_000, { merge: joinPatches }) as never)(patchOf(chunks).map((it) => [it]) as never),
  },
  diff: { languages: ["patch"], read: (chunks) => drain(pipe(from(linesIn(chunks)), diff())) },
  toSpecStream: {
    languages: ["patch"],
    read: (chunks) => drain(pipe(patchesOf(chunks), toSpecStream())),
  },
  toA2ui: {
    languages: ["patch"],
    read: (chunks) => drain(pipe(patchesOf(chunks), toA2ui({ surfaceId: "s" }))),
  },
  toAssistantTransport: {
    languages: ["patch"],
    read: (chunks) => toAssistantTransport(patchesOf(chunks)).text(),
  },
  toTextStream: {
    languages: ["patch"],
    read: (chunks) => toTextStream(patchesOf(chunks) as never).text(),
  },
  toEventStream: {
    languages: ["patch"],
    read: async (chunks) => {
      await toEventStream(patchesOf(chunks), { format: "compact", flush: "frame" }).text();
      return toEventStream(patchesOf(chunks), { format: "json-patch" }).text();
    },
  },
  toAgUiActivity: {
    languages: ["patch"],
    read: (chunks) =>
      drain(pipe(patchesOf(chunks), toAgUiActivity({ messageId: "m", activityType: "a" }) as never)),
  },
  memoryLog: {
    languages: ["patch"],
    read: async (chunks) => {
      const log = memoryLog();
      await toEventStream(patchesOf(chunks), { log, id: "r" }).text();
      for (let i = 0; i < 20; i++) await toEventStream(undefined, { log, id: "r" }).text();
      return log;
    },
  },
  "memoryLog (late readers)": {
    languages: ["patch"],
    read: async (chunks) => {
      const log = memoryLog();
      await toEventStream(patchesOf(chunks), { log, id: "r" }).text();
      const readers = Array.from({ length: 20 }, async () => {
        const reader = toEventStream(undefined, { log, id: "r" }).body?.getReader();
        await reader?.read();
        return reader;
      });
      return [log, await Promise.all(readers)];
    },
  },
  keepResponse: { languages: ["sse"], read: (chunks) => kept(chunks) },
  resumeResponse: { languages: ["sse"], read: (chunks) => kept(chunks) },
  assistantUiStore: { languages: ["sse"], read: (chunks) => [assistantUiStore(memoryLog()), chunks.length] },
  toAgUi: {
    languages: text,
    read: (chunks) => drain(toAgUi(agentOf(chunks).stream("x"), { threadId: "t", runId: "r" })),
  },
  toUiMessageStream: {
    languages: text,
    read: (chunks) => toUiMessageStream(agentOf(chunks).stream("x")).text(),
  },
  toMessages: { languages: ["messages"], read: (chunks) => toMessages(arrayOf(chunks) as never) },
  fromUiMessages: {
    languages: ["aguiBody"],
    read: (chunks) => fromUiMessages({ messages: arrayOf(chunks) }),
  },
  toUiMessages: {
    languages: ["json"],
    read: (chunks) => {
      const call = { type: "tool_call", id: "1", name: "t", args: {} } as const;
      const result = toolMessage(chunks.join(""), { toolCallId: "1" });
      return toUiMessages([{ role: "assistant", content: [call] }, result]);
    },
  },
  uiMessageHandler: {
    languages: ["aguiBody"],
    read: async (chunks) => {
      const body = { id: "c", messages: arrayOf(chunks) };
      return (await uiMessageHandler(agentOf(["x"]))(post(JSON.stringify(body)))).text();
    },
  },
  agUiHandler: {
    languages: ["aguiBody"],
    read: async (chunks) => {
      const body = { threadId: "t", runId: "r", messages: arrayOf(chunks), tools: [], context: [] };
      return (await agUiHandler(agentOf(["x"]))(post(JSON.stringify(body)))).text();
    },
  },
  boundedHandler: {
    languages: ["json", "aguiBody"],
    read: async (chunks) => (await boundedHandler(() => new Response("x"))(post(chunks.join("")))).text(),
  },
  runHandler: {
    languages: ["json", "aguiBody"],
    read: async (chunks) => {
      const handler = runHandler((_input, run) => toEventStream(from([]), run), { log: memoryLog() });
      return (await handler(post(chunks.join(""), "?run=r"))).text();
    },
  },
  "runHandler (runs that are left)": {
    languages: ["patch"],
    read: async (chunks) => {
      const log = memoryLog();
      const handler = runHandler((_input, run) => toEventStream(patchesOf(chunks), run), { log });
      for (const id of ["r", "s", "t"])
        await (await handler(post('{"input":1}', `?run=${id}`))).body?.cancel();
      for (const id of ["r", "s", "t"]) await toEventStream(undefined, { log, id }).text();
      return [log, handler];
    },
  },
  threadHandler: {
    languages: ["json", "aguiBody"],
    read: async (chunks) => {
      const handler = threadHandler({ agent: agentOf(["x"]), store: memoryThreads() });
      const url = "http://localhost/?thread=1";
      const body = JSON.stringify({ type: "send", text: chunks.join("") });
      const headers = { "content-type": "application/json" };
      await (await handler(new Request(url, { method: "POST", headers, body }))).text();
      return (await handler(new Request(url))).text();
    },
  },
  "threadHandler (the model)": {
    languages: ["json"],
    read: async (chunks) => {
      const handler = threadHandler({ agent: agentOf(chunks), store: memoryThreads() });
      const headers = { "content-type": "application/json" };
      const body = '{"type":"send","text":"Hi"}';
      return (
        await handler(new Request("http://localhost/?thread=1", { method: "POST", headers, body }))
      ).text();
    },
  },
  fileJournal: {
    languages: ["ollama"],
    read: async (chunks) => {
      const folder = mkdtempSync(join(tmpdir(), "cost-"));
      try {
        writeFileSync(join(folder, "journal.ndjson"), chunks.join(""), { mode: 0o600 });
        const journal = fileJournal(folder);
        try {
          await journal.step("s", () => Promise.resolve(1));
        } finally {
          await journal.close();
        }
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
};

async function kept(chunks: Chunks): Promise<unknown> {
  const log = memoryLog();
  await (await keepResponse(new Response(chunks.join("")), { log, id: "r" })).text();
  return (await resumeResponse({ log, id: "r" }))?.text();
}

/** The other names, by why they read no such text. */
export const readNoText: Readonly<Record<string, readonly string[]>> = {
  "classes of errors, constants and clocks": [
    ...[
      "ListError",
      "MessageError",
      "MillraceError",
      "ModelError",
      "OutputParserError",
      "PatchLineError",
      "PromptError",
    ],
    ...["StreamError", "TimeoutError", "JsonParseError", "JsonPatchError", "SchemaError", "SchemaViolation"],
    ...[
      "XmlParseError",
      "AgentError",
      "ToolError",
      "McpToolsError",
      "DurableError",
      "GenerateError",
      "RequestError",
      "ServeError",
    ],
    ...[
      "ClientError",
      "ThreadError",
      "LawError",
      "TranscriptError",
      "Allow",
      "fast",
      "repair",
      "systemClock",
      "Streamed",
    ],
  ],
  "operators: they pass on items and read no text": [
    ...[
      "abortable",
      "batch",
      "batchInvoke",
      "collect",
      "compose",
      "conflate",
      "dropLast",
      "filter",
      "from",
      "invoke",
    ],
    ...[
      "last",
      "map",
      "mapAsync",
      "merge",
      "modelStream",
      "pipe",
      "scan",
      "share",
      "stage",
      "take",
      "tap",
      "throttle",
    ],
    ...["timeout", "ixOperator", "toIx", "record"],
  ],
  "the program writes what they take": [
    ...[
      "assistant",
      "system",
      "user",
      "toolMessage",
      "chatPrompt",
      "promptTemplate",
      "placeholder",
      "tool",
      "initModel",
    ],
    ...[
      "schemaOf",
      "zod",
      "valibot",
      "arktype",
      "autoStrategy",
      "promptStrategy",
      "providerStrategy",
      "toolStrategy",
    ],
    ...["renderTools", "renderToolsWithArgs", "retrieverTool", "toolFromOperator", "agentTool", "ownState"],
    ...["clientTools", "clientTool", "sharedTool", "serverTool"],
  ],
  "they look at a message that is already read": [
    ...[
      "reasoningOf",
      "textOf",
      "toAssistantMessage",
      "toolCallsOf",
      "toAgUiMessages",
      "chatGeneration",
      "generate",
    ],
    ...["chatGenerationChunk", "mergeGenerationChunks", "LLMResult"],
  ],
  "middleware: it passes on what a reader above has read": [
    ...[
      "humanApproval",
      "isDestructive",
      "logging",
      "modelCallLimit",
      "modelFallback",
      "modelRetry",
      "telemetry",
      "toolCallLimit",
    ],
    ...[
      "toolRetry",
      "stopWhen",
      "trimMessages",
      "durable",
      "dbosJournal",
      "dbosWorker",
      "restateJournal",
      "memoryJournal",
    ],
    ...["unfinishedRuns", "thread", "cacheAnswers", "clearToolResults"],
    ...["selectTools", "summarizeMessages"],
  ],
  "models: their answers are read by the decoders above": [
    ...["openai", "anthropic", "gemini", "ollama", "providerBatch", "extractAll"],
  ],
  "stores of threads: JSON.parse() reads what the package has written": [
    ...["fileThreads", "memoryThreads", "postgresThreads", "redisThreads"],
  ],
  "they carry requests, responses and patches to the readers above": [
    ...[
      "fromNodeRequest",
      "readHandler",
      "holdingLog",
      "nodeHandler",
      "toNodeResponse",
      "redisLog",
      "mcpTools",
      "serveMcp",
      "createDevtools",
      "createObjectStore",
      "createThreadClient",
      "reportOf",
    ],
    ...["useObject", "useThread"],
  ],
  "for tests of a program": [
    ...[
      "allPartitions",
      "everyCut",
      "everyWay",
      "fixedSizes",
      "journalLaws",
      "manualClock",
      "modelLaws",
      "operatorLaws",
      "threadLaws",
    ],
    ...["randomPartitions", "replayModel", "scriptedModel", "spySource"],
  ],
};
