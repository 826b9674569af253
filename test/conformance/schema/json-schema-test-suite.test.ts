import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { JsonObject, JsonValue } from "millrace";
import { guardOf, schemaOf, SchemaViolation } from "millrace/schema";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { parserOf } from "../../support/parser-of.js";

/**
 * The official suite as published on npm (`json-schema-test-suite`), which has draft-04 only. Cases that mean the same
 * in later drafts are run for them too.
 */
const require = createRequire(import.meta.url);
const folder = join(dirname(require.resolve("json-schema-test-suite/package.json")), "tests/draft4");
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly data: JsonValue;
  readonly valid: boolean;
}

const drafts = {
  "draft-04": "http://json-schema.org/draft-04/schema#",
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

/** Files with keywords that have another meaning, or none, in later drafts. */
const onlyDraft4 = ["maximum.json", "minimum.json", "ref.json"];
const notIn202012 = ["items.json", "additionalItems.json", "dependencies.json"];

/** Skipped, with the reason. */
const skipped: Readonly<Record<string, string>> = {
  "refRemote.json": "refers to schemas on a server: nothing here fetches a schema",
};

function casesFor(draft: keyof typeof drafts): Case[] {
  return files
    .filter((file) => skipped[file] === undefined)
    .filter((file) => draft === "draft-04" || !onlyDraft4.includes(file))
    .filter((file) => draft !== "2020-12" || !notIn202012.includes(file))
    .flatMap((file) =>
      (JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[]).flatMap(
        ({ description, schema, tests }) =>
          tests.map(({ description: what, data, valid }) => ({
            name: `${file}: ${description}: ${what}`,
            schema: { ...schema, $schema: drafts[draft] },
            data,
            valid,
          })),
      ),
    );
}

interface Group {
  readonly description: string;
  readonly schema: JsonObject;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** The guard's result for a document in these chunks. */
function violation(schema: JsonObject, chunks: readonly string[]): SchemaViolation | undefined {
  try {
    const parser = parserOf({ guard: guardOf(schema) });
    chunks.forEach((chunk) => {
      parser.write(chunk);
    });
    parser.end();
    return undefined;
  } catch (error) {
    if (error instanceof SchemaViolation) return error;
    throw error;
  }
}

describe.each(Object.keys(drafts) as (keyof typeof drafts)[])("%s", (draft) => {
  const cases = casesFor(draft);

  // G-schema-5
  test("schemaOf() agrees with each case", () => {
    const wrong = cases.filter(({ schema, data, valid }) => {
      const result = schemaOf(schema).validate(data);
      return result instanceof Promise || (result.issues === undefined) !== valid;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  // G-schema-1
  test("the guard accepts every valid case, for any split", () => {
    for (const { name, schema, data, valid } of cases) {
      if (!valid) continue;
      for (const chunks of everyCut(JSON.stringify(data))) {
        expect(violation(schema, chunks)?.message, name).toBeUndefined();
      }
    }
  });

  // G-schema-2
  test("the guard rejects each invalid case, for any split", () => {
    for (const { name, schema, data, valid } of cases) {
      if (valid) continue;
      for (const chunks of everyCut(JSON.stringify(data))) {
        expect(violation(schema, chunks), `${name}: ${chunks.join("|")}`).toBeInstanceOf(SchemaViolation);
      }
    }
  });
});
