import { setImmediate } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { guardOf, JsonParser, type JsonParserOptions } from "millrace";
import { expect, test } from "vitest";

/**
 * Creates twenty parsers of each kind, collects garbage, and counts the parsers that are left. The stack and registers
 * may still refer to some.
 */
async function parsersLeft(kinds: readonly JsonParserOptions[]): Promise<number> {
  for (let i = 0; i < 20; i++) for (const kind of kinds) new JsonParser(kind).write('{"a": "b');
  await setImmediate();
  return queryObjects(JsonParser, { format: "count" });
}

test("one parser of each kind stays alive after a collection", async () => {
  const left = await parsersLeft([{}, { repair: true }, { repair: true, extract: "auto" }]);
  expect(left).toBeGreaterThanOrEqual(3);
  expect(left).toBeLessThan(30);
});

test("a guarded parser stays alive after a collection, with and without coercion", async () => {
  const guard = guardOf({ type: "object", properties: { a: { type: "string" } } });
  const left = await parsersLeft([{ guard }, { guard, repair: true }]);
  expect(left).toBeGreaterThanOrEqual(5);
  expect(left).toBeLessThan(25);
});
