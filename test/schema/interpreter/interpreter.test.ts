import type { JsonObject, JsonValue } from "millrace";
import { schemaOf } from "millrace/schema";
import { Interpreter } from "#src/schema/interpreter/interpreter.js";
import { describe, expect, test } from "vitest";

/** The pointers and keywords of the issues. */
function mismatches(schema: JsonObject, value: JsonValue): string[] {
  return new Interpreter(schema).check(value).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

function accepts(schema: JsonObject, value: JsonValue): boolean {
  return new Interpreter(schema).check(value).length === 0;
}

const draft4 = "http://json-schema.org/draft-04/schema#";
const draft7 = "http://json-schema.org/draft-07/schema#";
const draft2019 = "https://json-schema.org/draft/2019-09/schema";

describe("names that look like keywords", () => {
  const names = ["$ref", "id", "$id", "$anchor", "__proto__", "constructor", "toString"];

  test.each(names)("a property called %s", (name) => {
    const schema = {
      type: "object",
      properties: Object.fromEntries([[name, { type: "string" }]]),
      required: [name],
      additionalProperties: false,
    };
    for (const $schema of [undefined, draft4, draft7]) {
      const full = $schema === undefined ? schema : { ...schema, $schema };
      expect(accepts(full, JSON.parse(`{"${name}": "x"}`) as JsonValue)).toBe(true);
      expect(accepts(full, JSON.parse(`{"${name}": 1}`) as JsonValue)).toBe(false);
      expect(accepts(full, {})).toBe(false);
    }
  });

  test.each(["const", "enum", "examples", "default", "x-other"])("in %s", (keyword) => {
    const data = { $id: "http://a/b", id: "http://a/b", $ref: "#/nowhere" };
    const value = keyword === "const" || keyword === "default" ? data : [data, data];
    const schema = { properties: { a: { [keyword]: value }, b: { [keyword]: value } } };
    expect(accepts(schema, { a: data, b: data })).toBe(true);
    expect(accepts({ ...schema, $schema: draft4 }, { a: data, b: data })).toBe(true);
  });

  test("a required key that every object inherits", () => {
    expect(accepts({ required: ["toString"] }, {})).toBe(false);
    expect(accepts({ dependentRequired: { toString: ["a"] } }, {})).toBe(true);
  });

  test.each(["dependencies", "dependentSchemas"])("an own __proto__ in %s", (keyword) => {
    const schema = { [keyword]: JSON.parse('{"__proto__": {"required": ["a"]}}') as JsonObject };
    const full = keyword === "dependencies" ? { ...schema, $schema: draft7 } : schema;
    expect(accepts(full, {})).toBe(true);
    expect(accepts(full, JSON.parse('{"__proto__": 1}') as JsonValue)).toBe(false);
  });
});

describe("a type that does not exist", () => {
  test.each<{ schema: JsonObject; pointer: string; name: string }>([
    { schema: { type: "strnig" }, pointer: "/type", name: "strnig" },
    { schema: { anyOf: [{}, { type: ["null", "nubmer"] }] }, pointer: "/anyOf/1/type", name: "nubmer" },
    { schema: { $defs: { "a/b": { type: "STRING" } } }, pointer: "/$defs/a~1b/type", name: "STRING" },
    { schema: { properties: { a: { type: null } } }, pointer: "/properties/a/type", name: "null" },
  ])("is an error at once: $name", ({ schema, pointer, name }) => {
    const error = expect.objectContaining({
      code: "bad_schema",
      message: expect.stringMatching(`${pointer.replace("$", "\\$")}.*${name}`) as string,
    }) as Error;
    expect(() => schemaOf(schema)).toThrow(error);
  });

  test("is ignored where it is no keyword", () => {
    const bad = { type: "strnig" };
    expect(accepts({ const: bad, default: bad, examples: [bad], "x-notes": bad }, bad)).toBe(true);
    expect(accepts({ properties: { type: { enum: ["strnig"] } } }, bad)).toBe(true);
    const definitions = { s: {} };
    expect(accepts({ $schema: draft7, definitions, $ref: "#/definitions/s", ...bad }, 1)).toBe(true);
  });

  test("is not `any`, which draft 3 has", () => {
    expect(accepts({ type: "any" }, 1)).toBe(true);
    expect(accepts({ type: ["null", "any"] }, 1)).toBe(true);
  });
});

describe("references", () => {
  const bases = [
    "http://example.com/schema.json",
    "http://example.com/a b/%zz.json",
    "urn:uuid:5a3e8f1e-0000-4000-8000-000000000000",
    "urn:example:thing",
    "tag:example.com,2026:x",
    "schema.json",
    "/schemas/thing",
    "http://[",
    "%zz",
  ];
  test.each(bases)("from the base %s", ($id) => {
    const $defs = { s: { type: "string" }, anchored: { $anchor: "here", type: "number" } };
    const uses = (ref: string): JsonObject => ({ $id, $defs, properties: { a: { $ref: ref } } });
    for (const ref of ["#/$defs/s", `${$id}#/$defs/s`]) {
      expect(accepts(uses(ref), { a: "x" })).toBe(true);
      expect(accepts(uses(ref), { a: 1 })).toBe(false);
    }
    expect(accepts(uses("#here"), { a: 1 })).toBe(true);
    expect(accepts(uses("#here"), { a: "x" })).toBe(false);
  });

  test("relative to the enclosing id", () => {
    const schema = {
      $id: "http://example.com/root.json",
      $defs: {
        folder: {
          $id: "inner/",
          $defs: { leaf: { $id: "leaf.json", type: "string" } },
          items: { $ref: "leaf.json" },
        },
      },
      $ref: "inner/",
    };
    expect(accepts(schema, ["a"])).toBe(true);
    expect(accepts(schema, [1])).toBe(false);
  });

  test("the first of two equal ids wins", () => {
    const schema = {
      $defs: { a: { $id: "http://e/x", type: "string" }, b: { $id: "http://e/x", type: "number" } },
      $ref: "http://e/x",
    };
    expect(accepts(schema, "a")).toBe(true);
    expect(accepts(schema, 1)).toBe(false);
  });

  test("pointers with escapes", () => {
    const $defs = { "a/b": { type: "string" }, "50%": { type: "string" }, "t~": { type: "string" } };
    for (const $ref of ["#/$defs/a~1b", "#/$defs/50%25", "#/$defs/50%", "#/$defs/t~0"]) {
      expect(accepts({ $defs, $ref }, "a")).toBe(true);
      expect(accepts({ $defs, $ref }, 1)).toBe(false);
    }
  });

  test("to a place that is not below a keyword", () => {
    const schema = {
      components: { "x-types": [{ properties: { a: { $ref: "#/components/n" } } }], n: { type: "number" } },
    };
    const full = { ...schema, $ref: "#/components/x-types/0" };
    expect(mismatches(full, { a: "x" })).toEqual(["/a type"]);
  });

  test("the id of another draft names the document too", () => {
    const properties = { a: { $ref: "http://e/x.json#/definitions/s" } };
    const definitions = { s: { type: "string" } };
    for (const ids of [{ id: "http://e/x.json" }, { $schema: draft4, $id: "http://e/x.json" }]) {
      expect(mismatches({ ...ids, properties, definitions }, { a: 1 })).toEqual(["/a type"]);
    }
  });

  test("before 2019-09, a reference hides its siblings, and an id may be an anchor", () => {
    const definitions = { s: { type: "string" }, named: { $id: "#named", type: "number" } };
    const schema = (ref: string): JsonObject => ({
      definitions,
      properties: { a: { $ref: ref, maxLength: 1 } },
    });
    expect(accepts({ ...schema("#/definitions/s"), $schema: draft7 }, { a: "long" })).toBe(true);
    expect(accepts({ ...schema("#/definitions/s"), $schema: draft2019 }, { a: "long" })).toBe(false);
    expect(accepts({ ...schema("#named"), $schema: draft7 }, { a: "x" })).toBe(false);
    expect(accepts({ ...schema("#named"), $schema: draft7 }, { a: 1 })).toBe(true);
  });

  test.each([
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
  ])("to %s", ($ref) => {
    expect(accepts({ $ref }, { type: "object", properties: { a: { minLength: 1 } } })).toBe(true);
    expect(accepts({ $ref }, { properties: { a: { minLength: -1 } } })).toBe(false);
    expect(accepts({ $ref }, { anyOf: [{ type: "strnig" }] })).toBe(false);
    expect(accepts({ $ref }, true)).toBe(!$ref.includes("draft-04"));
  });

  test("that have no target are an error when they are reached, and a warning", () => {
    const schema = { properties: { a: { $ref: "http://e/none" }, b: {} } };
    const interpreter = new Interpreter(schema);
    expect(interpreter.check({ b: 1 })).toEqual([]);
    expect(() => interpreter.check({ a: 1 })).toThrow(
      expect.objectContaining({ code: "bad_schema" }) as Error,
    );
    expect(interpreter.warnings.map(({ pointer }) => pointer)).toEqual(["/properties/a"]);
  });

  test.each([
    { $ref: "#" },
    { $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
    { anyOf: [{ type: "string" }, { $ref: "#" }] },
    { not: { $ref: "#" } },
  ] as JsonObject[])("that refer back to the same value are an error: %j", (schema) => {
    expect(() => new Interpreter(schema).check(1)).toThrow(
      expect.objectContaining({ code: "bad_schema" }) as Error,
    );
  });

  test("dynamic: the outermost anchor wins", () => {
    const tree = {
      $id: "http://e/tree",
      $dynamicAnchor: "node",
      type: "object",
      properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
    };
    const strict = {
      $id: "http://e/strict",
      $dynamicAnchor: "node",
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: { tree },
    };
    expect(accepts(tree, { children: [{ daat: 1 }] })).toBe(true);
    expect(mismatches(strict, { children: [{ daat: 1 }] })).toEqual([
      "/children/0/daat unevaluatedProperties",
    ]);
    expect(accepts(strict, { children: [{ children: [] }] })).toBe(true);
  });

  test("recursive, as in 2019-09", () => {
    const tree = {
      $id: "http://e/tree",
      $recursiveAnchor: true,
      properties: { children: { type: "array", items: { $recursiveRef: "#" } } },
    };
    const strict = {
      $schema: draft2019,
      $id: "http://e/strict",
      $recursiveAnchor: true,
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: { tree },
    };
    expect(accepts(strict, { children: [{ daat: 1 }] })).toBe(false);
    expect(accepts(strict, { children: [{ children: [] }] })).toBe(true);
  });
});

describe("drafts", () => {
  test("a keyword of a later draft is ignored", () => {
    const schema = { const: 1, contains: false, if: true, then: false, dependentRequired: { a: ["b"] } };
    expect(accepts({ ...schema, $schema: draft4 }, { a: 1 })).toBe(true);
    expect(mismatches({ ...schema, $schema: draft7 }, { a: 1 })).toEqual([" const", " if"]);
    expect(mismatches(schema, { a: 1 })).toEqual([" const", " dependentRequired", " if"]);
  });

  test("keywords of older drafts count without $schema", () => {
    expect(mismatches({ items: [{ type: "string" }], additionalItems: false }, [1, 2])).toEqual([
      "/0 type",
      "/1 additionalItems",
    ]);
    expect(mismatches({ dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1, c: 1 })).toEqual([
      " dependencies",
      " required",
    ]);
  });

  test("draft-04 has flags for exclusive limits", () => {
    const schema = {
      $schema: draft4,
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 2,
      exclusiveMaximum: false,
    };
    expect([1, 1.5, 2].map((value) => accepts(schema, value))).toEqual([false, true, true]);
  });

  test("an inner schema may have another draft", () => {
    const inner = {
      $schema: draft7,
      $id: "http://e/inner",
      items: [{ type: "string" }],
      dependentRequired: { a: ["b"] },
    };
    expect(accepts({ $defs: { inner }, $ref: "http://e/inner" }, { a: 1 })).toBe(true);
  });
});

describe("values that JSON does not have", () => {
  test.each([undefined, () => "x", 5n, Symbol("x")])("%s is of no type", (value) => {
    for (const type of ["object", "array", "string", "number", "integer", "boolean", "null"]) {
      const schema = {
        properties: { list: { items: { type } }, one: { $ref: "#/$defs/it" } },
        $defs: { it: { type } },
      };
      expect(mismatches(schema, { list: [value as never] })).toEqual(["/list/0 type"]);
      const found = new Interpreter(schema).check({ one: value as never });
      expect(found.map(({ pointer }) => pointer)).toEqual(value === undefined ? [] : ["/one"]);
    }
    expect(accepts({ items: { enum: [1] } }, [value as never])).toBe(false);
    expect(accepts({ items: { minimum: 1 }, type: "array" }, [value as never])).toBe(true);
  });

  test.each([
    [{ required: ["a"] }, false],
    [{ minProperties: 1 }, false],
    [{ maxProperties: 0 }, true],
    [{ properties: { a: false } }, true],
    [{ additionalProperties: false }, true],
    [{ propertyNames: false }, true],
    [{ unevaluatedProperties: false }, true],
    [{ dependentRequired: { a: ["b"] } }, true],
    [{ dependentSchemas: { a: false } }, true],
  ] as [JsonObject, boolean][])("a member that is undefined is absent: %j", (schema, expected) => {
    expect(accepts(schema, { a: undefined as never })).toBe(expected);
  });
});

describe("values", () => {
  test.each([
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [0.3, 0.1, true],
    [4.18, 0.01, true],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [1e22, 3, false],
    [-6, 3, true],
    [0, 7, true],
    [5e-324, 1e-300, false],
    [Infinity, 0.01, false],
    [-Infinity, 2, false],
    [NaN, 2, false],
  ])("%d as a multiple of %d: %s", (value, multipleOf, expected) => {
    expect(accepts({ multipleOf }, value)).toBe(expected);
  });

  test.each([
    [[1, 1], false],
    [[0, -0], false],
    [[1, true], true],
    [["1", 1], true],
    [[null, false, 0, ""], true],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [[{ a: [1] }, { a: [2] }], true],
    [[[1], [[1]]], true],
    [[[], {}], true],
    [[{ a: 1 }, { a: "1" }], true],
    [[["a,b"], ["a", "b"]], true],
    [[{ a: 1, b: 1 }, { a: 1 }], true],
  ] as [JsonValue, boolean][])("whether %j has no equal elements: %s", (value, expected) => {
    expect(accepts({ uniqueItems: true }, value)).toBe(expected);
  });

  test("enums and constants compare deeply", () => {
    const schema = { enum: [{ a: [1, { b: null }] }, [0], "x"] };
    expect(accepts(schema, { a: [1, { b: null }] })).toBe(true);
    expect(accepts(schema, { a: [1, { b: false }] })).toBe(false);
    expect(accepts(schema, [-0])).toBe(true);
    expect(accepts({ const: { a: 1, b: 2 } }, { b: 2, a: 1 })).toBe(true);
    expect(accepts({ const: { a: 1 } }, { a: 1, b: 2 })).toBe(false);
  });

  test("a length counts code points", () => {
    expect(accepts({ maxLength: 2, minLength: 2 }, "😀😀")).toBe(true);
    expect(accepts({ minLength: 2 }, "😀")).toBe(false);
  });

  test("frozen schemas stay unchanged", () => {
    const freeze = <T>(value: T): T => {
      if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
      return value;
    };
    const schema = freeze({ $defs: { a: { type: "string" } }, properties: { a: { $ref: "#/$defs/a" } } });
    expect(mismatches(schema, { a: 1 })).toEqual(["/a type"]);
  });
});

describe("patterns", () => {
  test.each([
    ["\\p{L}+", "é", true],
    ["^.$", "😀", true],
    ["^[😀]$", "😀", true],
    ["\\u3000", "\u3000", true],
    ["\\s", "\u3000", true],
    ["^\\_a$", "_a", true],
    ["^a{,3}$", "a{,3}", true],
    ["^[\\w-.]$", "-", true],
    ["(", "anything", true],
  ])("%s", (pattern, text, expected) => {
    expect(accepts({ pattern }, text)).toBe(expected);
    expect(accepts({ patternProperties: { [pattern]: false } }, { [text]: 1 })).toBe(
      pattern === "(" ? false : !expected,
    );
  });

  test("one that is invalid in unicode mode is a warning", () => {
    const { warnings } = new Interpreter({ properties: { a: { pattern: "\\_" }, b: { pattern: "\\p{L}" } } });
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/properties/a"]);
  });
});

describe("unevaluated", () => {
  const cases: readonly [JsonObject, JsonValue, boolean][] = [
    [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1 }, true],
    [{ properties: { a: true }, unevaluatedProperties: false }, { b: 1 }, false],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, true],
    [
      {
        anyOf: [{ properties: { a: { type: "string" } } }, { properties: { b: true } }],
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      false,
    ],
    [{ anyOf: [true, { properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, true],
    [
      {
        oneOf: [{ required: ["a"], properties: { a: true } }, { required: ["b"] }],
        unevaluatedProperties: false,
      },
      { a: 1 },
      true,
    ],
    [{ not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, false],
    [
      {
        if: { properties: { a: { const: 1 } } },
        then: { properties: { b: true } },
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      true,
    ],
    [
      {
        if: { properties: { a: { const: 1 } } },
        else: { properties: { b: true } },
        unevaluatedProperties: false,
      },
      { a: 2, b: 1 },
      false,
    ],
    [
      { dependentSchemas: { a: { properties: { a: true, b: true } } }, unevaluatedProperties: false },
      { a: 1, b: 1 },
      true,
    ],
    [
      { $ref: "#/$defs/x", $defs: { x: { properties: { a: true } } }, unevaluatedProperties: false },
      { a: 1 },
      true,
    ],
    [{ properties: { a: { properties: { b: true } } }, unevaluatedProperties: false }, { a: 1, b: 1 }, false],
    [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 }, false],
    [{ additionalProperties: true, unevaluatedProperties: false }, { a: 1 }, true],
    [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { a: 1 }, true],
    [{ prefixItems: [true], unevaluatedItems: false }, [1], true],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], false],
    [{ contains: { type: "string" }, unevaluatedItems: { type: "number" } }, ["a", 1], true],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", 1], false],
    [{ anyOf: [{ prefixItems: [true, { const: 2 }] }, true], unevaluatedItems: false }, [1, 2], true],
    [{ items: true, unevaluatedItems: false }, [1, 2], true],
  ];
  test.each(cases)("%j of %j: %s", (schema, value, expected) => {
    expect(accepts(schema, value)).toBe(expected);
  });
});

describe("mismatches", () => {
  test("have the place of the value, the keyword, and what was expected and found", () => {
    const schema = { properties: { "a/b": { items: { type: "string" } } } };
    expect(new Interpreter(schema).check({ "a/b": ["x", 1] })).toEqual([
      {
        pointer: "/a~1b/1",
        keyword: "type",
        expected: "a string",
        found: "1",
      },
    ]);
  });

  test("are all reported, up to a limit", () => {
    const schema = {
      type: "object",
      required: ["a", "b"],
      properties: { c: { type: "string", minLength: 2 } },
    };
    expect(mismatches(schema, { c: "" })).toEqual([" required", "/c minLength"]);
    expect(
      mismatches(
        { items: { type: "string" } },
        Array.from({ length: 100_000 }, () => 1),
      ),
    ).toHaveLength(50);
    const anyOf = Array.from({ length: 300 }, (_, i) => ({ required: [`k${i}`] }));
    expect(mismatches({ anyOf }, {})).toEqual([" anyOf"]);
  });

  test("of a union are those of the most similar member", () => {
    const member = (kind: string): JsonObject => ({
      properties: { kind: { const: kind }, n: { type: "number" } },
      required: ["kind", "n"],
    });
    const schema = { anyOf: [member("a"), member("b"), { type: "null" }] };
    expect(mismatches(schema, { kind: "b", n: "x" })).toEqual(["/n type"]);
    expect(mismatches(schema, { kind: "c", n: 1 })).toEqual([" anyOf"]);
    expect(new Interpreter({ anyOf: [{ type: "null" }, { type: "string" }] }).check(1)[0]?.expected).toBe(
      "null or a string",
    );
  });

  test("do not blame unevaluated members for another failure", () => {
    const schema = { properties: { a: { type: "string" } }, unevaluatedProperties: false };
    expect(mismatches(schema, { a: 1 })).toEqual(["/a type"]);
  });
});
