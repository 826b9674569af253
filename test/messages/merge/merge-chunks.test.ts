import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  type ContentBlock,
  type MessageChunk,
  mergeChunks,
  textOf,
  toAssistantMessage,
  toolCallsOf,
} from "millrace";
import { everyWay, operatorLaws } from "millrace/testing";
import { call, merged, snapshots, text } from "../chunks.js";

const finish = { content: [], finishReason: "tool_calls", providerFinishReason: "tool_calls" } as const;

// G-stream-1
describe("mergeChunks keeps the law", () => {
  const inputs = [text("a"), call({ id: "1", name: "f", args: '{"a"' }), call({ args: ":1}" }), finish];
  for (const law of operatorLaws(mergeChunks, { inputs })) test.concurrent(law.name, () => law.check());
});

describe("a call of a provider's own tool", () => {
  const search = (delta: object): MessageChunk => ({
    content: [{ type: "server_tool_call_chunk", ...delta }],
  });

  test("becomes a server_tool_call when complete, and is not run here", async () => {
    const result: ContentBlock = {
      type: "server_tool_result",
      toolCallId: "s1",
      status: "success",
      output: [1],
    };
    const messages = await snapshots([
      search({ id: "s1", name: "web_search", args: '{"query":' }),
      search({ args: '"tea"}', metadata: { caller: "direct" } }),
      { content: [result] },
    ]);
    expect(messages.map(({ content }) => content)).toEqual([
      [{ type: "server_tool_call_chunk", id: "s1", name: "web_search", args: '{"query":', snapshot: {} }],
      [
        {
          type: "server_tool_call_chunk",
          id: "s1",
          name: "web_search",
          args: '{"query":"tea"}',
          snapshot: { query: "tea" },
          metadata: { caller: "direct" },
        },
      ],
      [
        {
          type: "server_tool_call",
          id: "s1",
          name: "web_search",
          args: { query: "tea" },
          metadata: { caller: "direct" },
        },
        result,
      ],
    ]);
    expect(messages.flatMap(toolCallsOf)).toEqual([]);
  });

  test("stays unchanged if invalid or cut, because it is not run here", async () => {
    const broken = await merged([search({ id: "s1", name: "web_search", args: '{"query":' }), finish]);
    expect(broken.content).toEqual([
      { type: "server_tool_call_chunk", id: "s1", name: "web_search", args: '{"query":', snapshot: {} },
    ]);
  });
});

describe("mergeChunks yields", () => {
  test("a snapshot for each chunk, immutable and growing", async () => {
    const messages = await snapshots([text("Hel"), text("lo"), { content: [], finishReason: "stop" }]);
    expect(messages).toEqual([
      { role: "assistant", content: [{ type: "text", text: "Hel" }] },
      { role: "assistant", content: [{ type: "text", text: "Hello" }] },
      { role: "assistant", content: [{ type: "text", text: "Hello" }], finishReason: "stop" },
    ]);
  });

  test("nothing for an empty stream", async () => {
    expect(await snapshots([])).toEqual([]);
  });

  test("blocks that are the same objects as long as they do not change", async () => {
    const chunks = [
      text("a"),
      call({ id: "1", name: "f", args: '{"list":[[1],' }),
      call({ args: "2" }),
      finish,
    ];
    const [first, second, third] = (await snapshots(chunks)).map(({ content }) => content);
    expect(second?.[0]).toBe(first?.[0]);
    expect(third?.[0]).toBe(first?.[0]);
    const list = (block: ContentBlock | undefined): unknown =>
      block?.type === "tool_call_chunk" && (block.snapshot as { list: unknown[] }).list[0];
    expect(list(third?.[1])).toEqual([1]);
    expect(list(third?.[1])).toBe(list(second?.[1]));
  });

  test("plain data that survives JSON", async () => {
    const chunks = [
      text("a"),
      call({ id: "1", name: "f", args: '{"a":' }),
      { content: [], usage: { inputTokens: 1 } },
    ];
    for (const message of await snapshots(chunks)) {
      expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message);
      expect(structuredClone(message)).toStrictEqual(message);
    }
  });

  test("the last of id, model, finish reason, usage and metadata, also when usage comes after the finish reason", async () => {
    const message = await merged([
      { content: [], id: "m1", model: "small", metadata: { a: 1, b: 1 } },
      { content: [], finishReason: "stop", providerFinishReason: "stop" },
      { content: [], finishReason: "stop", providerFinishReason: "eos" },
      { content: [], id: "m2", model: "small-2", usage: { totalTokens: 5 }, metadata: { b: 2 } },
    ]);
    expect(message).toEqual({
      role: "assistant",
      content: [],
      id: "m1",
      model: "small-2",
      finishReason: "stop",
      providerFinishReason: "eos",
      usage: { totalTokens: 5 },
      metadata: { a: 1, b: 2 },
    });
  });

  test("reasoning, text and whole blocks in the order in which they began", async () => {
    const message = await merged([
      { content: [{ type: "reasoning", reasoning: "hm" }] },
      text("a"),
      { content: [{ type: "non_standard", value: { citation: 1 } }] },
      { content: [{ type: "reasoning", reasoning: "m" }] },
      text("b"),
    ]);
    expect(message.content).toEqual([
      { type: "reasoning", reasoning: "hmm" },
      { type: "text", text: "ab" },
      { type: "non_standard", value: { citation: 1 } },
    ]);
  });
});

