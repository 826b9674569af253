import { collect, from, pipe, textParser, type Chunk } from "millrace";
import { operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { messageChunks, read, thrown, ways } from "./list-support.js";

const joined = (parts: readonly string[]): string => parts.join("");

// G-stream-1
describe("textParser", () => {
  test("yields the text of each chunk with text", async () => {
    const chunks: Chunk[] = [
      "a",
      "",
      { content: [{ type: "reasoning", reasoning: "hm" }] },
      { content: [{ type: "text", text: " b" }, { type: "text", text: "c" }] }, // prettier-ignore
    ];
    expect(await collect(pipe(from(chunks), textParser().stream))).toEqual(["a", " bc"]);
    expect(await collect(pipe(from([]), textParser().stream))).toEqual([]);
  });

  test("parses strings, messages and generations to their text", () => {
    const message = { role: "assistant", content: [{ type: "text", text: " a" }, { type: "text", text: "b " }] } as const; // prettier-ignore
    for (const output of [" ab ", message, { text: " ab " }, { text: " a", message }]) {
      expect(textParser().parse(output)).toBe(" ab ");
      expect(textParser({ trim: true }).parse(output)).toBe("ab");
    }
    expect(textParser().parse("")).toBe("");
  });

  test.each(["", "  ", " a ", "\n\na b  c\n", "a", "\u00A0🦆 \r\n"])(
    "trims the white space around %j for every split, and keeps the rest",
    async (text) => {
      for (const chunks of ways(text)) {
        expect((await collect(pipe(from(chunks), textParser({ trim: true }).stream))).join("")).toBe(
          text.trim(),
        );
        expect((await collect(pipe(from(chunks), textParser().stream))).join("")).toBe(text);
      }
    },
  );

  test("holds back only the white space that may be at the end", async () => {
    const { stream } = textParser({ trim: true });
    expect(await collect(pipe(from([" ", "a ", "\n", " ", "b c ", "\n"]), stream))).toEqual(["a", " \n b c"]);
  });

  test('ends truncated text with an error, unless onTruncated is "keep"', async () => {
    const { parts, error } = await read(textParser(), messageChunks(["Once upon", " a"], "length"));
    expect(parts).toEqual(["Once upon", " a"]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: "" });
    const output = { role: "assistant", content: [{ type: "text", text: "On" }], finishReason: "content_filter" } as const; // prettier-ignore
    const whole = thrown(() => textParser().parse(output));
    expect(whole).toMatchObject({ code: "truncated", finishReason: "content_filter", value: "On" });
    expect(whole.message).toContain("content filter");
    expect(textParser({ onTruncated: "keep" }).parse(output)).toBe("On");
    const kept = await read(textParser({ onTruncated: "keep" }), messageChunks(["On"], "length"));
    expect(kept).toEqual({ parts: ["On"], error: undefined });
    expect((await read(textParser(), messageChunks(["On"], "stop"))).error).toBeUndefined();
  });

  test("has instructions", () => {
    expect(textParser().instructions).toBe("Answer in plain text.");
    expect(textParser({ instructions: "In one word." }).instructions).toBe("In one word.");
  });
});

describe.each([false, true])("the operator of textParser({ trim: %j })", (trim) => {
  const laws = operatorLaws(() => textParser({ trim }).stream, {
    inputs: [" a", " ", "b", "\n"],
    result: joined,
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
