import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { SimilarJson } from "#src/models/wire/similar-json.js";

/** The texts, one after the other: each value as `JSON.parse` gives it. */
function expectSame(texts: readonly string[], fleeting?: ReadonlySet<string>): void {
  const json = new SimilarJson(fleeting);
  for (const text of texts) {
    let expected: unknown;
    try {
      expected = JSON.parse(text);
    } catch {
      expect(() => json.parse(text), text).toThrow(SyntaxError);
      continue;
    }
    const value = json.parse(text);
    expect(value, text).toStrictEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected)); // the order of keys
  }
}

/** How many of the texts were parsed whole. */
function parsed(texts: readonly string[]): number {
  const spy = vi.spyOn(JSON, "parse");
  try {
    const json = new SimilarJson();
    for (const text of texts) json.parse(text);
    return texts.filter((text) => spy.mock.calls.some(([given]) => given === text)).length;
  } finally {
    spy.mockRestore();
  }
}

const tokens = ['{"', 'a\\"b', "line\n", "€", "\\u", "", " ", "x".repeat(30), '":', "\\", "😀", "b"];

describe("texts that differ in a few strings and numbers are parsed twice, and then no more:", () => {
  test.each<readonly [string, (token: string, i: number) => unknown]>([
    ["OpenAI", (content) => ({ id: "c", created: 1, choices: [{ index: 0, delta: { content } }] })],
    ["with noise", (content, i) => ({ choices: [{ delta: { content } }], obfuscation: `${i}abc` })],
    ["Responses", (delta, i) => ({ type: "delta", sequence_number: i + 9, delta, logprobs: [] })],
    ["Anthropic", (text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })],
    ["a number alone", (_, i) => i],
  ])("%s", (_name, payload) => {
    const texts = tokens.map((token, i) => JSON.stringify(payload(token, i)));
    expect(parsed(texts)).toBe(2);
    expectSame(texts);
    expectSame(texts.map((text) => text.replaceAll(":", " : ").replaceAll(",", ", ")));
  });
});

describe("what is alike in its text but not in its value is parsed:", () => {
  test.each<readonly string[]>([
    ["a key that comes twice", '{"a":"x1","a":"y"}', '{"a":"x2","a":"y"}', '{"a":"x3","a":"y"}'],
    ["keys that are numbers", '{"b":"x","1":"x"}', '{"b":"y","1":"y"}', '{"b":"p","1":"q"}'],
    ["a key that differs", '{"a":1}', '{"b":1}', '{"c":1}'],
    ["__proto__", '{"__proto__":{"a":"x"}}', '{"__proto__":{"a":"y"}}', '{"__proto__":{"a":"z"}}'],
    ["an escape at the edge", '{"a":"x\\\\"}', '{"a":"y\\\\"}', '{"a":"z\\"}', '{"a":"\\\\"}', '{"a":"\\"}'],
    ["a raw line break", '{"a":"x"}', '{"a":"y"}', '{"a":"\n"}', '{"a":"\u0001"}'],
    ["quotes that end early", '{"a":"x"}', '{"a":"y"}', '{"a":"x","b":"y"}', '{"a":""}', '{"a":"}'],
    [
      "numbers that are not whole",
      '{"a":1}',
      '{"a":2}',
      '{"a":2.5}',
      '{"a":2e3}',
      '{"a":-2}',
      '{"a":02}',
      '{"a":}',
    ],
    ["numbers that are too long", "[1]", "[2]", "[12345678901234567890]", "[123456789012345]"],
    ["a point behind", "[1.0]", "[2.0]", "[3.0]", "[3.5]"],
    ["other types", '{"a":"x"}', '{"a":1}', '{"a":"2"}', '{"a":null}', '{"a":{"b":1}}', '{"a":["x"]}'],
    ["arrays that grow", "[1]", "[1,2]", "[1,3]", "[1,2,3]"],
    ["more behind it", '"x"', '"y"', '"z" ', ' "z"', '"z""', '"z"x'],
    ["white space", '{"a":"x"}', '{"a": "x"}', '{"a":"y"}', '{"a": "y"}'],
    ["zero", "[0]", "[-0]", "[1]", "[10]", "[00]"],
    ["halves of a character", '["\\ud83d"]', '["\\ude00"]', '["\\ud83d\\ude00"]'],
  ])("%s", (_name, ...texts) => {
    for (const text of [...texts]) expectSame([...texts, ...texts, text, ...texts.toReversed()]);
  });
});

