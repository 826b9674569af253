import type { JsonPatch, JsonValue } from "millrace";
import { everyWay, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectSame } from "./support/same-json.js";
import { transcripts, type Transcript } from "./support/transcripts.js";
import { type InWords, parserOf } from "../support/parser-of.js";

describe("JsonParser", () => {
  describe.each(transcripts)("$name", (transcript) => {
    test("has the expected snapshots and patches", () => {
      play(
        transcript,
        transcript.looks.map(({ text }) => [text]),
      );
    });

    test("has the same snapshots and patches for any split between two reads", () => {
      for (const way of ways(transcript)) play(transcript, way);
    });
  });

  test("an empty chunk has no effect", () => {
    const parser = parserOf();
    parser.write("");
    expect([parser.value, parser.snapshot(), parser.takePatch()]).toEqual([undefined, undefined, []]);
    parser.write('["a');
    const snapshot = parser.snapshot();
    parser.takePatch();
    parser.write("");
    expect(parser.snapshot()).toBe(snapshot);
    expect(parser.takePatch()).toEqual([]);
  });

  test("an empty patch is a shared frozen array", () => {
    const parsers = [parserOf(), parserOf()];
    const patches = parsers.map((parser) => {
      parser.write('["a"');
      parser.takePatch();
      return parser.takePatch();
    });
    expect(patches[0]).toBe(patches[1]);
    expect(patches[0]).toBe(parserOf().takePatch());
    expect(() => patches[0]?.push({ op: "add", path: "/1", value: "b" })).toThrow(TypeError);
  });

  test("value is live: its containers stay the same objects", () => {
    const parser = parserOf();
    parser.write('{"list": [');
    const root = parser.value as { list: JsonValue[] };
    const { list } = root;
    parser.write('1, "a');
    expect(parser.value).toBe(root);
    expect(list).toEqual([1, "a"]);
    parser.write('b"]}');
    expect(parser.value).toBe(root);
    expect(root).toEqual({ list: [1, "ab"] });
    expect(root.list).toBe(list);
  });

  test("members of the live value can be changed and removed, `__proto__` too, like those of JSON.parse", () => {
    const text = '{"__proto__": 1, "a": 2}';
    const parser = parserOf();
    for (const character of text) parser.write(character);
    expect(Object.getOwnPropertyDescriptors(parser.value)).toEqual(
      Object.getOwnPropertyDescriptors(JSON.parse(text)),
    );
  });

  test("a snapshot of an open container is not the live one", () => {
    const parser = parserOf();
    parser.write('{"list": [1');
    const before = parser.snapshot();
    parser.write(",2,");
    expect(before).toEqual({ list: [] });
    expect(parser.snapshot()).not.toBe(parser.value);
  });

  test("a snapshot is the same object as long as nothing changes: after white space, half a number, a key, or the end", () => {
    const parser = parserOf();
    parser.write('{"a": [true], "b": "x"');
    const snapshot = parser.snapshot();
    for (const chunk of [" ", ",", '"c', '"', ":", "-1"]) {
      parser.write(chunk);
      expect(parser.snapshot()).toBe(snapshot);
    }
    parser.write("2}");
    const last = parser.snapshot();
    expect(last).not.toBe(snapshot);
    expect((last as { a: unknown }).a).toBe((snapshot as { a: unknown }).a);
    parser.write("\n");
    parser.end();
    expect(parser.snapshot()).toBe(last);
  });

  test("a snapshot is the same object after closing brackets", () => {
    const parser = parserOf();
    parser.write('[[{"a": ["x"');
    const snapshot = parser.snapshot();
    for (const chunk of ["]", "}", "]", "]"]) {
      parser.write(chunk);
      expect(parser.snapshot()).toBe(snapshot);
    }
    parser.end();
    expect(parser.snapshot()).toBe(snapshot);
    expect(parser.value).toBe(snapshot);
  });

  test("complete is true after the last character of the document; for a number at the root, after the end", () => {
    for (const text of ['"a"', "[1]", "{}", "true", "null"]) {
      const parser = parserOf();
      parser.write(text.slice(0, -1));
      expect(parser.complete).toBe(false);
      parser.write(text.slice(-1));
      expect(parser.complete).toBe(true);
    }
    const parser = parserOf();
    parser.write("12");
    expect([parser.complete, parser.value]).toEqual([false, undefined]);
    parser.end();
    expect([parser.complete, parser.value]).toEqual([true, 12]);
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: 12 }]);
  });

  test("end() can be called again", () => {
    const parser = parserOf();
    parser.write("[]");
    parser.end();
    parser.end();
    expect(parser.snapshot()).toEqual([]);
  });

  test("end() has no effect when it is called again, with any options", () => {
    const parser = parserOf({ repair: true, onTruncated: "keep" });
    parser.write('{"a": ["b"');
    parser.end({ truncated: true });
    parser.end();
    expect([parser.complete, parser.snapshot()]).toEqual([false, { a: ["b"] }]);
  });

  test("two parsers are independent", () => {
    const [a, b] = [parserOf(), parserOf({ append: true })];
    a.write('["a');
    b.write('{"b": "');
    a.write('a"]');
    b.write('b"}');
    expect([a.value, b.value]).toEqual([["aa"], { b: "b" }]);
  });

  test("10,000 open containers need no more stack than one", () => {
    const depth = 10_000;
    const parser = parserOf({ maxDepth: depth });
    parser.write("[".repeat(depth));
    parser.snapshot();
    const [operation] = parser.takePatch();
    parser.write("1");
    parser.write("]".repeat(depth));
    const [next] = parser.takePatch();
    parser.end();
    expect([operation?.path, next?.op, next?.path, next?.value]).toEqual(["", "add", "/0".repeat(depth), 1]);
    expect(parser.complete).toBe(true);
  });
});

