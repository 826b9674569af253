import type { JsonObject, JsonValue } from "millrace";
import type { JsonCoercion } from "millrace/json";
import { guardOf, SchemaViolation, schemaOf } from "millrace/schema";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { expectSame } from "../../json/support/same-json.js";
import { expectGrowth } from "../support/expect-growth.js";
import { accepted, refused, type RefusedText } from "./coercion-table.js";
import { parserOf } from "../../support/parser-of.js";

interface Outcome {
  readonly value: JsonValue | undefined;
  readonly coercions: readonly JsonCoercion[];
  readonly completed: readonly string[];
  readonly refusal: string | undefined;
}

/** Reads a text, and checks after each chunk that nothing was taken back. */
function read({ schema, options }: Omit<RefusedText, "pointer">, chunks: readonly string[]): Outcome {
  const coercions: JsonCoercion[] = [];
  const completed: string[] = [];
  const parser = parserOf({
    repair: true,
    ...options,
    guard: guardOf(schema),
    onCoerce: (coercion) => coercions.push(coercion),
    onComplete: (pointer, value) => completed.push(`${pointer} ${JSON.stringify(value)}`),
  });
  let shown: JsonValue | undefined;
  let refusal: string | undefined;
  const look = (): void => {
    const before = shown;
    const patch = deepFreeze(parser.takePatch());
    if (patch.length > 0) shown = applyPatch(shown ?? null, patch);
    const snapshot = deepFreeze(parser.snapshot());
    expectSame(shown, snapshot);
    if (before !== undefined) expectGrowth(before, snapshot);
  };
  try {
    for (const chunk of chunks) {
      parser.write(chunk);
      look();
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof SchemaViolation)) throw error;
    refusal = error.pointer;
  }
  look();
  return { value: parser.snapshot(), coercions, completed, refusal };
}

function* ways(text: string): Generator<string[]> {
  yield* everyCut(text);
  yield* fixedSizes(text, [1, 2, 3, 7]);
}

// G-schema-6
describe("with coercion a guard reads", () => {
  test.each(accepted)("$name", (one) => {
    const whole = read(one, [one.text]);
    expect(whole.value).toEqual(one.value);
    expect(whole.coercions.map(({ kind, pointer }) => [kind, pointer])).toEqual(one.coercions);
    expect(schemaOf(one.schema).validate(one.value)).toEqual({ value: one.value });
    for (const chunks of ways(one.text)) expectSame(read(one, chunks), whole);
  });

  test("nothing else than what is written, without the option", () => {
    for (const one of accepted.filter(({ coercions }) => coercions.length > 0)) {
      const { refusal, value, coercions } = read({ ...one, options: { coerce: false } }, [one.text]);
      expect(coercions).toEqual([]);
      if (refusal === undefined) expect(value).not.toEqual(one.value);
    }
  });
});

// G-schema-6
describe("with coercion a guard never reads", () => {
  test.each(refused)("$name", (one) => {
    for (const chunks of ways(one.text)) expect(read(one, chunks).refusal).toBe(one.pointer);
  });
});

describe("a coercion is reported", () => {
  test("with what was written, and what it became", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "number" },
        tags: { type: "array", items: { type: "string" } },
        x: { type: "string" },
      },
      required: ["n", "tags"],
    };
    const text = '{"N": "1,000", "tags": "a", "x": null}';
    expect(read({ name: "", schema, text }, [text]).coercions).toEqual([
      { pointer: "/n", kind: "key", from: "N", to: "n" },
      { pointer: "/n", kind: "number", from: "1,000", to: 1000 },
      { pointer: "/tags", kind: "list", from: "a", to: ["a"] },
      { pointer: "/x", kind: "null", from: null, to: undefined },
    ]);
  });
});

