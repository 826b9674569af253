import { Cluster } from "ioredis";
import * as millrace from "millrace";
import { createAgent, from, last, pipe, tool } from "millrace";
import * as parts from "millrace/agent";
import { capture, runTool } from "millrace/agent";
import { anthropic } from "millrace/anthropic";
import { dbosJournal, fileJournal, memoryJournal, restateJournal } from "millrace/durable";
import { gemini } from "millrace/gemini";
import * as models from "millrace/models";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { redisLog } from "millrace/redis";
import * as serving from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import * as threads from "millrace/thread";
import { createClientPool, createCluster, createSentinel } from "redis";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/**
 * Mistakes of JavaScript users and of people who come from another library. Each is refused when it is made, with a
 * sentence that has what to write instead. The compiler finds most of them in TypeScript.
 */

const untyped = { ...millrace, ...parts, ...models, ...serving, ...threads } as unknown as Readonly<
  Record<string, (...args: unknown[]) => unknown>
>;
const call = (name: string, ...args: unknown[]): unknown =>
  (untyped[name] as (typeof untyped)[string])(...args);
const model = scriptedModel([]);
const agent = createAgent({ model });
/** A model that fails at its first request. */
const paid = (options: object = {}): millrace.ChatModel =>
  openai({
    model: "gpt-4o",
    apiKey: "an example",
    fetch: () => Promise.reject(new Error("paid")),
    ...options,
  });
const untypedRedisLog = redisLog as unknown as (client: unknown) => unknown;
const cluster = new Cluster([], { lazyConnect: true });
const sentinel = createSentinel({ name: "main", sentinelRootNodes: [{ host: "127.0.0.1", port: 1 }] });
const schema = z.object({ a: z.string() });
const run = (): string => "";

