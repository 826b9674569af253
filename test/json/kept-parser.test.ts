import { queryObjects } from "node:v8";
import { JsonParser } from "millrace";
import { expect, test } from "vitest";

/** Collects garbage, and counts the parsers that are left. */
const parsersAlive = (): number => queryObjects(JsonParser, { format: "count" });

test("one parser of each kind stays alive after a collection, and no others", () => {
  for (let i = 0; i < 10; i++) {
    new JsonParser().write("[1");
    new JsonParser({ repair: true }).write("[1");
    new JsonParser({ repair: true, extract: "auto" }).write("[1");
  }
  expect(parsersAlive()).toBe(3);
});