describe("a number that JavaScript does not have is reported with its text", () => {
  const number = { type: "number" };
  const properties = { n: number, list: { type: "array", items: number }, one: { type: "number" } };
  const schema = { type: "object", properties };
  const reported = (chunks: readonly string[]): unknown[][] =>
    read({ name: "", schema, text: "" }, chunks).coercions.map(({ pointer, kind, from, to }) => [
      pointer,
      kind,
      from,
      to,
    ]);

  test.each<[text: string, ...coercions: unknown[][]]>([
    ['{"n": 9007199254740993}', ["/n", "rounded", "9007199254740993", 9007199254740992]],
    [
      '{"N": -1, "list": [1, -9007199254740993]}',
      ["/n", "key", "N", "n"],
      ["/list/1", "rounded", "-9007199254740993", -9007199254740992],
    ],
    [
      "{list: [9_007_199_254_740_993, 0x20000000000001]}",
      ["/list/0", "rounded", "9007199254740993", 9007199254740992],
      ["/list/1", "rounded", "0x20000000000001", 9007199254740992],
    ],
    ['{"n": 0.1234567890123456789}', ["/n", "rounded", "0.1234567890123456789", 0.12345678901234568]],
    ['{"n": 1e-400}', ["/n", "rounded", "1e-400", 0]],
    [
      '{"list": 9007199254740993}',
      ["/list", "rounded", "9007199254740993", 9007199254740992],
      ["/list", "list", 9007199254740992, [9007199254740992]],
    ],
    ['{"list": [9007199254740992, 0.30000000000000004, 1e21, 1.50, 0x20000000000000, 123e-2]}'],
  ])("%s", (text, ...coercions) => {
    for (const chunks of [[text], ...ways(text)]) expect(reported(chunks)).toEqual(coercions);
  });

  test("also without a schema, in chunks of any size", () => {
    const text = `[${"9007199254740993, ".repeat(100)}0]`;
    for (const chunks of [[text], ...fixedSizes(text, [1, 600])]) {
      const found: string[] = [];
      const parser = parserOf({ repair: true, onCoerce: ({ kind, pointer }) => found.push(kind + pointer) });
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      expect(found).toEqual(Array.from({ length: 100 }, (_, i) => `rounded/${i}`));
    }
  });

  test("not without coercion", () => {
    const text = '{"n": 9007199254740993}';
    expect(read({ name: "", schema, text, options: { coerce: false } }, [text]).coercions).toEqual([]);
  });
});

describe("a value is withheld", () => {
  const shownAfter = (schema: object, chunk: string): JsonValue | undefined => {
    const parser = parserOf({ repair: true, guard: guardOf(schema as Record<string, unknown>) });
    parser.write(chunk);
    return parser.snapshot();
  };
  const object = (properties: object): object => ({ type: "object", properties });

  test.each<[name: string, schema: object, chunk: string, shown: JsonValue]>([
    ["a string that will be a number", object({ a: { type: "number" } }), '{"a":"12', {}],
    ["a list that may be of one", object({ a: { type: "string" } }), '{"a":["x"', {}],
    ["a value that will be a list", object({ a: { type: "array" } }), '{"a":"x', {}],
    ["a string with a document", object({ a: { type: "object" } }), '{"a":"{\\"b\\":1', {}],
    [
      "a member that two objects read differently, and all later ones",
      { anyOf: [object({ a: { type: "number" } }), object({ a: { type: "string" } })] },
      '{"b":1,"a":"2","c":3',
      { b: 1 },
    ],
  ])("%s", (_, schema, chunk, shown) => {
    expect(shownAfter(schema, chunk)).toEqual(shown);
  });

  test.each<[name: string, schema: object, chunk: string, shown: JsonValue]>([
    ["text", object({ a: { type: "string" } }), '{"a":"12', { a: "12" }],
    [
      "text that may also be a number",
      object({ a: { type: ["number", "string"] } }),
      '{"a":"12',
      { a: "12" },
    ],
    [
      "one object where a list is expected",
      object({ a: { type: "array", items: object({ b: { type: "string" } }) } }),
      '{"a":{"b":"x',
      { a: [{ b: "x" }] },
    ],
    [
      "one object where a list is expected at the root",
      { type: "array", items: object({ b: { type: "array", items: object({}) } }) },
      '{"b":{"c":"x',
      [{ b: [{ c: "x" }] }],
    ],
    ["text with a pattern", object({ a: { type: "string", pattern: "^1" } }), '{"a":"12', { a: "12" }],
    ["an array", object({ a: { type: "array" } }), '{"a":["x y', { a: ["x y"] }],
    [
      "text in a union of objects that all have text there",
      {
        anyOf: [object({ a: { type: "string" }, b: { type: "number" } }), object({ a: { type: "string" } })],
      },
      '{"a":"12',
      { a: "12" },
    ],
    [
      "a list in a union of objects that all have the same list there",
      {
        anyOf: [
          object({ a: { type: "array", items: { type: "number" } }, b: {} }),
          object({ a: { description: "x", type: "array", items: { type: "number" } } }),
        ],
      },
      '{"a":["1","2',
      { a: [1] },
    ],
    [
      "an object in a union of objects that have different objects there",
      {
        anyOf: [
          object({ a: object({ x: { type: "string" }, y: { type: "number" } }) }),
          object({ a: object({ x: { type: "string" }, y: { type: "string" } }) }),
        ],
      },
      '{"a":{"x":"text","l":[1,{"m":"more',
      { a: { x: "text", l: [1, { m: "more" }] } },
    ],
    [
      "a list in a union of objects of which one has no such member",
      {
        anyOf: [
          object({ a: { type: "array", items: object({ x: { type: "number" } }) } }),
          object({ b: {} }),
        ],
      },
      '{"a":[{"x":1,"z":"te',
      { a: [{ x: 1, z: "te" }] },
    ],
    [
      "a union in a list",
      {
        type: "array",
        items: { anyOf: [object({ a: { type: "number" } }), object({ a: { type: "string" } })] },
      },
      '[{"b":{"c":[1]},"d":"te',
      [{ b: { c: [1] }, d: "te" }],
    ],
  ])("but not %s", (_, schema, chunk, shown) => {
    expect(shownAfter(schema, chunk)).toEqual(shown);
  });
});

