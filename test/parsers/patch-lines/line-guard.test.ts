import type { JsonObject } from "millrace";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { readLines } from "./support/read-lines.js";

const object = (properties: JsonObject): JsonObject => ({
  ...{ type: "object", properties, additionalProperties: false },
});
const text = { type: "string" };

describe("the value of an operation is repaired as the schema of its place expects it", () => {
  test.each([
    ["before a key that the schema has", "b", { a: 'he said "hi', b: "2" }],
    ["not before another one", "x", { a: 'he said "hi", "x": "2' }],
  ])("a quote in a string ends it %s", async (_, key, it) => {
    const line = `{"op": "add", "path": "/it", "value": {"a": "he said "hi", "${key}": "2"}}\n`;
    for (const chunks of everyCut(line)) {
      const { value } = await readLines(chunks, { schema: object({ it: object({ a: text, b: text }) }) });
      expect(value).toEqual({ it });
    }
  });

  test.each([
    ["is shown at once where the schema allows no object", [text], ["ab"]],
    ["waits where it may be a key", [text, object({ ab: text })], []],
  ])("the first string of an array %s", async (_, anyOf, shown) => {
    const chunks = ['{"op": "add", "path": "/it", "value": ["ab', "c"];
    const { events } = await readLines(chunks, {
      schema: object({ it: { type: "array", items: { anyOf } } }),
    });
    expect(events[0]?.patch.at(-1)).toEqual({ op: "add", path: "/it", value: shown });
  });

  test("a set is a list where the schema expects one", async () => {
    const line = '{"op": "add", "path": "/it", "value": {"a", "b"}}\n';
    for (const chunks of everyCut(line)) {
      const { value } = await readLines(chunks, { schema: object({ it: { type: "array", items: text } }) });
      expect(value).toEqual({ it: ["a", "b"] });
    }
  });
});
