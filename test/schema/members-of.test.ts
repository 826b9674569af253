import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { SchemaInput } from "millrace/schema";
import { membersOf } from "#src/schema/members-of.js";

const a = z.object({ a: z.string() }).meta({ title: "A" });
const b = z.object({ b: z.string() }).meta({ title: "B" });
const object = (name: string): object => ({ title: name, type: "object", properties: {}, required: [name] });

describe("membersOf lists the schemas of", () => {
  const unions: readonly [string, SchemaInput, string[]][] = [
    ["a union", z.union([a, b]), ["A", "B"]],
    [
      "a discriminated union",
      z.discriminatedUnion("a", [a, b.extend({ a: z.literal("x") }).meta({ title: "B" })]),
      ["A", "B"],
    ],
    ["unions in a union", z.union([z.union([a, b]), z.lazy(() => z.union([b, a]))]), ["A", "B", "B", "A"]],
    ["a union that is transformed", z.union([a, b]).transform((it) => Object.keys(it)), ["A", "B"]],
    ["an object or null", a.nullable(), ["A", "output"]],
    ["a JSON Schema", { anyOf: [object("A"), { oneOf: [object("B"), object("C")] }] }, ["A", "B", "C"]],
    [
      "a reference to a union, beside its type",
      { type: "object", $ref: "#/$defs/U", $defs: { U: { anyOf: [object("A"), object("B")] } } },
      ["A", "B"],
    ],
    ["a choice of one", { anyOf: [object("A")] }, ["A"]],
  ];
  test.each(unions)("%s", (_, schema, names) => {
    expect(membersOf(schema).map(({ name }) => name)).toEqual(names);
  });

  const single: readonly [string, SchemaInput][] = [
    ["an object", a],
    ["an intersection", z.intersection(a, b)],
    ["an array of a union", z.array(z.union([a, b]))],
    [
      "an object with a choice of required members",
      { type: "object", properties: {}, anyOf: [{ required: ["a"] }] },
    ],
    ["an empty choice", { anyOf: [] }],
    ["a choice of both kinds", { anyOf: [object("A")], oneOf: [object("B")] }],
    ["a choice with a boolean", { anyOf: [true, object("B")] }],
  ];
  test.each(single)("%s: only itself", (_, schema) => {
    expect(membersOf(schema)).toHaveLength(1);
  });
});

test("a member of a plain union of Zod is checked alone, others by the whole union", () => {
  const [, second] = membersOf(z.union([a, b]));
  expect(second?.validate({ a: "x" })).toHaveProperty("issues");
  const [first] = membersOf(z.union([a, b]).refine((it) => "a" in it, "no a"));
  expect(first?.validate({ b: "x" })).toMatchObject({ issues: [{ message: "no a" }] });
});

describe("a member of an exclusive union refuses a value of another member too", () => {
  const unions: readonly [string, SchemaInput][] = [
    ["oneOf", { anyOf: [{ oneOf: [object("a"), object("b")] }, object("c")] }],
    ["z.xor()", z.xor([a, b])],
  ];
  test.each(unions)("%s", async (_, union) => {
    const [first] = membersOf(union);
    expect(await first?.validate({ a: "x" })).not.toHaveProperty("issues");
    expect(await first?.validate({ a: "x", b: "y" })).toHaveProperty("issues");
  });

  test("but a discriminated union is not checked twice", () => {
    const [first] = membersOf(
      z.discriminatedUnion("k", [a.extend({ k: z.literal(1) }), b.extend({ k: z.literal(2) })]),
    );
    expect(first?.validate({ k: 2, b: "x" })).toHaveProperty("issues");
  });
});

test("a member with definitions of its own keeps those of the union", () => {
  const member = { type: "object", properties: { a: { $ref: "#/$defs/text" } }, $defs: { other: {} } };
  for (const keyword of ["anyOf", "oneOf"]) {
    const [only] = membersOf({ $defs: { text: { type: "string" } }, [keyword]: [member] });
    expect(only?.validate({ a: "x" })).not.toHaveProperty("issues");
    expect(only?.validate({ a: 1 })).toHaveProperty("issues");
  }
});

test("a union whose parts are reached by too many paths is an error", () => {
  const names = Array.from({ length: 40 }, (_, i) => `a${i}`);
  const next = (i: number): object => ({ $ref: `#/$defs/a${(i + 1) % 40}` });
  const $defs = Object.fromEntries(
    names.map((name, i) => [name, { anyOf: [next(i), next(i), object("A")] }]),
  );
  expect(() => membersOf({ anyOf: [next(-1)], $defs })).toThrow(
    expect.objectContaining({ code: "bad_schema" }),
  );
});

test("a member that refers to an object satisfies the rules of both", () => {
  const base = { title: "Base", type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const extended = {
    $ref: "#/$defs/base",
    properties: { b: {} },
    required: ["b"],
    unevaluatedProperties: false,
  };
  const [member] = membersOf({ $defs: { base }, anyOf: [extended, object("C")] });
  expect(member).toMatchObject({ name: "Base", jsonSchema: { type: "object" } });
  expect(member?.validate({ a: "x", b: 1 })).not.toHaveProperty("issues");
  for (const value of [{ b: 1 }, { a: "x" }, { a: 1, b: 1 }, { a: "x", b: 1, c: 1 }]) {
    expect(member?.validate(value)).toHaveProperty("issues");
  }
});

test("references in a member still lead to their targets, also to the root of the union", () => {
  const union = {
    $defs: { Text: { type: "string" } },
    anyOf: [
      { title: "Leaf", type: "object", properties: { text: { $ref: "#/$defs/Text" } }, required: ["text"] },
      {
        title: "Pair",
        type: "object",
        properties: { left: { $ref: "#" }, right: { $ref: "#/anyOf/0" } },
        additionalProperties: false,
      },
    ],
  };
  const [leaf, pair] = membersOf(union);
  expect(leaf?.validate({ text: "x" })).not.toHaveProperty("issues");
  expect(leaf?.validate({ text: 1 })).toHaveProperty("issues");
  expect(pair?.validate({ left: { left: { text: "x" } }, right: { text: "y" } })).not.toHaveProperty(
    "issues",
  );
  expect(pair?.validate({ left: { text: 1 } })).toHaveProperty("issues");
  expect(pair?.validate({ right: { text: 1 } })).toHaveProperty("issues");
});

test("a definition with the name that the root of the union would get keeps its meaning", () => {
  const union = {
    $defs: { union: { type: "string" } },
    anyOf: [
      { type: "object", properties: { next: { $ref: "#" }, text: { $ref: "#/$defs/union" } } },
      { type: "null" },
    ],
  };
  const [member] = membersOf(union);
  expect(member?.validate({ next: { next: null, text: "x" }, text: "y" })).not.toHaveProperty("issues");
  expect(member?.validate({ text: null })).toHaveProperty("issues");
  expect(member?.validate({ next: "x" })).toHaveProperty("issues");
});
