import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SimilarJson } from "#src/models/wire/similar-json.js";
import { recordings } from "../openai/support.js";

/** Parses all texts, and checks them only then: a later text must not change an earlier value. */
function expectAsJsonParse(texts: readonly string[]): void {
  const json = new SimilarJson();
  const outcomes = texts.map((text) => outcomeOf(() => json.parse(text)));
  expect(outcomes).toStrictEqual(texts.map((text) => outcomeOf(() => JSON.parse(text) as unknown)));
}

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (error) {
    return { error: (error as Error).name };
  }
}

const event = (content: unknown, more: object = {}): string =>
  JSON.stringify({
    id: "c1",
    choices: [{ index: 0, delta: { content } }],
    usage: { tokens: [1, 2] },
    ...more,
  });

test("events of one form share what they have in common", () => {
  const json = new SimilarJson();
  const [, second, third] = [event("a"), event("b"), event('c"\\\u00e9\n')].map((text) =>
    json.parse(text),
  ) as {
    usage: object;
    choices: object[];
  }[];
  expect(third).toEqual(JSON.parse(event('c"\\\u00e9\n')));
  expect(third?.usage).toBe(second?.usage);
  expect(second).toEqual(JSON.parse(event("b")));
});

describe("equals JSON.parse for", () => {
  test.each<[string, readonly string[]]>([
    ["text that contains what follows it", [event("a"), event("b"), event('"}}],"usage":{"tokens":[1,2]}}')]],
    ["a string that ends in a backslash", [event("a"), event("b"), event("\\")]],
    ["other types at the same place", [event("a"), event(1), event(null), event({ a: [1] }), event(true)]],
    ["two values that differ", [event("a", { n: 1 }), event("b", { n: 2 }), event("c", { n: -0.5 })]],
    ["a form that returns", [event("a"), event("b"), "[1]", "[2]", event("c"), "[3]", event("d")]],
    ["white space", ['{"a": "x"}', '{"a": "y"}', '{"a": "z"}', '{"a":"x"}', '{"a":"y"}', '{"a": "z"}']],
    ["a key that appears twice", ['{"a":"x","a":"1"}', '{"a":"y","a":"2"}', '{"a":"z","a":"3"}']],
    ["keys that are numbers", ['{"b":"x","1":"y"}', '{"b":"u","1":"v"}', '{"b":"p","1":"q"}']],
    ["__proto__", ['{"__proto__":"a"}', '{"__proto__":"b"}', '{"__proto__":"c"}']],
    ["__proto__ around", ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}', '{"__proto__":{"a":3}}']],
    ["a scalar as the document", ['"a"', '"b"', '"c"', "1", "2", "3"]],
    [
      "invalid text at the place",
      ['{"a":"x"}', '{"a":"y"}', '{"a":"z}', '{"a":}', '{"a":1,"b":2}', '{"a":[}'],
    ],
    ["text that ends early", [event("a"), event("b"), event("c").slice(0, -3), event("c").slice(0, 9), ""]],
    ["numbers in other notations", ['{"a":1}', '{"a":2}', '{"a":1e2}', '{"a":-0}', '{"a":01}', '{"a": 3 }']],
    ["the same text again", [event("a"), event("a"), `${event("a")}x`, "{}", "{}", "{}{}"]],
    ["the mark of a place", [event("\0hole"), event("a"), event("\0hole"), event("b")]],
  ])("%s", (_, texts) => {
    expectAsJsonParse(texts);
  });

  test("deep documents", () => {
    const json = new SimilarJson();
    for (const text of ["a", "b", "c"]) {
      let value = json.parse(`${"[".repeat(50_000)}"${text}"${"]".repeat(50_000)}`);
      while (Array.isArray(value)) [value] = value as unknown[];
      expect(value).toBe(text);
    }
  });

  test("random documents with random changes", () => {
    const documents = fc.jsonValue({ maxDepth: 4 }).chain((value) => {
      const changed = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.jsonValue({ maxDepth: 1 }));
      return fc
        .array(changed, { minLength: 2, maxLength: 6 })
        .map((leaves) =>
          leaves.map((leaf, i) => JSON.stringify({ a: value, b: [{ leaf, i: i % 3 }], c: value, d: leaf })),
        );
    });
    const withCuts = fc.tuple(documents, fc.nat(), fc.nat()).map(([texts, which, at]) => {
      const text = texts[which % texts.length] as string;
      return [...texts, text.slice(0, at % text.length), ...texts];
    });
    fc.assert(fc.property(withCuts, expectAsJsonParse), { numRuns: 300 });
  });

  test("recorded streams", () => {
    for (const { lines } of [...recordings("openai-chat"), ...recordings("openai-responses")])
      expectAsJsonParse(lines);
  });
});