describe("a tool call", () => {
  // G-models-4
  test("shows growing arguments, and can be run only when they are complete", async () => {
    const messages = await snapshots([
      call({ id: "1", name: "get_", args: "" }),
      call({ name: "weather", args: '{"city":"Os' }),
      call({ args: 'lo"}' }),
      finish,
    ]);
    expect(messages.map(({ content }) => content[0])).toEqual([
      { type: "tool_call_chunk", id: "1", name: "get_", args: "" },
      {
        type: "tool_call_chunk",
        id: "1",
        name: "get_weather",
        args: '{"city":"Os',
        snapshot: { city: "Os" },
      },
      {
        type: "tool_call_chunk",
        id: "1",
        name: "get_weather",
        args: '{"city":"Oslo"}',
        snapshot: { city: "Oslo" },
      },
      { type: "tool_call", id: "1", name: "get_weather", args: { city: "Oslo" } },
    ]);
    expect(messages.map((message) => toolCallsOf(message).length)).toEqual([0, 0, 0, 1]);
    expect(toolCallsOf(messages.at(-1)!)).toEqual([{ id: "1", name: "get_weather", args: { city: "Oslo" } }]);
  });

  test("has the same arguments with any chunking", async () => {
    const args = '{"a":[1,{"b":"c\\u00e9😀"}],"__proto__":{"x":null}}';
    for (const pieces of everyWay(args)) {
      const message = await merged([
        call({ id: "1", name: "f" }),
        ...pieces.map((piece) => call({ args: piece })),
      ]);
      expect(message.content).toEqual([
        { type: "tool_call", id: "1", name: "f", args: JSON.parse(args) as object },
      ]);
    }
  });

  test("can be run as soon as the model starts the next one", async () => {
    const messages = await snapshots([
      call({ index: 0, id: "1", name: "f", args: "{}" }),
      call({ index: 1, id: "2", name: "g", args: '{"a":' }),
    ]);
    expect(messages.map((message) => toolCallsOf(message).map(({ name }) => name))).toEqual([
      [],
      ["f"],
      ["f"],
    ]);
  });

  // G-models-4
  test("is not run on a part of its arguments that parses while the model writes several calls at once", async () => {
    const messages = await snapshots([
      call({ index: 0, id: "1", name: "f", args: '{"a":1' }),
      call({ index: 1, id: "2", name: "g", args: "{}" }),
      call({ index: 0, args: "2}" }),
      finish,
    ]);
    expect(messages.flatMap(toolCallsOf).filter(({ name }) => name === "f")).toEqual([
      { id: "1", name: "f", args: { a: 12 } },
    ]);
  });

  test.each(["", "  \n"])("with the arguments %j has none", async (args) => {
    expect((await merged([call({ id: "1", name: "now", args }), finish])).content).toEqual([
      { type: "tool_call", id: "1", name: "now", args: {} },
    ]);
  });

  test("without arguments can be run once the message has a finish reason", async () => {
    const messages = await snapshots([call({ id: "1", name: "now" }), finish]);
    expect(messages.map((message) => toolCallsOf(message).length)).toEqual([0, 1]);
  });

  test("stays two calls when two share an index but not an id", async () => {
    const message = await merged([
      call({ index: 0, id: "1", name: "f", args: "{}" }),
      call({ index: 0, id: "2", name: "g", args: '{"a"' }),
      call({ index: 0, args: ":1}" }),
      finish,
    ]);
    expect(toolCallsOf(message)).toEqual([
      { id: "1", name: "f", args: {} },
      { id: "2", name: "g", args: { a: 1 } },
    ]);
  });

  test("after a text at index 0 is not lost, nor is an index that starts at 1", async () => {
    const message = await merged([
      text("a", 0),
      call({ index: 0, id: "1", name: "f" }),
      call({ index: 1, name: "g" }),
      finish,
    ]);
    expect(message.content.map(({ type }) => type)).toEqual(["text", "tool_call", "tool_call"]);
  });

  test("takes an id that arrives late, or one derived from the message id if none arrives", async () => {
    const message = await merged([
      { content: [], id: "m" },
      call({ index: 1, name: "f" }),
      call({ index: 1, id: "1" }),
      call({ index: 2, name: "g" }),
      finish,
    ]);
    expect(toolCallsOf(message).map(({ id }) => id)).toEqual(["1", "m_1"]);
  });

  test("gets a unique id where the model repeats one or sends an empty one", async () => {
    const whole = (id: string): MessageChunk => ({
      content: [{ type: "tool_call", id, name: "h", args: {} }],
    });
    const messages = await snapshots([
      { content: [], id: "m" },
      call({ index: 0, id: "1", name: "f", args: '{"a"' }),
      call({ index: 1, id: "1", name: "g", args: "{" }),
      call({ index: 1, id: "1", args: "}" }),
      call({ index: 0, id: "1", args: ": 1}" }),
      call({ index: 2, id: "", name: "g", args: "{}" }),
      whole("1"),
      whole(""),
      finish,
    ]);
    const ids = ["1", "1_1", "m_2", "1_3", "m_4"];
    const calls = toolCallsOf(messages.at(-1) as AssistantMessage);
    expect(calls.map(({ id }) => id)).toEqual(ids);
    expect(calls[0]?.args).toEqual({ a: 1 });
    for (const { content } of messages) {
      const shown = content.flatMap((block) => ("id" in block ? [block.id] : []));
      expect(shown).toEqual(ids.slice(0, shown.length));
    }
  });

  test("may be followed by white space once it is complete", async () => {
    const message = await merged([
      call({ index: 0, id: "1", name: "f", args: "{}" }),
      text("next"),
      call({ index: 0, args: " \n" }),
      finish,
    ]);
    expect(toolCallsOf(message)).toEqual([{ id: "1", name: "f", args: {} }]);
  });
});

