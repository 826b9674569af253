import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  guardOf,
  JsonParser,
  SchemaError,
  schemaOf,
  SchemaViolation,
  type JsonObject,
  type JsonValue,
} from "millrace";
import { describe, expect, test } from "vitest";

/**
 * The whole JSON Schema Test Suite, drafts 4 to 2020-12, required and optional tests. npm has no copy of it, so the tests run
 * if MILLRACE_JSON_SCHEMA_SUITE names a checkout of json-schema-org/JSON-Schema-Test-Suite.
 */
const suite = process.env["MILLRACE_JSON_SCHEMA_SUITE"] ?? "";
const found = existsSync(join(suite, "tests", "draft2020-12"));
if (!found) console.log("official-suite: skipped, MILLRACE_JSON_SCHEMA_SUITE names no checkout of the suite");

const drafts = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

/** Skipped files and groups, with the reason. */
const skipped: readonly (readonly [RegExp, string])[] = [
  [/^vocabulary\.json/, "needs the metaschema of another vocabulary, which is on a server"],
  [/^optional\/(?:bignum|float-overflow)\.json/, "numbers are those of JavaScript"],
  [/^optional\/zeroTerminatedFloats\.json/, "JSON.parse reads 1.0 as 1"],
  [/^optional\/cross-draft\.json/, "refers to schemas on a server"],
  [/^optional\/content\.json/, "content is not decoded"],
  [/^optional\/format-assertion\.json/, "formats are always checked"],
  [/^(?:optional\/)?format\.json/, "formats are always checked"],
];

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

describe.skipIf(!found).each(Object.keys(drafts) as (keyof typeof drafts)[])("%s", (draft) => {
  const folder = join(suite, "tests", draft);
  const files = found
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"))
    : [];
  const groups = files.flatMap((file) =>
    (JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[]).map((group) => ({ file, ...group })),
  );
  const run = groups.filter(
    ({ file, schema }) => typeof schema === "object" && !skipped.some(([pattern]) => pattern.test(file)),
  );

  // G-schema-5
  test("schemaOf() agrees with each case", () => {
    const wrong: string[] = [];
    const unknown: string[] = [];
    for (const { file, description, schema, tests } of run) {
      for (const { description: what, data, valid } of tests) {
        const name = `${file}: ${description}: ${what}`;
        try {
          const result = schemaOf({ $schema: drafts[draft], ...(schema as JsonObject) }).validate(data);
          if (result instanceof Promise || (result.issues === undefined) !== valid) wrong.push(name);
        } catch (error) {
          // A schema on a server, which nothing here fetches.
          const leadsNowhere = error instanceof SchemaError && error.code === "bad_schema";
          (leadsNowhere && JSON.stringify(schema).includes("http") ? unknown : wrong).push(name);
        }
      }
    }
    console.log(`${draft}: ${wrong.length} wrong, ${unknown.length} not loaded\n${wrong.join("\n")}`);
    expect(wrong.filter((name) => !name.startsWith("optional/"))).toEqual([]);
  });

  // G-schema-1
  test("the guard accepts every valid case that the schema accepts", () => {
    for (const { file, description, schema, tests } of run) {
      for (const { data, valid } of tests) {
        if (!valid) continue;
        const full = { $schema: drafts[draft], ...(schema as JsonObject) };
        try {
          if ((schemaOf(full).validate(data) as { issues?: unknown }).issues !== undefined) continue;
        } catch {
          continue;
        }
        const parser = new JsonParser({ guard: guardOf(full) });
        try {
          for (const character of JSON.stringify(data)) parser.write(character);
          parser.end();
        } catch (error) {
          expect(error, `${file}: ${description}`).not.toBeInstanceOf(SchemaViolation);
        }
      }
    }
  });
});
