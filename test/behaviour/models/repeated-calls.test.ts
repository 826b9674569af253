import { collect, createAgent, from, type MessageChunk, pipe, tool, toolCallsOf } from "millrace";
import { decodeAnthropic } from "millrace/anthropic";
import { decodeGemini } from "millrace/gemini";
import { decodeOllama } from "millrace/ollama";
import { decodeOpenAIChat, decodeOpenAIResponses } from "millrace/openai";
import { chatModel } from "millrace/models";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/** The calls of an agent's first answer that ran, by what they add. */
async function sumsOf(answer: readonly MessageChunk[]): Promise<{ runs: number[]; ids: string[] }> {
  const runs: number[] = [];
  const answers = [answer, [{ content: [], finishReason: "stop" as const }]];
  const model = chatModel({
    ...{ provider: "mine", model: "m-1" },
    profile: {
      structuredOutput: false,
      toolCalling: true,
      reasoning: false,
      input: ["text"],
      output: ["text"],
    },
    stream: () => from(answers.shift() ?? []),
  });
  const add = tool({
    ...{ name: "add", description: "Adds", schema: z.object({ a: z.int() }) },
    run: ({ a }) => {
      runs.push(a);
      return "done";
    },
  });
  const { state } = await createAgent({ model, tools: [add] }).invoke("Hi");
  const [, message] = state.messages;
  return { runs, ids: message?.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : [] };
}

const once = { runs: [1], ids: ["c1"] };
const both = { runs: [1, 2], ids: ["c1", "c2"] };

interface ChatCall {
  readonly index?: number | string;
  readonly id?: string;
  readonly args: string;
  readonly name?: string;
}

const chat = (...payloads: readonly (readonly ChatCall[])[]): object[] => [
  ...payloads.map((calls) => ({
    choices: [
      {
        delta: {
          tool_calls: calls.map(({ args, name, ...call }) => ({
            ...call,
            function: { name, arguments: args },
          })),
        },
      },
    ],
  })),
  { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
];

const add = (id: string, args: string, index?: number | string): ChatCall => ({
  ...{ id, args, name: "add" },
  ...(index !== undefined && { index }),
});

describe("Chat Completions: a call is the same call", () => {
  test.each([
    ["sent once more", [[add("c1", '{"a":1}', 0)], [add("c1", '{"a":1}', 0)]], once],
    [
      "sent whole after its pieces",
      [[add("c1", '{"a"', 0)], [{ index: 0, args: ":1}" }], [add("c1", '{"a":1}', 0)]],
      once,
    ],
    ["sent once more under another index", [[add("c1", '{"a":1}', 0)], [add("c1", '{"a":1}', 1)]], once],
    ["sent once more without an index", [[add("c1", '{"a":1}')], [add("c1", '{"a":1}')]], once],
    [
      "that goes on under another index",
      [[add("c1", '{"a"', 0)], [{ index: 1, id: "c1", args: ":1}" }]],
      once,
    ],
    [
      "among others without an index",
      [[add("c1", '{"a"'), add("c2", '{"a"')], [{ id: "c1", args: ":1}" }], [{ id: "c2", args: ":2}" }]],
      both,
    ],
    [
      "among others with one index",
      [
        [add("c1", '{"a"', 0), add("c2", '{"a"', 0)],
        [{ index: 0, id: "c1", args: ":1}" }],
        [{ index: 0, id: "c2", args: ":2}" }],
      ],
      both,
    ],
    [
      "with an index that is a text",
      [
        [add("c1", '{"a"', "0"), add("c2", '{"a"', "1")],
        [
          { index: "0", args: ":1}" },
          { index: "1", args: ":2}" },
        ],
      ],
      both,
    ],
  ] as const)("%s", async (_, payloads, expected) => {
    const decoded = await collect(pipe(from(chat(...payloads)), decodeOpenAIChat()));
    expect(await sumsOf(decoded)).toEqual(expected);
  });

  test.each([
    ["under two indexes", [0, 1]],
    ["under one index", [0, 0]],
    ["without an index", [undefined, undefined]],
  ] as const)("but two calls with one id and other arguments are two, %s", async (_, [first, second]) => {
    const calls = [add("c1", '{"a":1}', first), add("c1", '{"a":2}', second)];
    for (const payloads of [calls.map((call) => [call]), [calls]]) {
      const { runs } = await sumsOf(await collect(pipe(from(chat(...payloads)), decodeOpenAIChat())));
      expect(runs).toEqual([1, 2]);
    }
  });

  test.each([
    ["in pieces", ['{"a"', ":1}"]],
    ["in pieces of objects", ['{"a":{', '"b":{', "}}}"]],
    ["after an empty object", ["{}", '{"a"', ":1}"]],
    ["whole after an empty object", ["{}", '{"a":1}']],
  ] as const)("that repeats its id and name in each delta, %s, is one", async (_, pieces) => {
    const calls = chat(...pieces.map((args) => [add("c1", args, 0)]));
    const { ids } = await sumsOf(await collect(pipe(from(calls), decodeOpenAIChat())));
    expect(ids.length).toBeLessThan(2);
  });
});

const item = (n: number, args = ""): object => ({
  ...{ type: "function_call", id: `f${n}`, call_id: `c${n}` },
  ...{ name: "add", arguments: args },
});

test("Responses: items that all have the index 0 are told apart by their ids", async () => {
  const events = [
    { type: "response.output_item.added", output_index: 0, item: item(1) },
    { type: "response.output_item.added", output_index: 0, item: item(2) },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "f1", delta: '{"a":1}' },
    { type: "response.function_call_arguments.delta", output_index: 0, item_id: "f2", delta: '{"a":2}' },
    { type: "response.output_item.done", output_index: 0, item: item(1, '{"a":1}') },
    { type: "response.output_item.done", output_index: 0, item: item(2, '{"a":2}') },
    {
      type: "response.completed",
      response: { status: "completed", output: [item(1, '{"a":1}'), item(2, '{"a":2}')] },
    },
  ];
  expect(await sumsOf(await collect(pipe(from(events), decodeOpenAIResponses())))).toEqual(both);
});