describe("a union without a discriminator", () => {
  const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
    ...{ type: "object", properties, required },
  });
  const list = (items: JsonObject): JsonObject => ({ type: "array", items });
  const flight = object({
    info: object({ seats: { type: "number" }, gate: { type: "string" } }),
    id: { type: "number" },
  });
  const parcel = object({
    info: object({ seats: { type: "string" }, gate: { type: "string" } }),
    id: { type: "string" },
  });
  const schema = { anyOf: [flight, parcel, { type: "null" }] };

  /** The document after each chunk, and what was completed in it. */
  function steps(jsonSchema: JsonObject, chunks: readonly string[]): unknown[] {
    const completed: string[] = [];
    const parser = parserOf({
      ...{ repair: true, guard: guardOf(jsonSchema) },
      onComplete: (pointer) => completed.push(pointer),
    });
    let shown: JsonValue = null;
    return chunks.map((chunk) => {
      parser.write(chunk);
      shown = applyPatch(shown, parser.takePatch());
      expectSame(shown, parser.snapshot() ?? null);
      return [shown, completed.splice(0).join(" ")];
    });
  }

  test("shows the members that all agree on, and withholds those that follow one on which they do not", () => {
    const chunks = [
      '{"info": {"gate": "A',
      '1", "seats": "12", "extra": [1',
      ']}, "note": "x',
      '", "id": "7"',
      "}",
    ];
    expect(steps(schema, chunks)).toEqual([
      [{ info: { gate: "A" } }, ""],
      [{ info: { gate: "A1" } }, "/info/gate"],
      [{ info: { gate: "A1" } }, ""],
      [{ info: { gate: "A1" } }, ""],
      [
        { info: { gate: "A1", seats: "12", extra: [1] }, note: "x", id: "7" },
        "/info/seats /info/extra/0 /info/extra /info /note /id ",
      ],
    ]);
  });

  test("decides as soon as one member is left, by a part of the object or of the one around it", () => {
    expect(steps(schema, ['{"info": {"seats": "12", ', '"gate": "A"}, "id": "x', '", "n": 1', "}"])).toEqual([
      [{ info: {} }, ""],
      [{ info: {} }, ""],
      [{ info: { seats: "12", gate: "A" }, id: "x" }, "/info/seats /info/gate /info /id"],
      [{ info: { seats: "12", gate: "A" }, id: "x", n: 1 }, "/n "],
    ]);
  });

  test("chooses the member with the fewest coercions, counted over the whole value", () => {
    const many = object({
      a: object({ x: { type: "number" } }),
      b: { type: "string" },
      c: { type: "string" },
    });
    const few = object({
      a: object({ x: { type: "string" } }),
      b: { type: "number" },
      c: { type: "number" },
    });
    for (const anyOf of [
      [many, few],
      [few, many],
    ]) {
      const text = '{"a": {"x": "1"}, "b": "2", "c": "3"}';
      for (const chunks of ways(text)) {
        const { value, coercions } = read({ name: "", schema: { anyOf }, text }, chunks);
        expect(value).toEqual({ a: { x: 1 }, b: "2", c: "3" });
        expect(coercions).toEqual([{ pointer: "/a/x", kind: "number", from: "1", to: 1 }]);
      }
    }
  });

  test.each([String.raw`,x\n`, "1, x;", `1,${"2".repeat(98)},x;`])(
    "refuses a list in a string at a value that cannot be one, however it is cut: %s",
    (list) => {
      const schema = object({ a: { type: "array", items: { type: "number" } } });
      const text = `{"a": "${list}`;
      const refusals = [...ways(text)].map((chunks) => read({ name: "", schema, text }, chunks).refusal);
      expect(new Set(refusals)).toEqual(new Set(["/a"]));
    },
  );

  test("keeps the order of the text in lists of lists, at any depth", () => {
    const deep = (leaf: JsonObject): JsonObject => list(list(object({ v: list(leaf), w: leaf })));
    const anyOf = [
      object({ a: deep({ type: "number" }), z: { type: "number" } }),
      object({ a: deep({ type: "string" }), z: { type: "string" } }),
    ];
    const text = '{"k":"x","a":[[{"v":["1","2"],"w":"3"},{"v":[],"w":"4"}],[]],"b":{"c":[1]},"z":"n"}';
    for (const chunks of ways(text)) {
      const { value, completed } = read({ name: "", schema: { anyOf }, text }, chunks);
      expect(value).toEqual(JSON.parse(text));
      expect(completed.map((each) => each.slice(0, each.indexOf(" ")))).toEqual([
        ...[
          "/k",
          "/a/0/0/v/0",
          "/a/0/0/v/1",
          "/a/0/0/v",
          "/a/0/0/w",
          "/a/0/0",
          "/a/0/1/v",
          "/a/0/1/w",
          "/a/0/1",
        ],
        ...["/a/0", "/a/1", "/a", "/b/c/0", "/b/c", "/b", "/z", ""],
      ]);
    }
  });
});

