import { collect, dropLast, from, ListError, listParser, type ListOutputParser, pipe } from "millrace";
import { operatorLaws } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { expectItems, expectNoItems, messageChunks, read, timeline, ways } from "../list-support.js";

const quoted = listParser({ pattern: /"([^"]*)"/, lookahead: 0 });

const subjects: readonly {
  name: string;
  parser: ListOutputParser<string>;
  input: string;
  items: readonly string[];
}[] = [
  { name: "a capturing group", parser: quoted, input: 'a "b" "" c "d e', items: ["b", ""] },
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
    name: "lookbehind",
    parser: listParser({ pattern: /(?<=\$)\d+/ }),
    input: "$12 34 $5",
    items: ["12", "5"],
  },
  {
    name: "lookahead",
    parser: listParser({ pattern: /\w+(?=::)/, lookahead: 2 }),
    input: "ab::c:: d:e",
    items: ["ab", "c"],
  },
  {
    name: "an optional end",
    parser: listParser({ pattern: /a(?:bcd)?/, lookahead: 3 }),
    input: "abc abcd aabcda",
    items: ["a", "abcd", "a", "abcd", "a"],
  },
  { name: "the end of the text", parser: listParser({ pattern: /\w+$/ }), input: "ab cd", items: ["cd"] },
  {
    name: "a pattern that can match the empty text",
    parser: listParser({ pattern: /x*/ }),
    input: "axxbx",
    items: ["xx", "x"],
  },
  {
    name: "code points, with a pattern that can match the empty text",
    parser: listParser({ pattern: /x*/u }),
    input: "🦆xx\ud83d🏭x",
    items: ["xx", "x"],
  },
  { name: "code points", parser: listParser({ pattern: /./su }), input: "🦆a🏭", items: ["🦆", "a", "🏭"] },
  { name: "other flags", parser: listParser({ pattern: /a+/giy }), input: "Aa b aA", items: ["Aa", "aA"] },
  {
    name: "no match, where that is allowed",
    parser: listParser({ pattern: /\d/, allowEmpty: true }),
    input: "I am sorry.",
    items: [],
  },
  { name: "an empty text", parser: quoted, input: "", items: [] },
];

// G-stream-1
describe("listParser", () => {
  test.each(subjects)("reads $name, for every split", ({ parser, input, items }) =>
    expectItems(parser, input, items),
  );

  test("reports an output without a match, with its place", () =>
    expectNoItems(quoted, " \n I am sorry.", 3));

  test("yields a match when later text can no longer change it", async () => {
    const words = listParser({ pattern: /\w+/ });
    expect(await timeline(words, ["a", "b", " ", "c d", " "])).toEqual([
      ...["a", "b", " ", ["ab"], "c d", ["c"], " ", ["d"], "end"],
    ]);
    expect(await timeline(quoted, ['"a', '"', " "])).toEqual(['"a', '"', ["a"], " ", "end"]);
  });

  test("maps a match with the item function", async () => {
    const pairs = listParser({
      pattern: /(\w+)=(\d+)/,
      item: ([, key, value]) => [key, Number(value)] as const,
    });
    await expectItems(pairs, "a=1, b=22", [["a", 1], ["b", 22]]); // prettier-ignore
  });

  test("passes on an error of the item function", async () => {
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

  test("does not change the state of the pattern", () => {
    const pattern = /a/g;
    pattern.lastIndex = 7;
    const parser = listParser({ pattern });
    expect([parser.parse("aa"), parser.parse("a")]).toEqual([["a", "a"], ["a"]]);
    expect(pattern.lastIndex).toBe(7);
  });

  test("dropLast() drops an unfinished last item", async () => {
    const words = listParser({ pattern: /\w+/ });
    expect(await collect(pipe(from(["one two thr"]), words.stream, dropLast()))).toEqual(["one", "two"]);
  });

  test("a truncated output is an error with the unfinished item", async () => {
    const words = listParser({ pattern: /\w+/ });
    const { parts, error } = await read(words, messageChunks(["one tw"], "length"));
    expect(parts).toEqual(["one"]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["tw"] });
  });

  test("reads long items and long texts between items", async () => {
    const items = ["a".repeat(3000), "b".repeat(5), "c".repeat(40_000)];
    const text = `${"x".repeat(5000)}"${items.join(`"${"y".repeat(2000)}"`)}"`;
    for (const size of [1, 4, 64, 1000, text.length]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect(await collect(pipe(from(chunks), quoted.stream))).toEqual(items);
    }
  });

  test("reads each character a bounded number of times, even if no item begins or ends", async () => {
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
  test("an item or gap beyond maxItemLength is an error, for every split", async () => {
    const small = listParser({ pattern: /"([^"]*)"/, lookahead: 0, maxItemLength: 4 });
    await expectItems(small, '"ab"1234"cd"123', ["ab", "cd"]);
    for (const text of ['"a""abc"', '"a"12345', '"a"12345"b"', '"a"123456789012']) {
      const messages = new Set<string | undefined>();
      for (const chunks of ways(text)) {
        const { parts, error } = await read(small, chunks);
        expect({ chunks, parts, code: error?.code }).toEqual({ chunks, parts: ["a"], code: "invalid" });
        messages.add(error?.message);
      }
      expect(messages.size).toBe(1);
    }
    const { error } = await read(small, ['"a"1', "2345678", "9012345"]);
    expect(error?.cause).toBeInstanceOf(ListError);
    expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 3 });
    expect(error?.message).toMatch(/item 2 .*\b4\b.*maxItemLength/);
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

  test("has instructions with the pattern, which an option replaces", () => {
    expect(quoted.instructions).toContain('/"([^"]*)"/');
    expect(listParser({ pattern: /x/, instructions: "X." }).instructions).toBe("X.");
  });

  test("rejects an invalid lookahead", () => {
    expect(() => listParser({ pattern: /x/, lookahead: -1 })).toThrow(RangeError);
  });
});

describe("the operator of listParser", () => {
  const laws = operatorLaws(() => listParser({ pattern: /\w+/ }).stream, {
    inputs: ["a b", "c d", "", " e"],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