test("any texts, valid or not, in any order, are read as JSON.parse reads them", () => {
  const leaf = fc.oneof(
    fc.constantFrom(...tokens),
    fc.nat({ max: 300 }),
    fc.constantFrom(null, true, -1, 0.5, 1e15, 1e21),
    fc.string({ maxLength: 3 }),
  );
  const shapes: readonly ((a: unknown, b: unknown) => unknown)[] = [
    (a, b) => ({ id: "i", a, list: [b, { c: 1 }], z: [] }),
    (a, b) => [a, [b], a],
    (a) => ({ a }),
    (a, b) => ({ [String(a)]: b }),
  ];
  const damages = fc.oneof(
    { weight: 6, arbitrary: fc.constant((text: string) => text) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.nat(40), fc.constantFrom("", '"', "\\", "0", "9", "\n", " ", ",", "}")).map(
        ([at, with_]) =>
          (text: string) =>
            text.slice(0, at) + with_ + text.slice(at + 1),
      ),
    },
  );
  const text = fc
    .tuple(fc.constantFrom(...shapes), leaf, leaf, damages)
    .map(([shape, a, b, damage]) => damage(JSON.stringify(shape(a, b))));
  const fleeting = fc.constantFrom(undefined, new Set<string>(), new Set(["a", "choices", "delta"]));
  fc.assert(fc.property(fc.array(text, { maxLength: 40 }), fleeting, expectSame), { numRuns: 1_000 });
});

test("a value is its own: changing what differs in it changes no other", () => {
  const json = new SimilarJson();
  const values = ["a", "b", "c", "d"].map(
    (text) => json.parse(`{"choices":[{"delta":{"content":"${text}"}}]}`) as { choices: { delta: object }[] },
  );
  values[2]?.choices.pop();
  Object.assign(values[3]?.choices[0]?.delta ?? {}, { content: "changed" });
  expect(json.parse('{"choices":[{"delta":{"content":"e"}}]}')).toEqual({
    choices: [{ delta: { content: "e" } }],
  });
});

describe("what nobody keeps is changed in place", () => {
  const texts = (payload: (text: string) => unknown): string[] =>
    ["a", "b", "c", "d"].map((text) => JSON.stringify(payload(text)));
  const parse = (payload: (text: string) => unknown, fleeting: readonly string[]): unknown[] => {
    const json = new SimilarJson(new Set(fleeting));
    return texts(payload).map((text) => json.parse(text));
  };

  test("if all that is around it is fleeting", () => {
    const payload = (content: string): unknown => ({ choices: [{ delta: { content } }], head: { id: 1 } });
    const [first, second, third, fourth] = parse(payload, ["choices", "delta"]);
    expect([first, second]).toEqual([payload("a"), payload("b")]); // these were parsed
    expect(third).toBe(fourth);
    expect(fourth).toEqual(payload("d"));
  });

  test.each<readonly [string, (text: string) => unknown, readonly string[]]>([
    ["some of that is not", (text) => ({ choices: [{ message: { text } }] }), ["choices"]],
    ["another hole is elsewhere", (text) => ({ delta: { text }, notes: [text] }), ["delta"]],
    ["nothing is around it", (text) => text, ["delta"]],
  ])("but not if %s", (_name, payload, fleeting) => {
    const values = parse(payload, fleeting);
    expect(values.map((value) => JSON.stringify(value))).toEqual(texts(payload));
  });
});

test("where nothing is alike, it gives up looking", () => {
  const texts = Array.from({ length: 100 }, (_, i) => `{"k${i}":${i}}`);
  const json = new SimilarJson();
  for (const text of texts) json.parse(text);
  expect(Reflect.get(json, "credit")).toBe(0);
  expectSame(texts);
});
