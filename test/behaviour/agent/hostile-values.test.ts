import { isNativeError, isProxy } from "node:util/types";
import * as api from "@opentelemetry/api";
import {
  type AgentInput,
  assistant,
  collect,
  type ContentBlock,
  createAgent,
  type JsonObject,
  jsonParser,
  type Message,
  type MessageChunk,
  textOf,
  tool,
  user,
} from "millrace";
import { toolStrategy, logging, modelRetry, telemetry, toolRetry, trimMessages } from "millrace/agent";
import { agUiHandler, toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { noTime } from "../../agent/support/no-time.js";
import { hostileErrors } from "../../text/support/hostile-errors.js";

const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`) as JsonObject;
const cycle: Record<string, unknown> = { name: "it" };
cycle["self"] = cycle;

/** A conversation with blocks as a careless program may build them. */
const history = [
  user("Hi"),
  assistant([
    { type: "text", text: "Yes." },
    { type: "non_standard", value: deep },
    { type: "tool_call", id: "1", name: "f", args: deep },
  ] as ContentBlock[]),
  { role: "tool" as const, toolCallId: "1", content: [{ type: "text" as const, text: "done" }] },
];

describe("deep and cyclic values end no run,", () => {
  test.each([
    ["of logging()", logging({ captureContent: true, log: () => {} })],
    ["of telemetry()", telemetry({ api, captureContent: true })],
    ["of trimMessages()", trimMessages({ maxTokens: 1_000 })],
  ])("%s: in the messages", async (_name, middleware) => {
    const agent = createAgent({ model: scriptedModel(["Done."]), middleware: [middleware] });
    const { messages } = await agent.invoke([...history, user("Go on.")]);
    expect(messages.map(textOf).at(-1)).toBe("Done.");
  });

  test("of logging(): in progress and in a structured response", async () => {
    const lines: string[] = [];
    const model = scriptedModel(({ index }) => [
      index === 0
        ? { content: [{ type: "tool_call", id: "1", name: "f", args: {} }] }
        : { content: [{ type: "tool_call", id: "2", name: "output", args: { n: 1 } }] },
    ]);
    const agent = createAgent({
      model,
      tools: [
        tool({
          name: "f",
          schema: z.object({}),
          run: (_args, { emit }) => {
            emit(cycle);
            emit(1n);
            return "done";
          },
        }),
      ],
      responseFormat: toolStrategy(z.object({ n: z.number().transform(BigInt) })),
      middleware: [logging({ captureContent: true, level: "debug", log: (line) => lines.push(line) })],
    });
    expect((await agent.invoke("Hi")).structuredResponse).toEqual({ n: 1n });
    expect(lines.join("\n")).toContain('{"name":"it"');
  });
});

describe("events that cannot be written as JSON", () => {
  const agent = () =>
    createAgent({
      model: scriptedModel(({ index }) =>
        index === 0 ? [{ content: [{ type: "tool_call", id: "1", name: "f", args: {} }] }] : ["Done."],
      ),
      tools: [
        tool({
          name: "f",
          schema: z.object({}),
          run: (_args, { emit }) => {
            emit(cycle);
            return "done";
          },
        }),
      ],
    });

  test("end the stream for useChat with an error, not the process", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): undefined => {
      errors.push(error);
    };
    const text = await toUiMessageStream(agent().stream("Hi"), { onError }).text();
    expect(text).toContain('"type":"error"');
    expect(errors).toMatchObject([{ name: "TypeError" }]);
  });

  test("end the stream of AG-UI with an error, not the process", async () => {
    const body = JSON.stringify({
      threadId: "1",
      runId: "2",
      messages: [{ id: "3", role: "user", content: "Hi" }],
    });
    const headers = { "content-type": "application/json" };
    const request = new Request("http://localhost/agent", { method: "POST", headers, body });
    expect(await (await agUiHandler(agent())(request)).text()).toContain("RUN_ERROR");
  });
});

describe.each(Object.entries(hostileErrors))("%s", (_name, create) => {
  const call = { content: [{ type: "tool_call" as const, id: "1", name: "f", args: {} }] };
  const middleware = () => [
    logging({ captureContent: true, level: "debug", log: () => {} }),
    telemetry({ api, captureContent: true }),
    toolRetry({ maxRetries: 1, clock: noTime }),
    modelRetry({ maxRetries: 1, clock: noTime }),
  ];

  // G-agent-14
  test.each([
    [
      "thrown",
      () => {
        throw create();
      },
    ],
    ["a rejection", () => Promise.reject(create() as Error)],
    [
      "thrown after progress",
      async function* () {
        yield 1;
        throw create();
      },
    ],
  ])("%s by a tool is a message to the model", async (_how, run) => {
    const model = scriptedModel(({ index }) => [index === 0 ? call : "Done."]);
    const f = tool({ name: "f", schema: z.object({}), run: run as () => Promise<unknown> });
    const { messages } = await createAgent({ model, tools: [f], middleware: middleware() }).invoke("Hi");
    expect(messages.at(-2)).toMatchObject({ role: "tool", status: "error" });
    expect(textOf(messages.at(-1) as Message)).toBe("Done.");
  });

  // G-agent-14
  test("thrown by a model is the error of the run, as the same value", async () => {
    const model = {
      ...scriptedModel([]),
      async *stream(): AsyncGenerator<MessageChunk> {
        throw create();
      },
    };
    const run = createAgent({ model, middleware: middleware() }).invoke("Hi");
    const outcome = await run.then(
      () => ({ thrown: "nothing" }),
      (error: unknown) => ({ thrown: error }),
    );
    expect(kindOf(outcome.thrown)).toBe(kindOf(create()));
  });
});

/** Enough to recognise a value that cannot be compared. */
function kindOf(thrown: unknown): string {
  return `${typeof thrown} ${isProxy(thrown)} ${isNativeError(thrown)}`;
}

// G-agent-14
test.each<unknown>([
  null,
  undefined,
  1,
  {},
  [],
  { content: null },
  { content: [null] },
  { content: [{ type: "text", text: null }] },
  { content: [{ type: "tool_call_chunk", args: 1 }] },
  { content: [], finishReason: null },
  { content: [], refusal: null },
  { content: [{ type: "audio", data: "AA==", transcript: null }] },
])("a model that yields %j ends its run with a typed error", async (chunk) => {
  const model = {
    ...scriptedModel([]),
    async *stream(): AsyncGenerator<MessageChunk> {
      yield chunk as MessageChunk;
    },
  };
  for (const responseFormat of [undefined, z.object({ n: z.number() })]) {
    const agent = createAgent(responseFormat === undefined ? { model } : { model, responseFormat });
    await expect(agent.invoke("Hi")).rejects.toMatchObject({ name: "MessageError", code: "invalid_chunk" });
  }
  const parsed = collect(jsonParser().stream(model.stream()));
  await expect(parsed).rejects.toMatchObject({ name: "MessageError", code: "invalid_chunk" });
});

test("a block of an unknown type is kept, whatever its name", async () => {
  const block = { type: "constructor" };
  const content = [block, { type: "text", text: "Hi" }] as unknown as MessageChunk["content"];
  const { messages } = await createAgent({ model: scriptedModel([{ content }]) }).invoke("Hi");
  expect(messages.at(-1)?.content).toContainEqual(block);
});

const state = { messages: [], step: 0, retries: 0, status: "running" };

// G-agent-14
test.each<readonly [unknown, string]>([
  [null, "invalid_input"],
  [{ resume: null }, "invalid_options"],
  [{ resume: undefined }, "invalid_options"],
  [{ resume: "x" }, "invalid_options"],
  [{ resume: {} }, "invalid_options"],
  [{ resume: { ...state, messages: null } }, "invalid_options"],
  [{ resume: { ...state, messages: [null] } }, "invalid_input"],
  [{ resume: { ...state, step: -1 } }, "invalid_options"],
  [{ resume: { ...state, retries: "0" } }, "invalid_options"],
  [{ resume: { ...state, status: "done" } }, "invalid_options"],
])("the input %j is refused with a typed error", async (input, code) => {
  const agent = createAgent({ model: scriptedModel(["Done."]) });
  await expect(agent.invoke(input as AgentInput)).rejects.toMatchObject({ code });
});