describe("an invalid tool call keeps its text and the reason:", () => {
  const cases = [
    { args: '{"a": tru3}', error: /not valid JSON.*line 1/, broken: "arguments that are not JSON" },
    { args: '{"a": 1', error: /not valid JSON.*ended/, broken: "arguments that are cut" },
    { args: '{"a": 1}{"a": 2}', error: /not valid JSON/, broken: "two objects" },
    { args: "[1]", error: /array/, broken: "an array" },
    { args: "null", error: /null/, broken: "null" },
    { args: '"a"', error: /string/, broken: "a string" },
  ];
  test.each(cases)("$broken", async ({ args, error }) => {
    for (const pieces of everyWay(args)) {
      const message = await merged([
        call({ id: "1", name: "f" }),
        ...pieces.map((piece) => call({ args: piece })),
      ]);
      expect(message.content).toEqual([
        {
          type: "invalid_tool_call",
          id: "1",
          name: "f",
          args,
          error: expect.stringMatching(error) as string,
        },
      ]);
      expect(toolCallsOf(message)).toEqual([]);
    }
  });

  test("no name", async () => {
    expect((await merged([call({ id: "1", args: "{}" }), finish])).content).toEqual([
      { type: "invalid_tool_call", id: "1", args: "{}", error: expect.any(String) as string },
    ]);
  });

  test("the token limit is named as the reason", async () => {
    const message = await merged([
      call({ id: "1", name: "f", args: '{"a' }),
      { content: [], finishReason: "length" },
    ]);
    expect(message.content[0]).toMatchObject({ error: expect.stringMatching(/token limit/) as string });
  });

  test("one more snapshot follows at the end, and only if the call changed", async () => {
    const messages = await snapshots([call({ id: "1", name: "f", args: "{" }), finish]);
    expect(messages.map(({ content }) => content[0]?.type)).toEqual([
      "tool_call_chunk",
      "tool_call_chunk",
      "invalid_tool_call",
    ]);
  });

  test("a call with an error, although its arguments are valid JSON", async () => {
    const refused = call({ index: 0, args: " ", error: "It was torn." });
    for (const before of [[], [text("next")]]) {
      const begin = call({ index: 0, id: "1", name: "f", args: "{}" });
      const seen = await snapshots([begin, ...before, refused, text("next"), finish]);
      expect(seen.at(-1)?.content[0]).toMatchObject({ type: "invalid_tool_call", error: "It was torn." });
      expect(seen.slice(-3).flatMap(toolCallsOf)).toEqual([]);
    }
  });

  test("a call that was complete before more text arrived", async () => {
    const message = await merged([
      call({ index: 0, id: "1", name: "f", args: "{}" }),
      text("next"),
      call({ index: 0, args: '{"a":1}' }),
      finish,
    ]);
    expect(message.content[0]).toMatchObject({ type: "invalid_tool_call", args: '{}{"a":1}' });
  });
});

