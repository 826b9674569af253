import type { JsonObject, JsonValue } from "millrace";
import { Evaluation } from "#src/schema/interpreter/evaluation.js";
import { formats } from "#src/schema/interpreter/formats.js";
import { SchemaDocument } from "#src/schema/interpreter/schema-document.js";
import type { SchemaNode } from "#src/schema/interpreter/schema-node.js";
import { WorkBudget } from "#src/tree/work-budget.js";
import { describe, expect, test } from "vitest";

/** Attacks on the check: what is short to write must be cheap to check. The cost is counted in steps. */

function check(schema: JsonObject, value: JsonValue): { readonly valid: boolean; readonly steps: number } {
  const document = new SchemaDocument(schema);
  const evaluation = new Evaluation(document, new WorkBudget({ free: 100_000_000 }));
  const valid = evaluation.accepts(document.root, value);
  return { valid, steps: evaluation.steps };
}

function member(op: string, ...operands: string[]): JsonObject {
  const parts = Object.fromEntries(operands.map((name) => [name, { $ref: "#/$defs/expression" }]));
  return {
    type: "object",
    properties: { ...parts, op: { const: op } },
    required: ["op", ...operands],
    additionalProperties: false,
  };
}

/** add | mul | neg | number, told apart by a constant. */
function expressions(union: string): JsonObject {
  const value = {
    type: "object",
    properties: { op: { const: "number" }, n: { type: "number" } },
    required: ["n"],
  };
  const members = [member("add", "l", "r"), member("mul", "l", "r"), member("neg", "l"), value];
  return { $defs: { expression: { [union]: members } }, $ref: "#/$defs/expression" };
}

const child = { properties: { l: { $ref: "#" } } };
const other = { properties: { r: { $ref: "#" } } };

/**
 * Recursive schemas for `{ op: "neg", l: { op: "neg", l: … } }`, each of which a naive check tries again at each level.
 */
const recursive: Readonly<Record<string, JsonObject>> = {
  "a union by anyOf": expressions("anyOf"),
  "a union by oneOf": expressions("oneOf"),
  "a union without a discriminator": {
    anyOf: [{ ...child, required: ["none"] }, { ...child, type: "object" }, { type: "number" }],
  },
  "the same schema twice": { allOf: [child, child] },
  "if, then and else": { if: child, then: child, else: { ...child, required: ["none"] } },
  "not, twice": { not: { not: child } },
  "unevaluated members": {
    anyOf: [child, other],
    properties: { op: true, n: true },
    unevaluatedProperties: false,
  },
  "a dynamic reference": {
    $id: "http://e/tree",
    $dynamicAnchor: "node",
    anyOf: [
      { properties: { l: { $dynamicRef: "#node" } }, required: ["none"] },
      { properties: { l: { $dynamicRef: "#node" } } },
    ],
  },
  "dependent schemas": { dependentSchemas: { op: child, l: child } },
};

function nested(depth: number, leaf: JsonValue, constantFirst: boolean): JsonValue {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = constantFirst ? { op: "neg", l: value } : { l: value, op: "neg" };
  return value;
}

// G-schema-7
describe.each(Object.entries(recursive))("%s", (_name, schema) => {
  test.each([true, false])("costs the same for each level, valid or not (constant first: %s)", (first) => {
    for (const leaf of [{ op: "number", n: 1 }, { op: "number", n: "x" }, "x"]) {
      const [a, b, c] = [50, 100, 200].map((depth) => check(schema, nested(depth, leaf, first)).steps);
      expect((c as number) - (b as number)).toBeLessThanOrEqual(2 * ((b as number) - (a as number)) + 20);
    }
  });

  test("bears any depth", () => {
    const valid = check(schema, nested(200, { op: "number", n: 1 }, true)).valid;
    expect(check(schema, nested(20_000, { op: "number", n: 1 }, true)).valid).toBe(valid);
  });
});

