import { collect, dropLast, from, ListError, listParser, type ListOutputParser, pipe } from "millrace";
import { operatorLaws } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { expectItems, messageChunks, read, timeline, ways } from "../list-support.js";

const quoted = listParser({ pattern: /"([^"]*)"/, lookahead: 0 });

const subjects: readonly {
  name: string;
  parser: ListOutputParser<string>;
  input: string;
  items: readonly string[];
}[] = [
  { name: "what is in a group", parser: quoted, input: 'a "b" "" c "d e', items: ["b", ""] },
  {
    name: "the whole match without a group",
    parser: listParser({ pattern: /\d+/ }),
    input: "12, 3 and 456",
    items: ["12", "3", "456"],
  },
  {
    name: "lines",
    parser: listParser({ pattern: /^> (.+)$/m }),
    input: "> a\nb > c\n> d e",
    items: ["a", "d e"],
  },
  {
    name: "lines that end with CRLF",
    parser: listParser({ pattern: /^> (.+)$/m }),
    input: "> a\r\n> b\r\n",
    items: ["a", "b"],
  },
  { name: "the beginning of the text", parser: listParser({ pattern: /^\w/ }), input: "ab cd", items: ["a"] },
  {
    name: "word boundaries",
    parser: listParser({ pattern: /\b[a-c]\b/ }),
    input: "a bc b xa c",
    items: ["a", "b", "c"],
  },
  {
    name: "what it looks back on",
    parser: listParser({ pattern: /(?<=\$)\d+/ }),
    input: "$12 34 $5",
    items: ["12", "5"],
  },
  {
    name: "what it looks ahead to",
    parser: listParser({ pattern: /\w+(?=::)/, lookahead: 2 }),
    input: "ab::c:: d:e",
    items: ["ab", "c"],
  },
  {
    name: "what may go on behind what it does not need",
    parser: listParser({ pattern: /a(?:bcd)?/, lookahead: 3 }),
    input: "abc abcd aabcda",
    items: ["a", "abcd", "a", "abcd", "a"],
  },
  { name: "the end of the text", parser: listParser({ pattern: /\w+$/ }), input: "ab cd", items: ["cd"] },
  {
    name: "an expression that matches nothing too",
    parser: listParser({ pattern: /x*/ }),
    input: "axxbx",
    items: ["xx", "x"],
  },
  { name: "code points", parser: listParser({ pattern: /./su }), input: "🦆a🏭", items: ["🦆", "a", "🏭"] },
  { name: "other flags", parser: listParser({ pattern: /a+/giy }), input: "Aa b aA", items: ["Aa", "aA"] },
  { name: "no match", parser: quoted, input: "I am sorry.", items: [] },
  { name: "an empty text", parser: quoted, input: "", items: [] },
];