describe("long streams", () => {
  // G-models-2
  test("100,000 one-character deltas of text", async () => {
    const message = await merged(Array.from({ length: 100_000 }, () => text("x")));
    expect(textOf(message)).toBe("x".repeat(100_000));
  });

  // G-models-2
  test("100,000 one-character deltas of arguments", async () => {
    const args = JSON.stringify({ text: "x".repeat(99_988) });
    const message = await merged([
      call({ id: "1", name: "f" }),
      ...Array.from(args, (args) => call({ args })),
    ]);
    expect(toolCallsOf(message)[0]?.args).toEqual(JSON.parse(args));
  });

  // A quadratic merge needs minutes for each of these.
  test("20,000 members of arguments, each with a snapshot", async () => {
    const pieces = Array.from({ length: 20_000 }, (_, n) =>
      call({ args: `${n === 0 ? "{" : ","}"k${n}":1` }),
    );
    const messages = await snapshots([call({ id: "1", name: "f" }), ...pieces, call({ args: "}" })]);
    expect(Object.keys(toolCallsOf(messages.at(-1) as AssistantMessage)[0]?.args ?? {})).toHaveLength(20_000);
  });

  test("10,000 pieces of audio, each with padding", () => {
    const piece = Buffer.alloc(4_000, "a");
    const block = { type: "audio", data: piece.toString("base64"), transcript: "word " } as const;
    const [audio] = toAssistantMessage(
      ...Array.from({ length: 10_000 }, () => ({ content: [block] })),
    ).content;
    expect(audio).toMatchObject({ type: "audio", transcript: "word ".repeat(10_000) });
    expect(Buffer.from((audio as { data: string }).data, "base64").equals(Buffer.alloc(4e7, "a"))).toBe(true);
  });

  test("60,000 annotations of one text", () => {
    const cited = { type: "text", text: "x", annotations: [{ type: "citation", url: "u" }] } as const;
    const [block] = toAssistantMessage(
      ...Array.from({ length: 60_000 }, () => ({ content: [cited] })),
    ).content;
    expect(block).toMatchObject({ type: "text", text: "x".repeat(60_000) });
    expect(block).toHaveProperty("annotations.length", 60_000);
  });

  test("60,000 pieces of arguments, each with a finish reason", () => {
    const pieces = Array.from({ length: 60_000 }, () => ({
      ...finish,
      content: call({ name: "f", args: "[1]" }).content,
    }));
    expect(toAssistantMessage(...pieces).content).toMatchObject([{ type: "invalid_tool_call" }]);
  });

  test("10,000 calls, each with a finish reason; more are refused", () => {
    const calls = Array.from({ length: 10_001 }, (_, index) => ({
      ...finish,
      content: call({ index, id: `${index}`, name: "f", args: "{}" }).content,
    }));
    expect(toolCallsOf(toAssistantMessage(...calls.slice(1)))).toHaveLength(10_000);
    expect(() => toAssistantMessage(...calls)).toThrow(
      expect.objectContaining({ name: "MessageError", code: "too_many_blocks" }),
    );
  });
});

test("toAssistantMessage returns the finished message of any number of chunks", () => {
  expect(toAssistantMessage()).toEqual({ role: "assistant", content: [] });
  expect(toAssistantMessage(text("a"), call({ id: "1", name: "f" }), finish)).toEqual({
    role: "assistant",
    content: [
      { type: "text", text: "a" },
      { type: "tool_call", id: "1", name: "f", args: {} },
    ],
    finishReason: "tool_calls",
    providerFinishReason: "tool_calls",
  });
});