describe("text after the document, with extract,", () => {
  test.each<[string, string, boolean, number[]]>([
    ["nothing", '{"a": 1}\n', true, []],
    ["prose", '{"a": 1}\nThat is all, or so {it} seems.', true, []],
    ["another document", 'So: {"a": 1} or {"b": 2}.', true, [16]],
    ["two more documents", '{"a": 1}\n{"b": 2}\n{"c": 3}', true, [9, 18]],
    ["a document after one with a mistake", '{"a": 1}\n{"b": :}\n{"c": 3}', true, [9, 18]],
    ["the start of a document, which the end completes", '{"a": 1} or {"b', true, [12]],
    ["a document that needs repairs", '{"a": 1}\n{b: 2}', true, [9]],
    ["a document that cannot be repaired", '{"a": 1}\n{b: 2}', false, []],
    ["valid JSON", '{"a": 1}\n{"b": 2}', false, [9]],
  ])("is ignored: %s", (_, text, repair, offsets) => {
    for (const chunks of fixedSizes(text, [1, 2, 3, 7, text.length])) {
      const seen: unknown[] = [];
      const parser = parserOf({ extract: "auto", repair, onRepair: (it) => seen.push(it) });
      const silent = parserOf({ extract: "auto", repair });
      for (const chunk of chunks) {
        parser.write(chunk);
        silent.write(chunk);
      }
      parser.end();
      silent.end();
      expect(seen).toEqual(offsets.map((offset) => ({ kind: "extra_document", offset })));
      expect([parser.value, silent.value]).toEqual([{ a: 1 }, { a: 1 }]);
    }
  });
});

test.each([
  ["I'm sorry, but I can't help with that.", "refusal"],
  ["Unfortunately, I am unable to share this.", "refusal"],
  ["<think>They ask for {a}.</think>\nI really won’t do that", "refusal"],
  ["Es tut mir leid, das geht nicht.", "refusal"],
  ["No. I'm going to have to decline.", "refusal"],
  ["I don't feel comfortable with this.", "refusal"],
  ["That's not something I can help with.", "refusal"],
  ["This violates our content policy.", "refusal"],
  ["Dabei kann ich dir leider nicht helfen.", "refusal"],
  ["Malheureusement, je ne peux pas répondre.", "refusal"],
  ["No puedo ayudarte con eso.", "refusal"],
  ["Não posso ajudar com isso.", "refusal"],
  ["Purtroppo non posso farlo.", "refusal"],
  ["Я не могу помочь с этим.", "refusal"],
  ["Tyvärr kan jag inte hjälpa dig.", "refusal"],
  ["我无法提供这些信息。", "refusal"],
  ["申し訳ございません。", "refusal"],
  ["ご質問にはお答えできません。", "refusal"],
  ["요청을 처리할 수 없습니다.", "refusal"],
  ["The answer is no.", "empty"],
  ['Customers say "I can\'t log in".', "empty"],
  ["The value cannot be negative, and you can't divide by it.", "empty"],
  ["Der Kunde kann sich nicht anmelden.", "empty"],
  ["这个函数不能使用。", "empty"],
  ["彼は来ることができません。", "empty"],
  ["<think>I can't help with that", "empty"],
])("the error of %s is %s", (text, code) => {
  for (const chunks of fixedSizes(text, [1, 3, text.length])) {
    const parser = parserOf({ extract: "auto" });
    for (const chunk of chunks) parser.write(chunk);
    expect(() => {
      parser.end();
    }).toThrow(expect.objectContaining({ code }));
  }
});

describe("InWords", () => {
  test.each<[string, InWords]>([
    ["maxDepth must be a positive number, but is 0.", { maxDepth: 0 }],
    ["maxDepth must be a positive number, but is NaN.", { maxDepth: NaN }],
    ["maxKeys must be a positive number, but is 0.", { maxKeys: 0 }],
    ["maxLength must be a positive number, but is -1.", { maxLength: -1 }],
    ["maxLength must be a positive number, but is NaN.", { maxLength: NaN }],
  ])("%s", (message, options) => {
    expect(() => parserOf(options)).toThrow(RangeError);
    expect(() => parserOf(options)).toThrow(message);
  });

  test("a limit may be Infinity", () => {
    const parser = parserOf({ maxDepth: Infinity, maxLength: Infinity });
    parser.write("[".repeat(2_000));
    expect(parser.value).toBeDefined();
  });
});

/** Feeds the chunks between two reads, then reads. */
function play({ looks, options }: Transcript, chunks: readonly (readonly string[])[]): void {
  const parser = parserOf(options);
  const taken: JsonPatch[] = [];
  looks.forEach(({ shown, patch }, i) => {
    for (const chunk of chunks[i] as readonly string[]) parser.write(chunk);
    if (i === looks.length - 1) parser.end();
    taken.push(parser.takePatch());
    expectSame(taken[i], patch, JSON.stringify(chunks));
    expectSame(parser.snapshot(), shown, JSON.stringify(chunks));
  });
}

/** Each way to split the whole text, with a split at each read. */
function* ways({ looks }: Transcript): Generator<string[][]> {
  const texts = looks.map(({ text }) => text);
  for (const chunks of everyWay(texts.join(""))) {
    let next = 0;
    let rest = chunks[next++] ?? "";
    yield texts.map((text) => {
      const pieces: string[] = [];
      for (let left = text.length; left > 0;) {
        if (rest === "") rest = chunks[next++] as string;
        else {
          pieces.push(rest.slice(0, left));
          left -= pieces.at(-1)!.length;
          rest = rest.slice(pieces.at(-1)!.length);
        }
      }
      return pieces;
    });
  }
}