/** What is written, how it is run, and the words that the error must have. */
const mistakes: readonly (readonly [what: string, run: () => unknown, words: readonly string[]])[] = [
  ["a cluster for a log", () => untypedRedisLog(cluster), ["redisLog()", "new Redis()", "clusters"]],
  ["a pool for a log", () => untypedRedisLog(createClientPool()), ["redisLog()", "createClient()"]],
  ["a sentinel of redis for a log", () => untypedRedisLog(sentinel), ["sentinels only with ioredis"]],
  [
    "a cluster of redis for threads",
    () => call("redisThreads", createCluster({ rootNodes: [] })),
    ["redisThreads()", "clusters", "only with ioredis"],
  ],
  ["a sentinel of redis for threads", () => call("redisThreads", sentinel), ["redisThreads()", "ioredis"]],
  [
    "a function as a tool",
    () => call("createAgent", { model, tools: [run] }),
    ["tools[0]", "tool({", "run: run"],
  ],
  [
    "a tool of LangChain",
    () => call("createAgent", { model, tools: [{ name: "look", schema, invoke: run }] }),
    ["tools[0]", 'tool({ name: "look"', "look.invoke(args)"],
  ],
  ["an object of tools", () => call("createAgent", { model, tools: { look: run } }), ["tools", "array"]],
  ["an object of middleware", () => call("createAgent", { model, middleware: {} }), ["middleware", "array"]],
  [
    "an object of middleware for many objects",
    () => call("extractAll", [], { model, schema, middleware: {} }),
    ["middleware", "array"],
  ],
  [
    "a misspelt option of streamObject()",
    () => call("streamObject", { model, schema, prompt: "Hi", maxRetry: 1 }),
    ["streamObject()", '"maxRetry"', "maxRetries"],
  ],
  [
    "an option of an agent for an object",
    () => call("streamObject", { model, schema, prompt: "Hi", systemPrompt: "Hi" }),
    ["streamObject()", 'Write "system"'],
  ],
  [
    "an option of the AI SDK",
    () => call("streamObject", { model, schema, prompt: "Hi", abortSignal: AbortSignal.abort() }),
    ["abortSignal", 'Write "signal"'],
  ],
  ["a misspelt option of capture()", () => capture({ model, failfast: true } as never), ['"failFast"']],
  ["null as a tool of capture()", () => capture({ model, tools: [null as never] }), ["tools[0]", "tool()"]],
  ["a tool without a name", () => call("tool", { schema, run }), ["name of a tool", "undefined"]],
  ["a tool without a function", () => call("tool", { name: "look", schema }), ['"look"', '"run"']],
  ["a tool as LangChain makes it", () => call("tool", run, { name: "look", schema }), ["tool({ name"]],
  ["a tool with execute", () => call("tool", { name: "look", execute: run }), ['"execute"', '"run"']],
  ["diff of jsonParser()", () => call("jsonParser", undefined, { diff: true }), ['"diff"', ".patches"]],
  ["a misspelt option", () => call("jsonParser", undefined, { nullAsAbsnt: true }), ['"nullAsAbsent"']],
  ["a misspelt option of throttle()", () => call("throttle", 9, { megre: run }), ["throttle()", '"merge"']],
  ["a misspelt option of share()", () => call("share", { bounds: 1 }), ["share()", '"bound"']],
  ["a misspelt option of record()", () => call("record", run, { clok: {} }), ["record()", '"clock"']],
  [
    "a misspelt option of toResponse()",
    () => millrace.streamObject({ model, schema, prompt: "Hi" }).toResponse({ onEror: run } as never),
    ['"onError"'],
  ],
  ["swapped letters", () => call("markdownListParser", { netsed: true }), ['"nested"']],
  ["an option in snake case", () => call("createAgent", { model, system_prompt: "Hi" }), ['"system"']],
  ["an option of LangChain", () => call("createAgent", { model, prompt: "Hi" }), ['"prompt"', '"system"']],
  [
    "an unknown option",
    () => call("numberedListParser", { colour: 1 }),
    ['"colour"', "nested", "continuation"],
  ],
  [
    "a schema without a title as a tool",
    () => call("toolCallsParser", { tools: [schema] }),
    ["tools[0]", "{ name, schema }"],
  ],
  [
    "a schema as the tools",
    () => call("toolCallsParser", { tools: schema }),
    ["tools must be a list", "[{ name, schema }]"],
  ],
  [
    "a retriever that cannot be asked",
    () => call("retrieverTool", { search: run }, { name: "look", description: "Looks." }),
    ["retrieve()", "invoke()"],
  ],
  [
    "tools instead of options",
    () => call("toolCallsParser", [{ name: "look" }]),
    ["toolCallsParser()", "options"],
  ],
  ["a text instead of options", () => call("xmlParser", "answer"), ["xmlParser()", "answer"]],
  [
    "an option of a strategy",
    () => call("toolStrategy", schema, { strict: true }),
    ['"strict"', "handleError"],
  ],
  [
    "a temperature of a model",
    () => openai({ model: "gpt-4o", temperature: 0 } as never),
    ['"temperature"', "stream("],
  ],
  [
    "an option of another provider",
    () => gemini({ model: "gemini-2.5-flash", betas: [] } as never),
    ['"betas"'],
  ],
  ["baseUrl", () => anthropic({ model: "claude-sonnet-4-5", baseUrl: "http://a" } as never), ['"baseURL"']],
  ["timeout", () => ollama({ model: "llama3.2", timeout: 1 } as never), ["timeouts"]],
  ["a misspelt timeout", () => paid({ timeouts: { first: 1 } }), ['"first"', "firstToken"]],
  [
    "a misspelt timeout of a call",
    () => last(paid().stream("Hi", { timeouts: { totl: 1 } as never })),
    ['"totl"', "total"],
  ],
  [
    "a limit of the AI SDK for a call of a model",
    () => last(paid().stream("Hi", { maxOutputTokens: 9 } as never)),
    ["maxOutputTokens", 'Write "maxTokens"'],
  ],
  [
    "a signal of the AI SDK for a call of a model",
    () => paid().invoke("Hi", { abortSignal: AbortSignal.abort() } as never),
    ["abortSignal", 'Write "signal"'],
  ],
  [
    "a limit of the AI SDK for the calls of an agent",
    () => call("createAgent", { model, callOptions: { maxOutputTokens: 9 } }),
    ["callOptions", "maxOutputTokens", 'Write "maxTokens"'],
  ],
  [
    "a limit in snake case for an object",
    () => call("streamObject", { model, schema, prompt: "Hi", callOptions: { max_tokens: 9 } }),
    ["callOptions", '"maxTokens"'],
  ],
  [
    "a signal for the calls of an agent",
    () => call("createAgent", { model, callOptions: { signal: AbortSignal.abort() } }),
    ['"signal"', "the run"],
  ],
  [
    "a signal of the AI SDK for a run",
    () => agent.stream("Hi", { abortSignal: AbortSignal.abort() } as never),
    ["abortSignal", 'Write "signal"'],
  ],
  [
    "a signal of the AI SDK for a run to its end",
    () => agent.invoke("Hi", { abortSignal: AbortSignal.abort() } as never),
    ["abortSignal", 'Write "signal"'],
  ],
  [
    "a limit of LangChain for a batch",
    () => call("batchInvoke", millrace.map(run), [], { maxConcurrency: 2 }),
    ["maxConcurrency", 'Write "concurrency"'],
  ],
  [
    "a misspelt option of runTool()",
    () =>
      runTool(tool({ name: "look", schema, run }), { id: "", name: "look", args: {} }, { ctx: 1 } as never),
    ["runTool()", '"ctx"', "context"],
  ],
  [
    "a misspelt option of generate()",
    () => call("generate", model, ["Hi"], { concurency: 2 }),
    ['"concurency"', '"concurrency"'],
  ],
  ...[
    call.bind(undefined, "humanApproval"),
    call.bind(undefined, "toolRetry"),
    (options: object) => call("toolCallLimit", { maxPerRun: 1, ...options }),
  ].flatMap((make): (typeof mistakes)[number][] => [
    ["a misspelt option of a middleware", () => make({ tool: ["pay"] }), ['"tool"', '"tools"']],
    ["a name instead of names of tools", () => make({ tools: "pay" }), ["names", "a string"]],
    [
      "a tool instead of its name",
      () => make({ tools: [tool({ name: "pay", run })] }),
      ["names", "an array with a function"],
    ],
  ]),
  [
    "a misspelt option of modelRetry()",
    () => call("modelRetry", { maxRetry: 1 }),
    ["modelRetry()", "maxRetries"],
  ],
  [
    "a misspelt option of logging()",
    () => call("logging", { log: run, lvl: "debug" }),
    ["logging()", "level"],
  ],
  [
    "a misspelt option of modelCallLimit()",
    () => call("modelCallLimit", { maxPerRun: 1, onlimit: "error" }),
    ["modelCallLimit()", '"onLimit"'],
  ],
  [
    "a misspelt option of trimMessages()",
    () => call("trimMessages", { maxMessages: 1, keeps: run }),
    ["trimMessages()", '"keep"'],
  ],
  [
    "a tool instead of its name for clearToolResults()",
    () => call("clearToolResults", { tools: [tool({ name: "pay", run })] }),
    ["clearToolResults()", "names"],
  ],
  [
    "a misspelt limit of a store",
    () => call("memoryThreads", { maxage: 1 }),
    ["memoryThreads()", '"maxAge"'],
  ],
  [
    "a misspelt option of a handler",
    () => call("threadHandler", { agent, store: {}, clientID: run }),
    ["threadHandler()", '"clientId"'],
  ],
  ["a misspelt option of a log", () => call("memoryLog", { tll: 1 }), ["memoryLog()", '"ttl"']],
  ["a misspelt option of a journal", () => fileJournal("/tmp/none", { maxsize: 1 } as never), ['"maxSize"']],
  ...Object.entries({ memoryJournal, dbosJournal, restateJournal }).map(
    ([name, journal]) =>
      [
        `a misspelt option of ${name}()`,
        () => (journal as (...args: unknown[]) => unknown)({}, { maxStepsize: 1 }, { maxStepsize: 1 }),
        [`${name}()`, '"maxStepSize"'],
      ] as const,
  ),
  ["a misspelt option of timeout()", () => call("timeout", 5, { clok: 1 }), ["timeout()", '"clock"']],
  ["a misspelt option of telemetry()", () => call("telemetry", { apl: {} }), ["telemetry()", '"api"']],
  ["telemetry() without its module", () => call("telemetry", {}), ["telemetry()", "@opentelemetry/api"]],
  [
    "an unknown reaction of modelCallLimit()",
    () => call("modelCallLimit", { maxPerRun: 1, onLimit: "fail" }),
    ["onLimit of modelCallLimit()", "end, error", '"fail"'],
  ],
  [
    "an unknown reaction of toolCallLimit()",
    () => call("toolCallLimit", { maxPerRun: 1, onLimit: "stop" }),
    ["onLimit of toolCallLimit()", "end, error", '"stop"'],
  ],
  [
    "an unknown level of a log",
    () => call("logging", { log: run, level: "warning" }),
    ["warn, error", '"warning"'],
  ],
  ["a number as the function of conflate()", () => call("conflate", 5), ["conflate()", "a number"]],
  [
    "a number as the function of throttle()",
    () => call("throttle", 5, { merge: 5 }),
    ["throttle()", "a number"],
  ],
  ["an option of nothing", () => call("agUiHandler", agent, { stopWhen: 1 }), ["agUiHandler()", "maxRuns"]],
  ["a thread without a store", () => call("thread", agent, { id: "1" }), ["thread()", "store"]],
  [
    "a thread without an agent",
    () => call("thread", undefined, { id: "1", store: threads.memoryThreads() }),
    ["thread()", "createAgent()"],
  ],
  ...["json", null, ["json"]].map(
    (responseFormat) =>
      [
        `${JSON.stringify(responseFormat)} as a response format`,
        () => call("createAgent", { model, responseFormat }),
        ["Expected a Zod", [responseFormat].flat().join("") || "null"],
      ] as const,
  ),
  ["a handler without a log", () => call("runHandler", run), ["runHandler()", "options"]],
  [
    "a parser as a stage",
    () => pipe(from([""]), millrace.textParser() as never),
    ["stage 1", "parser.stream"],
  ],
  ["a model as a source", () => pipe(model as never), ["model.stream("]],
  ["an array as a source", () => pipe(["a"] as never), ["an array", "from("]],
  ["nothing as a stage", () => pipe(from([""]), undefined as never), ["stage 1", "undefined"]],
  [
    "the message of OpenAI",
    () => millrace.toolCallsParser().parse(openAIMessage as never),
    ["toMessages(message)"],
  ],
  [
    "the message of Anthropic",
    () => millrace.toolCallsParser().parse(anthropicMessage as never),
    ["toMessages(message)"],
  ],
  [
    "the answer of OpenAI",
    () => millrace.jsonParser().parse({ choices: [] } as never),
    ["parse()", "toMessages"],
  ],
  ["nothing as an output", () => millrace.textParser().parse(undefined as never), ["parse()", "undefined"]],
];

const openAIMessage = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name: "look", arguments: "{}" } }],
};
const anthropicMessage = {
  role: "assistant",
  content: [{ type: "tool_use", id: "1", name: "look", input: {} }],
};

describe("is refused with what to write instead:", () => {
  test.each(mistakes)("%s", async (_what, make, words) => {
    let error: unknown;
    try {
      await make();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    for (const word of words) expect((error as Error).message).toContain(word);
  });
});

test("toMessages() converts what parse() refuses", () => {
  const parser = millrace.toolCallsParser();
  for (const raw of [openAIMessage, anthropicMessage]) {
    const [message] = millrace.toMessages(raw as never);
    expect(parser.parse(message as never)).toEqual([{ name: "look", args: {} }]);
  }
});

test("an option without a value is no mistake, and a copy of a tool is a tool", () => {
  expect(() => call("jsonParser", undefined, { diff: undefined })).not.toThrow();
  const look = tool({ name: "look", schema, run });
  expect(() => createAgent({ model, tools: [look, { ...look, name: "see" }] })).not.toThrow();
});