// G-schema-7
describe("the steps grow with schema x document:", () => {
  test("a graph of 40 references, each used twice", () => {
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const $defs: Record<string, JsonObject> = { d39: { type: "string" } };
      for (let i = 0; i < 39; i++) {
        $defs[`d${i}`] = { [keyword]: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] };
      }
      const { valid, steps } = check({ $defs, $ref: "#/$defs/d0" }, "x");
      expect(valid).toBe(keyword !== "oneOf");
      expect(steps).toBeLessThan(1_000);
    }
  });

  test("5,000 elements with 300 alternatives", () => {
    const anyOf = Array.from({ length: 300 }, (_, i) => ({ required: [`k${i}`] }));
    const value = Array.from({ length: 5_000 }, (_, i) => ({ [`k${i % 300}`]: 1 }));
    const { valid, steps } = check({ items: { anyOf } }, value);
    expect(valid).toBe(true);
    expect(steps).toBeLessThan(5_000 * 700);
  });

  test("why a deep value matches none of 300 alternatives that refer to each other", () => {
    const anyOf = Array.from({ length: 300 }, (_, i) => ({
      properties: { [`k${i}`]: {}, l: { $ref: "#" } },
    }));
    const document = new SchemaDocument({ type: "object", anyOf });
    const steps = [50, 100, 200].map((depth) => {
      const evaluation = new Evaluation(document, new WorkBudget({ free: 100_000_000 }));
      const value = nested(depth, 5, false);
      expect(evaluation.accepts(document.root, value)).toBe(false);
      expect(evaluation.mismatches(document.root, value)).toMatchObject([{ pointer: "", keyword: "anyOf" }]);
      return evaluation.steps;
    });
    // Only the alternatives that are shown, or looked at to choose them, are applied again.
    expect(steps).toEqual([steps[0], steps[0], steps[0]]);
  });

  test("3,000 schemas around each other", () => {
    const schema = Array.from({ length: 3_000 }).reduce<JsonObject>((inner) => ({ allOf: [inner] }), {
      type: "string",
    });
    expect(check(schema, "x").valid).toBe(true);
    expect(check(schema, 1).valid).toBe(false);
  });
});

// G-schema-7
test("20,000 objects are compared with each other at once", () => {
  const list = Array.from({ length: 20_000 }, (_, i) => ({ id: i, tags: [`${i}`] }));
  expect(check({ uniqueItems: true }, list).valid).toBe(true);
  expect(check({ uniqueItems: true }, [...list, { tags: ["7"], id: 7 }]).valid).toBe(false);
});

// G-schema-7
test("a check that takes too many steps ends with an error", () => {
  const document = new SchemaDocument({ items: { type: "number" } });
  const evaluation = new Evaluation(document, new WorkBudget({ free: 10, factor: 0 }));
  expect(() => evaluation.accepts(document.root, new Array<JsonValue>(100).fill(1))).toThrow(
    expect.objectContaining({ code: "too_complex" }) as Error,
  );
});

test("a value whose check ended with an error does not change the check of the next", () => {
  const schema = { $defs: { broken: { not: { $ref: "#/nowhere" } }, five: { not: { const: 5 } } } };
  const document = new SchemaDocument(schema);
  const evaluation = new Evaluation(document, new WorkBudget({ free: 100 }));
  const accepts = (part: JsonObject, value: JsonValue): boolean =>
    evaluation.accepts(document.find(part) as SchemaNode, value);
  expect(() => accepts(schema.$defs.broken, 1)).toThrow();
  expect(accepts(schema.$defs.five, 5)).toBe(false);
  expect(accepts(schema.$defs.five, 2)).toBe(true);
});

test("a schema that leads back to itself after a mismatch is explained once", () => {
  const $defs = { a: { $ref: "#/$defs/b" }, b: { type: "string", $ref: "#/$defs/a" } } as const;
  const document = new SchemaDocument({ $defs, $ref: "#/$defs/a" });
  const evaluation = new Evaluation(document, new WorkBudget());
  expect(evaluation.accepts(document.root, 5)).toBe(false);
  expect(evaluation.mismatches(document.root, 5)).toMatchObject([{ pointer: "", keyword: "type" }]);
});

/** With backtracking, one of these texts would take longer than the tests may. */
// G-schema-7
test.each([...formats])("the format %s is checked without backtracking", (_name, isOfFormat) => {
  const units = [
    "a",
    "1",
    ".",
    "a.",
    "a-",
    "1.",
    ":",
    "1:",
    "@",
    "a@",
    "%41",
    "/",
    "~0",
    "{a}",
    "é",
    "xn--",
    "[",
    "(",
  ];
  for (const before of ["", "http://", "a@", '"', "P", "2020-01-01T"]) {
    for (const unit of units) {
      for (const after of ["", "!", "\u0000"]) isOfFormat(`${before}${unit.repeat(2_000)}${after}`);
    }
  }
  expect(isOfFormat(`http://${"a".repeat(100_000)}!`)).toBeTypeOf("boolean");
});
