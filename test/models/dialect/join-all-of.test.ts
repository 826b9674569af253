import type { JsonObject } from "millrace";
import { expect, test } from "vitest";
import { joinAllOf } from "#src/models/dialect/join-all-of.js";

test("keywords that every object has are merged like others", () => {
  const schema = JSON.parse(
    '{"allOf": [{"__proto__": {"a": 1}, "toString": 1}, {"toString": 1, "type": "object"}]}',
  ) as JsonObject;
  const refuse = (pointer: string): never => expect.unreachable(pointer);
  expect(JSON.stringify(joinAllOf(schema, "", refuse))).toBe(
    '{"__proto__":{"a":1},"toString":1,"type":"object"}',
  );
});

test("a keyword may appear twice if its value differs only in the order of keys", () => {
  const [a, b] = [
    { type: "string", minLength: 1 },
    { minLength: 1, type: "string" },
  ];
  const schema: JsonObject = { properties: { name: a }, allOf: [{ properties: { name: b } }] };
  const refuse = (pointer: string): never => expect.unreachable(pointer);
  expect(joinAllOf(schema, "", refuse)).toEqual({ properties: { name: a } });
});

test.each<readonly [string, JsonObject, JsonObject]>([
  [
    "limits",
    { minLength: 2, allOf: [{ minLength: 3, maxLength: 9 }, { maxLength: 5 }] },
    { minLength: 3, maxLength: 5 },
  ],
  ["types", { type: "number", allOf: [{ type: "integer" }] }, { type: "integer" }],
  ["lists of values", { enum: ["a", "b", "c"], allOf: [{ enum: ["b", "c", "d"] }] }, { enum: ["b", "c"] }],
  [
    "patterns",
    { type: "string", allOf: [{ pattern: "^a" }, { pattern: "b$" }] },
    { type: "string", pattern: "^a", description: '(pattern: "b$")' },
  ],
  [
    "schemas of one property",
    { properties: { a: { type: "string" } }, allOf: [{ properties: { a: { minLength: 2 } } }] },
    { properties: { a: { type: "string", minLength: 2 } } },
  ],
])("two %s narrow each other", (_, schema, joined) => {
  const refuse = (pointer: string): never => expect.unreachable(pointer);
  expect(joinAllOf(schema, "", refuse)).toEqual(joined);
});

test.each<readonly [string, JsonObject, string]>([
  ["types without a common value", { type: "string", allOf: [{ type: "number" }] }, "/allOf/0/type"],
  ["lists without a common value", { enum: [1], allOf: [{ enum: [2] }] }, "/allOf/0/enum"],
])("%s are refused", (_, schema, pointer) => {
  const refuse = (place: string): never => {
    throw new Error(place);
  };
  expect(() => joinAllOf(schema, "", refuse)).toThrow(pointer);
});
