import type { JsonObject } from "millrace";
import { guardOf } from "millrace/schema";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parserOf } from "../../support/parser-of.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** How often the parser and its guard look at objects, while they read a text in pieces. */
function looks(schema: JsonObject, text: string): number {
  const spies = [
    ...[vi.spyOn(Object, "hasOwn"), vi.spyOn(Object, "keys"), vi.spyOn(Object, "entries")],
    ...[vi.spyOn(Map.prototype, "get"), vi.spyOn(Set.prototype, "has"), vi.spyOn(Array.prototype, "some")],
  ];
  const parser = parserOf({ repair: true, guard: guardOf(schema) });
  for (let i = 0; i < text.length; i += 7) parser.write(text.slice(i, i + 7));
  parser.end();
  expect(parser.complete).toBe(true);
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  vi.restoreAllMocks();
  return count;
}

const object = (properties: JsonObject): JsonObject => ({
  ...{ type: "object", properties, required: Object.keys(properties) },
});
const either = (...anyOf: JsonObject[]): JsonObject => ({ anyOf });
const number = { type: "number" };
const string = { type: "string" };
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const many = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join();

/** A chain of objects in which each member of the union goes on with itself. */
const chain: JsonObject = {
  ...either({ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }),
  $defs: {
    a: { type: "object", properties: { next: { $ref: "#/$defs/a" }, x: number } },
    b: { type: "object", properties: { next: { $ref: "#/$defs/b" }, x: string } },
  },
};

const cases: readonly (readonly [name: string, schema: JsonObject, text: (size: number) => string])[] = [
  [
    "one object where a list is expected",
    list(object({})),
    (size) => `{${many(size, (i) => `"k${i}":[${i}]`)}}`,
  ],
  [
    "members of a union that are withheld",
    either(object({ a: number, z: number }), object({ a: string, z: string })),
    (size) => `{"a":"1",${many(size, (i) => `"k${i}":{"l":[${i}]}`)},"z":"1"}`,
  ],
  [
    "keys that differ from a withheld one only in punctuation",
    either(object({ b: string, a: number }), object({ b: string, a: string })),
    (size) => `{"a":"1","b":"x",${many(size, (i) => `"B${"!".repeat(i % 50)}${i}":null`)}}`,
  ],
  [
    "elements of a union of lists",
    either(list(object({ a: number, b: string })), list(object({ a: string, b: string }))),
    (size) => `[${many(size, () => '{"b":"x","a":"1"}')}]`,
  ],
  [
    "containers that are left open, inside each other",
    chain,
    (size) => `${'{"next":'.repeat(size)}{"x":"1"}${',"x":"1"}'.repeat(size)}`,
  ],
];

// G-schema-6
describe("the cost stays proportional to the length for", () => {
  test.each(cases)("%s", (_, schema, text) => {
    looks(schema, text(10)); // the shapes of the schema
    const once = looks(schema, text(200));
    expect(looks(schema, text(400)) / once).toBeLessThan(2.4);
  });
});