const block = (index: number, id: string, args: string): { readonly type: string }[] => [
  {
    type: "content_block_start",
    ...{ index, content_block: { type: "tool_use", id, name: "add", input: {} } },
  },
  { type: "content_block_delta", ...{ index, delta: { type: "input_json_delta", partial_json: args } } },
  { type: "content_block_stop", ...{ index } },
];
const claude = async (...blocks: { readonly type: string }[][]): Promise<MessageChunk[]> => {
  const events = [
    { type: "message_start", message: { id: "m", content: [] } },
    ...blocks.flat(),
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  return collect(pipe(from(events), decodeAnthropic()));
};
const google = async (...calls: (readonly [id: string, a: number])[]): Promise<MessageChunk[]> => {
  const parts = calls.map(([id, a]) => ({ functionCall: { id, name: "add", args: { a } } }));
  const payloads = parts.map((part) => ({ candidates: [{ content: { parts: [part] } }] }));
  const all = [...payloads, { candidates: [{ finishReason: "STOP" }] }];
  return collect(pipe(from(all), decodeGemini()));
};
const local = async (...calls: (readonly [id: string, a: number])[]): Promise<MessageChunk[]> => {
  const lines = calls.map(([id, a]) => ({
    message: { tool_calls: [{ id, function: { name: "add", arguments: { a } } }] },
  }));
  return collect(pipe(from([...lines, { done: true, done_reason: "stop" }]), decodeOllama()));
};
const claudeCalls = async (...calls: (readonly [id: string, a: number])[]): Promise<MessageChunk[]> =>
  claude(...calls.map(([id, a], index) => block(index, id, `{"a":${a}}`)));

describe.each([
  ["Anthropic", claudeCalls],
  ["Gemini", google],
  ["Ollama", local],
] as const)("%s: a call", (_, answer) => {
  test("that is sent once more is the same call", async () => {
    expect(await sumsOf(await answer(["c1", 1], ["c1", 1]))).toEqual(once);
    expect(await sumsOf(await answer(["c1", 1], ["c2", 2], ["c1", 1]))).toEqual(both);
  });

  test("with the id of another one and other arguments is a call of its own", async () => {
    expect((await sumsOf(await answer(["c1", 1], ["c1", 2]))).runs).toEqual([1, 2]);
  });
});
