import { describe, expect, test } from "vitest";
import { collect, from, type JsonValue, pipe } from "millrace";
import { decodeNdjson } from "millrace/models";
import { everyWay, operatorLaws } from "millrace/testing";

function decode(chunks: readonly (string | Uint8Array)[], maxBuffer?: number): Promise<JsonValue[]> {
  return collect(pipe(from(chunks), decodeNdjson({ maxBuffer })));
}

const transcripts: readonly { name: string; input: string; expect: readonly JsonValue[] }[] = [
  { name: "one value on each line", input: '{"a":1}\n[2]\nnull\n', expect: [{ a: 1 }, [2], null] },
  { name: "a last line without a line feed", input: "1\n2", expect: [1, 2] },
  { name: "lines that end with CRLF", input: "1\r\n2\r\n", expect: [1, 2] },
  { name: "blank lines, which are skipped", input: "\n1\n  \n\n2\n", expect: [1, 2] },
  { name: "a byte order mark", input: '\uFEFF"é€😀"\n', expect: ["é€😀"] },
  { name: "nothing", input: "", expect: [] },
];

// G-stream-1
describe("decodeNdjson reads text and bytes, split anywhere,", () => {
  test.each(transcripts)("$name", async ({ input, expect: expected }) => {
    for (const chunks of everyWay(input)) expect(await decode(chunks)).toEqual(expected);
    for (const chunks of everyWay(new TextEncoder().encode(input)))
      expect(await decode(chunks)).toEqual(expected);
  });
});

describe("decodeNdjson keeps the law", () => {
  const text = '{"a":1}\n[2]\n3';
  const options = { inputs: [text.slice(0, 9), text.slice(9)], cut: () => everyWay(text) };
  for (const law of operatorLaws(() => decodeNdjson(), options)) test.concurrent(law.name, () => law.check());
});

describe("decodeNdjson rejects", () => {
  test("a line that is not JSON, by its number", async () => {
    await expect(decode(["1\n\n{", "nope}\n2"])).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringMatching(/^Line 3 .*\{nope\}/) as string,
      excerpt: "{nope}",
    });
  });

  test("a truncated last line, which is retryable", async () => {
    await expect(decode(['{"a": 1}\n{"b": [1, 2'])).rejects.toMatchObject({
      code: "cut",
      retryable: true,
      message: expect.stringContaining('line 2: {"b": [1, 2') as string,
    });
  });

  test("a last line that is not the start of JSON, and another truncated line", async () => {
    for (const text of ['{"a": 1}\n<html>', '{"a": \n{"b": 1}']) {
      await expect(decode([text])).rejects.toMatchObject({ code: "protocol" });
    }
  });

  test("a line longer than maxBuffer, however it is split", async () => {
    const line = JSON.stringify("x".repeat(60));
    for (const chunks of everyWay(`1\n${line}\n`)) {
      await expect(decode(chunks, 50)).rejects.toMatchObject({
        code: "max_buffer",
        message: expect.stringMatching(/^Line 2 .*maxBuffer.*\b50\b/) as string,
      });
    }
    expect(await decode(Array<string>(50).fill("123\n"), 50)).toHaveLength(50);
  });
});
