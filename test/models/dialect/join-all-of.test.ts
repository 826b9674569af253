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