test("one object where a list is expected grows as the element of the list", () => {
  const items = { type: "object", properties: { b: { type: "string" }, c: { type: "number" } } };
  const guard = guardOf({ type: "object", properties: { a: { type: "array", items } } });
  const completed: string[] = [];
  const parser = parserOf({
    ...{ repair: true, guard, append: true },
    onComplete: (pointer) => completed.push(pointer),
  });
  const patches = ['{"a": ', '{"b": "x', "y", '", "c": "1', '"', "}", "}"].map((chunk) => {
    parser.write(chunk);
    return parser.takePatch();
  });
  expect(patches).toEqual([
    [{ op: "replace", path: "", value: {} }],
    [{ op: "add", path: "/a", value: [{ b: "x" }] }],
    [{ op: "append", path: "/a/0/b", value: "y" }],
    [],
    [],
    [{ op: "add", path: "/a/0/c", value: 1 }],
    [],
  ]);
  expect(completed).toEqual(["/a/0/b", "/a/0/c", "/a/0", "/a", ""]);
});

test("a place in an object that is read as a list of one is complete when its value is", () => {
  const guard = guardOf({ type: "array", items: { type: "object" } });
  const parser = parserOf({ repair: true, guard });
  const places = ["", "/0", "/0/a", "/0/b", "/0/b/c", "/1", "/a"];
  const complete = (): string[] => places.filter((place) => parser.isComplete(place));
  parser.write('{"a": 1, "b": {"c": "x');
  expect(complete()).toEqual(["/0/a"]);
  const before = parser.snapshot();
  parser.write('"}, ');
  expect(complete()).toEqual(["/0/a", "/0/b", "/0/b/c"]);
  parser.write('"d": 1}');
  expect(complete()).toEqual(["", "/0", "/0/a", "/0/b", "/0/b/c"]);
  expect([before, parser.value]).toEqual([[{ a: 1, b: { c: "x" } }], [{ a: 1, b: { c: "x" }, d: 1 }]]);
});

describe("a guard that coerces fails fast", () => {
  test.each<[name: string, schema: object, text: string]>([
    ["at text that begins no number", { type: "number" }, '"so'],
    ["at a text that begins no boolean", { type: "boolean" }, '"tq'],
    ["at a text that begins no option", { enum: ["red", "blue"] }, '"g'],
    ["at a string that begins no document", { type: "object" }, '"x'],
    ["at a number where an object is expected", { type: "object" }, "[1,[2]"],
    [
      "at one object where a list of two is expected",
      { type: "array", items: { type: "object" }, minItems: 2 },
      "{",
    ],
    [
      "at a wrong value in one object",
      { type: "array", items: { properties: { a: { type: "number" } } } },
      '{"a": {',
    ],
  ])("%s", (_, schema, text) => {
    const parser = parserOf({
      repair: true,
      guard: guardOf(text.startsWith("[") ? { items: schema } : (schema as Record<string, unknown>)),
    });
    expect(() => {
      for (const character of text) parser.write(character);
    }).toThrow(SchemaViolation);
  });
});

describe("the number of members", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "integer" },
      b: { type: "integer" },
      c: { type: "object" },
      d: { type: "null" },
    },
    maxProperties: 1,
  };

  test.each(['{"a": null, "b": 2}', '{"b": 2, "a": null}', '{"c": null, "b": 2, "a": null}'])(
    "does not include a null that is left out: %s",
    (text) => {
      for (const chunks of everyCut(text)) {
        const { value, refusal } = read({ name: text, schema, text }, chunks);
        expect({ value, refusal }).toEqual({ value: { b: 2 }, refusal: undefined });
      }
    },
  );

  test.each([
    '{"b": 2, "a": 1}',
    '{"b": 2, "c": {}}',
    '{"b": 2, "d": null}',
    '{"b": 2, "x": null}',
    '{"b": 2, "a": "3"}',
  ])("includes every other value: %s", (text) => {
    const whole = read({ name: text, schema, text }, [text]);
    expect(whole.refusal).toMatch(/^\/[acdx]$/);
    for (const chunks of everyCut(text)) expectSame(read({ name: text, schema, text }, chunks), whole);
  });
});
