import {
  type Chunk,
  collect,
  from,
  last,
  type MessageChunk,
  type Operator,
  OutputParserError,
  pipe,
  toAssistantMessage,
  toolCallsParser,
} from "millrace";
import { everyWay, operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const weather = {
  name: "weather",
  schema: z.object({ city: z.string(), days: z.int().default(1) }),
} as const;
const save = {
  name: "save",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
} as const;
const tools = [weather, save] as const;

interface Written {
  readonly id?: string;
  readonly name?: string;
  readonly args: readonly string[];
}

/** The chunks of a model that writes these calls in sequence, and stops. */
function written(
  calls: readonly Written[],
  finishReason: MessageChunk["finishReason"] = "tool_calls",
): MessageChunk[] {
  const deltas = calls.flatMap(({ args, ...head }, index) => [
    delta({ index, ...head }),
    ...args.map((piece) => delta({ index, args: piece })),
  ]);
  return [...deltas, { content: [], finishReason }];
}

function delta(fields: object): MessageChunk {
  return { content: [{ type: "tool_call_chunk", ...fields }] };
}

async function errorOf(stream: AsyncIterable<unknown>): Promise<OutputParserError> {
  try {
    await collect(stream);
  } catch (error) {
    if (error instanceof OutputParserError) return error;
    throw error;
  }
  throw new Error("The stream ended without an error.");
}

const oslo: Written = { id: "1", name: "weather", args: ['{"city": "Os', 'lo"}'] };
const note: Written = { id: "2", name: "save", args: ['{"text"', ': "warm"}'] };

// G-stream-1
describe("the views of tool calls obey the laws of an operator", () => {
  const inputs = written([oslo, note]);
  const parser = toolCallsParser({ tools });
  const views: Readonly<Record<string, Operator<MessageChunk, unknown>>> = {
    stream: parser.stream,
    calls: parser.calls,
    final: parser.final,
  };
  for (const [name, view] of Object.entries(views)) {
    for (const law of operatorLaws(() => view, { inputs }))
      test.concurrent(`${name}: ${law.name}`, () => law.check());
  }
});

describe("toolCallsParser", () => {
  test("shows all calls with their arguments as they grow", async () => {
    const chunks = ["I will look. ", ...written([oslo, note])];
    expect(await collect(pipe(from(chunks), toolCallsParser({ tools }).stream))).toEqual([
      [{ name: "weather", args: { city: "Os" }, complete: false }],
      [{ name: "weather", args: { city: "Oslo" }, complete: false }],
      [{ name: "weather", args: { city: "Oslo" }, complete: true }],
      [
        { name: "weather", args: { city: "Oslo" }, complete: true },
        { name: "save", args: {}, complete: false },
      ],
      [
        { name: "weather", args: { city: "Oslo" }, complete: true },
        { name: "save", args: { text: "warm" }, complete: false },
      ],
      [
        { name: "weather", args: { city: "Oslo" }, complete: true },
        { name: "save", args: { text: "warm" }, complete: true },
      ],
    ]);
  });

  test("a call that has not changed is the same object, and so are its arguments", async () => {
    const snapshots = await collect(pipe(from(written([oslo, note])), toolCallsParser().stream));
    const [call, again] = snapshots.slice(-2).map(([first]) => first);
    expect(again).toBe(call);
  });

  test("yields each checked call when it has ended, with defaults", async () => {
    const seen: unknown[] = [];
    const chunks = written([oslo, note]);
    const source = (async function* () {
      for (const chunk of chunks) {
        seen.push("chunk");
        yield chunk;
      }
    })();
    for await (const call of pipe(source, toolCallsParser({ tools, returnId: true }).calls)) seen.push(call);
    const first = { id: "1", name: "weather", args: { city: "Oslo", days: 1 } };
    // A call ends when the model begins the next one, the last call when the model stops.
    expect(seen.indexOf("chunk")).toBe(0);
    expect(seen.slice(4)).toEqual([
      first,
      "chunk",
      "chunk",
      "chunk",
      { id: "2", name: "save", args: { text: "warm" } },
    ]);
  });

  test.each([
    ["white space", { id: "1" }, { args: " \n" }],
    ["a signature", { id: "1" }, { metadata: { signature: "s" } }],
    ["its id", {}, { id: "1" }],
  ])("yields a call once if %s follows it", async (_, head, rest) => {
    const chunks = [
      delta({ index: 0, ...head, name: "weather", args: '{"city": "Oslo"}' }),
      { content: [{ type: "text", text: "Wait.", index: 1 }] },
      delta({ index: 0, ...rest }),
    ] as MessageChunk[];
    const calls = await collect(pipe(from(chunks), toolCallsParser({ tools }).calls));
    expect(calls).toEqual([{ name: "weather", args: { city: "Oslo", days: 1 } }]);
  });

  test("yields the checked calls at the end, with transforms and defaults", async () => {
    const parser = toolCallsParser({ tools });
    const expected = [
      { name: "weather", args: { city: "Oslo", days: 1 } },
      { name: "save", args: { text: "warm" } },
    ];
    expect(await collect(pipe(from(written([oslo, note])), parser.final))).toEqual([expected]);
    expect(parser.parse(toAssistantMessage(...written([oslo, note])))).toEqual(expected);
  });

  test("yields the same for every split of the arguments", async () => {
    const text = '{"city": "R\\u00f8r\\"os\\" \ud83c\udf27", "days": 12}';
    const parser = toolCallsParser({ tools: [weather] });
    const expected = [{ name: "weather", args: { city: 'R\u00f8r"os" \ud83c\udf27', days: 12 } }];
    for (const args of everyWay(text)) {
      const chunks = written([{ id: "1", name: "weather", args }]);
      const shown = await collect(pipe(from(chunks), parser.stream));
      expect(shown.at(-1)).toEqual([{ ...expected[0], complete: true }]);
      for (const [call] of shown) {
        expect(expected[0]?.args.city.startsWith(call?.args.city ?? "")).toBe(true);
        if (call?.args.days !== undefined) expect(call.args.days).toBe(12);
      }
      expect(await last(pipe(from(chunks), parser.final))).toEqual(expected);
    }
  });

  test("reads the calls of one tool, or the first, alone", async () => {
    const chunks = written([note, oslo, { ...oslo, id: "3" }, { id: "4", name: "unheard", args: ["[]"] }]);
    const read = (options: object): Promise<unknown> =>
      last(pipe(from(chunks), toolCallsParser(options).final));
    expect(await read({ tools, name: "weather", returnId: true })).toEqual([
      { id: "1", name: "weather", args: { city: "Oslo", days: 1 } },
      { id: "3", name: "weather", args: { city: "Oslo", days: 1 } },
    ]);
    expect(await read({ tools, firstOnly: true })).toEqual({ name: "save", args: { text: "warm" } });
    expect(await read({ tools, name: "weather", firstOnly: true })).toEqual({
      name: "weather",
      args: { city: "Oslo", days: 1 },
    });
  });

  test("yields nothing for an output without calls", async () => {
    const chunks = ["None", { content: [], finishReason: "stop" } as MessageChunk];
    expect(await collect(pipe(from(chunks), toolCallsParser().stream))).toEqual([]);
    expect(await collect(pipe(from(chunks), toolCallsParser().final))).toEqual([[]]);
    expect(await collect(pipe(from(chunks), toolCallsParser({ firstOnly: true }).final))).toEqual([
      undefined,
    ]);
    expect(toolCallsParser().parse("None")).toEqual([]);
  });

  test("reads missing arguments as an empty object", async () => {
    const chunks = written([{ id: "1", name: "now", args: [""] }]);
    expect(await last(pipe(from(chunks), toolCallsParser().final))).toEqual([{ name: "now", args: {} }]);
  });

  test("does not show a name that may still grow", async () => {
    const chunks = [
      delta({ id: "1", name: "wea" }),
      delta({ name: "ther" }),
      delta({ args: "{" }),
      delta({ args: '"city": "Oslo"}' }),
      { content: [], finishReason: "tool_calls" } as MessageChunk,
    ];
    const names = (await collect(pipe(from(chunks), toolCallsParser({ tools }).stream))).map(
      ([call]) => call?.name,
    );
    expect(names).toEqual(["weather", "weather", "weather"]);
  });

  test("rejects the name of an unknown tool when it is created", () => {
    expect(() => toolCallsParser({ tools, name: "wether" })).toThrow(TypeError);
    expect(() => toolCallsParser({ tools, name: "wether" })).toThrow('"wether"');
  });

  test("waits for a schema that checks asynchronously", async () => {
    const slow = {
      name: "slow",
      schema: z.object({ n: z.number() }).refine(async ({ n }) => Promise.resolve(n > 0), "must be positive"),
    };
    const parser = toolCallsParser({ tools: [slow] });
    const call = (n: number): MessageChunk[] => written([{ id: "1", name: "slow", args: [`{"n":${n}}`] }]);
    const views: readonly Operator<Chunk, unknown>[] = [parser.final, parser.calls];
    for (const view of views) {
      expect(await collect(pipe(from(call(1)), view))).toHaveLength(1);
      expect((await errorOf(pipe(from(call(-1)), view))).message).toContain("must be positive");
    }
    expect(() => parser.parse(toAssistantMessage(...call(1)))).toThrow(
      expect.objectContaining({ code: "async_schema", value: [expect.anything()] }) as Error,
    );
  });
});

describe("errors of calls come at the end, after all values:", () => {
  const wrong = [
    {
      name: "an unknown tool",
      call: { id: "1", name: "wether", args: ["{}"] },
      code: "unknown_tool",
      message: /"wether".*"weather", "save"/,
    },
    {
      name: "arguments that are not an object",
      call: { id: "1", name: "save", args: ["[1]"] },
      code: "invalid",
      message: /"save".*array/,
    },
    {
      name: "arguments that are not JSON",
      call: { id: "1", name: "save", args: ['{"text": warm}'] },
      code: "invalid",
      message: /"save".*line 1, column 10/,
    },
    {
      name: "incomplete arguments without a known reason",
      call: { id: "1", name: "save", args: ['{"text": "wa'] },
      code: "invalid",
      message: /"save".*ended inside/,
    },
    {
      name: "arguments that do not satisfy the schema",
      call: { id: "1", name: "weather", args: ['{"city": 5}'] },
      code: "schema",
      message: /"weather".* \/city: /,
    },
    {
      name: "a call without a name",
      call: { id: "1", args: ["{}"] },
      code: "invalid",
      message: /tool/,
    },
  ] as const;

  for (const { name, call, code, message } of wrong) {
    test(name, async () => {
      const parser = toolCallsParser({ tools });
      const views: readonly Operator<Chunk, unknown>[] = [parser.stream, parser.calls, parser.final];
      for (const view of views) {
        const error = await errorOf(pipe(from(written([call])), view));
        expect(error).toMatchObject({ code, finishReason: "tool_calls" });
        expect(error.message).toMatch(message);
      }
      expect(() => parser.parse(toAssistantMessage(...written([call])))).toThrow(
        expect.objectContaining({ code }) as Error,
      );
    });
  }

  test("the error at the token limit names it, and what to do", async () => {
    const cut = written([{ id: "1", name: "save", args: ['{"text": "wa'] }], "length");
    const error = await errorOf(pipe(from(cut), toolCallsParser({ tools }).final));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length" });
    expect(error.message).toMatch(/"save".*token limit.*maxTokens/);
  });

  test("a call at the token limit whose arguments have not begun is truncated", async () => {
    const cut = written([{ id: "1", name: "save", args: [] }], "length");
    const options = { tools: [{ name: "save", schema: z.object({}) }] };
    const error = await errorOf(pipe(from(cut), toolCallsParser(options).final));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length" });
  });

  test("several errors are collected in order, beside the valid calls", async () => {
    const chunks = written([
      oslo,
      { id: "2", name: "wether", args: ["{}"] },
      { id: "3", name: "weather", args: ['{"city": 5}'] },
    ]);
    const parser = toolCallsParser({ tools });
    const error = await errorOf(pipe(from(chunks), parser.final));
    expect(error.code).toBe("several");
    expect(error.errors.map(({ code }) => code)).toEqual(["unknown_tool", "schema"]);
    expect(error.errors[1]?.issues).toMatchObject([{ pointer: "/city" }]);
    expect(error.message).toMatch(/^2 calls.*"wether".*"weather"/);
    expect(error.value).toMatchObject([
      { name: "weather", args: { city: "Oslo" } },
      { name: "wether" },
      { name: "weather", args: { city: 5 } },
    ]);
    // The valid call was yielded before.
    const calls: unknown[] = [];
    await expect(
      (async () => {
        for await (const call of pipe(from(chunks), parser.calls)) calls.push(call);
      })(),
    ).rejects.toMatchObject({ code: "several" });
    expect(calls).toEqual([{ name: "weather", args: { city: "Oslo", days: 1 } }]);
  });
});

describe("as in LangChain,", () => {
  const calls = [
    { id: "1", name: "weather", args: ['{"city": "Oslo"}'] },
    { id: "2", name: "save", args: ['{"text": "warm"}'] },
  ];

  test("keyName yields the arguments of the calls of one tool, in all views", async () => {
    const parser = toolCallsParser({ tools, keyName: "weather" });
    const args = { city: "Oslo", days: 1 };
    const chunks = written(calls);
    expect(await collect(pipe(from(chunks), parser.final))).toEqual([[args]]);
    expect(await collect(pipe(from(chunks), parser.calls))).toEqual([args]);
    expect(await last(pipe(from(chunks), parser.stream))).toEqual([{ city: "Oslo" }]);
    expect(parser.parse(toAssistantMessage(...chunks))).toEqual([args]);
    const first = toolCallsParser({ tools, keyName: "weather", firstOnly: true });
    expect(await collect(pipe(from(chunks), first.final))).toEqual([args]);
  });

  test("keyName with ids yields the calls", async () => {
    const parser = toolCallsParser({ tools, keyName: "save", returnId: true });
    expect(await collect(pipe(from(written(calls)), parser.final))).toEqual([
      [{ id: "2", name: "save", args: { text: "warm" } }],
    ]);
  });

  test("a schema is a tool with the name of its title", async () => {
    const titled = weather.schema.meta({ title: "weather" });
    const parser = toolCallsParser({ tools: [titled, save] });
    expect(await collect(pipe(from(written(calls)), parser.final))).toEqual([
      [
        { name: "weather", args: { city: "Oslo", days: 1 } },
        { name: "save", args: { text: "warm" } },
      ],
    ]);
  });

  test("a generation without a message is refused, because its calls cannot be seen", () => {
    expect(() => toolCallsParser().parse({ text: "{}" })).toThrow(/textToolCalls/);
  });
});