// G-stream-1
describe("listParser", () => {
  test.each(subjects)("reads $name, however it is cut", ({ parser, input, items }) =>
    expectItems(parser, input, items),
  );

  test("gives a match when what stands behind it can no longer change it", async () => {
    const words = listParser({ pattern: /\w+/ });
    expect(await timeline(words, ["a", "b", " ", "c d", " "])).toEqual([
      ...["a", "b", " ", ["ab"], "c d", ["c"], " ", ["d"], "end"],
    ]);
    expect(await timeline(quoted, ['"a', '"', " "])).toEqual(['"a', '"', ["a"], " ", "end"]);
  });

  test("makes of a match what it is told to", async () => {
    const pairs = listParser({
      pattern: /(\w+)=(\d+)/,
      item: ([, key, value]) => [key, Number(value)] as const,
    });
    await expectItems(pairs, "a=1, b=22", [["a", 1], ["b", 22]]); // prettier-ignore
  });

  test("hands on what the item function throws", async () => {
    const error = new Error("no");
    const parser = listParser({
      pattern: /x/,
      item: () => {
        throw error;
      },
    });
    await expect(collect(pipe(from(["xx"]), parser.stream))).rejects.toBe(error);
    expect(() => parser.parse("x")).toThrow(error);
  });

  test("leaves an expression of the caller's as it is", () => {
    const pattern = /a/g;
    pattern.lastIndex = 7;
    const parser = listParser({ pattern });
    expect([parser.parse("aa"), parser.parse("a")]).toEqual([["a", "a"], ["a"]]);
    expect(pattern.lastIndex).toBe(7);
  });

  test("works with dropLast() where the last item may be unfinished and nobody says so", async () => {
    const words = listParser({ pattern: /\w+/ });
    expect(await collect(pipe(from(["one two thr"]), words.stream, dropLast()))).toEqual(["one", "two"]);
  });

  test("does not swallow that the model was cut", async () => {
    const words = listParser({ pattern: /\w+/ });
    const { parts, error } = await read(words, messageChunks(["one tw"], "length"));
    expect(parts).toEqual(["one"]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["tw"] });
  });

  test("reads long items and long texts without one", async () => {
    const items = ["a".repeat(3000), "b".repeat(5), "c".repeat(40_000)];
    const text = `${"x".repeat(5000)}"${items.join(`"${"y".repeat(2000)}"`)}"`;
    for (const size of [1, 4, 64, 1000, text.length]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect(await collect(pipe(from(chunks), quoted.stream))).toEqual(items);
    }
  });

  test("looks at each character a bounded number of times, also if no item ever begins or ends", async () => {
    const { source } = /"([^"]*)"/;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the expression as its `this`
    const { exec } = RegExp.prototype;
    let looks = 0;
    const spy = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
      if (this.source === source) looks += text.length - this.lastIndex;
      return exec.call(this, text);
    });
    try {
      for (const text of ["x".repeat(200_000), `"${"x".repeat(200_000)}`, '"tea", '.repeat(30_000)]) {
        looks = 0;
        await read(quoted, text.match(/.{1,4}/g) as string[]);
        expect(looks).toBeGreaterThan(text.length);
        expect(looks).toBeLessThan(12 * text.length);
      }
    } finally {
      spy.mockRestore();
    }
  });

  // G-parsers-11
  test("refuses an item and a gap beyond the bound, in whatever chunks", async () => {
    const small = listParser({ pattern: /"([^"]*)"/, lookahead: 0, maxItemLength: 4 });
    await expectItems(small, '"ab"1234"cd"123', ["ab", "cd"]);
    for (const text of ['"a""abc"', '"a"12345', '"a"12345"b"']) {
      for (const chunks of ways(text)) {
        const { parts, error } = await read(small, chunks);
        expect({ chunks, parts, code: error?.code }).toEqual({ chunks, parts: ["a"], code: "invalid" });
      }
    }
    const { error } = await read(small, ['"a"1', "2345678", "9012345"]);
    expect(error?.cause).toBeInstanceOf(ListError);
    expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 3 });
    expect(error?.message).toContain("to match item 2 within 4 characters (maxItemLength)");
  });

  test("stops at 10 MB without an item, in bounded memory", async () => {
    let pulled = 0;
    function* chunks(): Generator<string> {
      for (; pulled < 10_240; pulled++) yield "x".repeat(1024);
    }
    const { error } = await read(quoted, chunks());
    expect(error?.cause).toMatchObject({ code: "max_item_length", item: 0, offset: 0 });
    expect(pulled).toBeLessThan(2600); // twice the bound of 1 MB, and an eighth
  });

  test("says what is asked for", () => {
    expect(quoted.instructions).toBe(
      'Answer with a list and nothing else. Each item must match the regular expression /"([^"]*)"/.',
    );
    expect(listParser({ pattern: /x/, instructions: "X." }).instructions).toBe("X.");
  });

  test("refuses a lookahead that is none", () => {
    expect(() => listParser({ pattern: /x/, lookahead: -1 })).toThrow(RangeError);
  });
});

describe("the operator of listParser", () => {
  const laws = operatorLaws(() => listParser({ pattern: /\w+/ }).stream, {
    inputs: ["a b", "c d", "", " e"],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
