import { describe, expect, test } from "vitest";
import { collect, from, ModelError, pipe } from "millrace";
import { decodeSse, type SseEvent } from "millrace/models";
import { everyWay, operatorLaws } from "millrace/testing";
import { charactersSearched } from "../../support/counted-steps.js";

type Short = readonly [event: string | undefined, data: string, id?: string];

async function decode(chunks: readonly (string | Uint8Array)[], maxBuffer?: number): Promise<Short[]> {
  return (await collect(pipe(from(chunks), decodeSse({ maxBuffer })))).map(short);
}

function short({ event, data, id }: SseEvent): Short {
  return id === undefined ? [event, data] : [event, data, id];
}

const transcripts: readonly { name: string; input: string; expect: readonly Short[] }[] = [
  {
    name: "lines that end with LF",
    input: "data: a\n\ndata: b\n\n",
    expect: [
      [undefined, "a"],
      [undefined, "b"],
    ],
  },
  {
    name: "lines that end with CRLF",
    input: "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n",
    expect: [
      ["x", "a"],
      [undefined, "b"],
    ],
  },
  {
    name: "lines that end with CR",
    input: "data: a\r\rdata: b\r\r",
    expect: [
      [undefined, "a"],
      [undefined, "b"],
    ],
  },
  {
    name: "events with names and ids",
    input: "event: x\nid: 7\ndata: a\n\ndata: b\n\n",
    expect: [
      ["x", "a", "7"],
      [undefined, "b"],
    ],
  },
  {
    name: "several data lines in one event",
    input: "data: a\ndata:\ndata:  b\n\n",
    expect: [[undefined, "a\n\n b"]],
  },
  {
    name: "comments and retry, which are dropped",
    input: ": hi\n\nretry: 10\ndata: a\n\n: bye\n\n",
    expect: [[undefined, "a"]],
  },
  {
    name: "an event without data, which is dropped",
    input: "event: x\n\ndata: a\n\n",
    expect: [[undefined, "a"]],
  },
  {
    name: "an incomplete last event",
    input: "data: a\n\ndata: b",
    expect: [
      [undefined, "a"],
      [undefined, "b"],
    ],
  },
  {
    name: "an incomplete last event after a line break",
    input: "data: a\r\n\r\ndata: b\r\n",
    expect: [
      [undefined, "a"],
      [undefined, "b"],
    ],
  },
  {
    name: "events with empty data",
    input: "event: x\ndata:\n\ndata: a\n\n",
    expect: [
      ["x", ""],
      [undefined, "a"],
    ],
  },
  {
    name: "an end marker without a line break",
    input: "data: a\n\ndata:  [DONE]",
    expect: [
      [undefined, "a"],
      [undefined, " [DONE]"],
    ],
  },
  {
    name: "a last event that is cut before its data, which is dropped",
    input: "data: a\n\nevent: x\ndata:",
    expect: [[undefined, "a"]],
  },
  {
    name: "an end marker that is cut, which is dropped",
    input: "data: a\n\ndata: [DON",
    expect: [[undefined, "a"]],
  },
  { name: "the name of a field that is cut", input: "dat", expect: [] },
  { name: "letters of two to four bytes", input: "data: é€😀\n\n", expect: [[undefined, "é€😀"]] },
  {
    name: "a byte order mark at the start, and only there",
    input: "\uFEFFdata: \uFEFFa\n\n",
    expect: [[undefined, "\uFEFFa"]],
  },
  { name: "unknown fields", input: "foo: 1\ndata: a\n\n", expect: [[undefined, "a"]] },
  { name: "nothing", input: "", expect: [] },
];

// G-stream-1
describe("decodeSse reads text and bytes, split anywhere,", () => {
  test.each(transcripts)("$name", async ({ input, expect: expected }) => {
    for (const chunks of everyWay(input)) expect(await decode(chunks)).toEqual(expected);
    for (const chunks of everyWay(new TextEncoder().encode(input)))
      expect(await decode(chunks)).toEqual(expected);
  });
});

describe("decodeSse keeps the law", () => {
  const text = "event: a\ndata: 1\n\ndata: 2\n\ndata: 3";
  const options = { inputs: [text.slice(0, 20), text.slice(20)], cut: () => everyWay(text) };
  for (const law of operatorLaws(() => decodeSse(), options)) test.concurrent(law.name, () => law.check());
});

describe("decodeSse rejects", () => {
  const failing = async (chunks: readonly string[], maxBuffer?: number): Promise<ModelError> => {
    const error: unknown = await decode(chunks, maxBuffer).catch((error: unknown) => error);
    if (error instanceof ModelError) return error;
    throw new Error("expected a ModelError", { cause: error });
  };

  test("an event longer than maxBuffer, in one or many lines", async () => {
    const line = await failing(["data: 1\n\n", "data: ", "x".repeat(100)], 50);
    expect(line).toMatchObject({ code: "max_buffer" });
    expect(line.message).toMatch(/maxBuffer.*\b50\b.*\b1\b/);
    expect((await failing(Array<string>(20).fill("data: xxxx\n"), 50)).code).toBe("max_buffer");
  });

  test("no stream longer than maxBuffer if its events are shorter", async () => {
    expect(await decode(Array<string>(20).fill("data: xxxx\n\n"), 50)).toHaveLength(20);
  });

  test("events before one that is too long are yielded", async () => {
    const events: SseEvent[] = [];
    await expect(
      (async () => {
        const source = from(["data: 1\n\ndata: ".padEnd(200, "x")]);
        for await (const event of pipe(source, decodeSse({ maxBuffer: 50 }))) events.push(event);
      })(),
    ).rejects.toThrow(/maxBuffer/);
    expect(events.map(short)).toEqual([[undefined, "1"]]);
  });

  test.each(["d\r:", "data: [\r\r:"])(
    "the same for every cut, of lines that end with CR: %j",
    async (text) => {
      const outcome = (chunks: readonly string[]) => decode(chunks).catch((error: unknown) => error);
      const whole = await outcome([text]);
      for (const chunks of everyWay(text)) expect(await outcome(chunks)).toEqual(whole);
    },
  );

  test.each(["data: x\r", "\r"])("a line end is searched once, also among others: %j", async (line) => {
    const searched = (count: number): Promise<number> =>
      charactersSearched(() => decode([`${line.repeat(count)}data: y\n\n`]));
    expect(await searched(4_000)).toBeLessThan(5 * (await searched(1_000)));
  });

  test("a text that is not an event stream", async () => {
    const error = await failing(["<!doctype html>\n<title>Bad", " gateway</title>"]);
    expect(error.code).toBe("protocol");
    expect(error.message).toContain("<!doctype html>");
  });
});
