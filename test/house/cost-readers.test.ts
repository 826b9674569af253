import { expect, test } from "vitest";
import { join } from "node:path";
import { packageEntries } from "../../scripts/entries.js";
import { costReaders, readNoText } from "../support/cost/readers.js";

test("each export of the package reads no text of others, or npm run fuzz -- --cost measures it", async () => {
  const root = join(import.meta.dirname, "../..");
  const exported = new Set<string>();
  for (const { source } of packageEntries(root))
    for (const name of Object.keys((await import(join(root, source))) as object)) exported.add(name);
  const readers = Object.keys(costReaders).map((name) => name.replace(/ .*/, ""));
  const listed = [...readers, ...Object.values(readNoText).flat()];
  expect([...new Set(listed)].sort()).toEqual([...exported].sort());
  for (const name of Object.values(readNoText).flat()) expect(readers).not.toContain(name);
});
