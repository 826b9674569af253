import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "millrace";
import { guardOf, schemaOf, SchemaViolation } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { parserOf } from "../../support/parser-of.js";

/**
 * The whole JSON Schema Test Suite, drafts 4 to 2020-12, required and optional tests. npm has only the tests of draft
 * 4, so this is the copy of the Debian package `libtest-json-schema-acceptance-perl`, which .ci/run installs, or the
 * checkout that MILLRACE_JSON_SCHEMA_SUITE names.
 */
const suite =
  process.env["MILLRACE_JSON_SCHEMA_SUITE"] ?? "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance";
const found = existsSync(join(suite, "tests", "draft2020-12"));
if (!found) console.log(`official-suite: skipped, ${suite} is no copy of the suite`);

const drafts = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;
type Draft = keyof typeof drafts;

/** Skipped files and groups, with the reason. */
const skipped: readonly (readonly [RegExp, string])[] = [
  [/^vocabulary\.json/, "needs the metaschema of another vocabulary, which is on a server"],
  [
    /^refRemote\.json: remote HTTP ref with different/,
    "the address of a schema differs from its $id: nothing is fetched",
  ],
  [/^optional\/(?:bignum|float-overflow)\.json/, "numbers are those of JavaScript"],
  [/^optional\/zeroTerminatedFloats\.json/, "JSON.parse reads 1.0 as 1"],
  [/^optional\/cross-draft\.json/, "refers to schemas of another draft on a server"],
  [/^optional\/content\.json/, "content is not decoded"],
  [/^optional\/format-assertion\.json/, "formats are always checked"],
  [/^(?:optional\/)?format\.json/, "formats are always checked"],
];

/** Invalid cases that the guard leaves to the final check, with the reason. */
const leftToTheEnd: readonly (readonly [RegExp, string])[] = [
  [/^(?:recursiveRef|dynamicRef)\.json/, "the target depends on the way to it"],
  [/^unevaluated\w+\.json: .*\$(?:recursive|dynamic)Ref/, "the target depends on the way to it"],
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

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly data: JsonValue;
  readonly valid: boolean;
}

/** The schemas that the suite serves over HTTP, by their address. They are put into the schema: nothing is fetched. */
function remotesOf(draft: Draft): JsonObject {
  const id = draft === "draft4" ? "id" : "$id";
  const folder = join(suite, "remotes");
  const files = jsonFiles(folder).filter((file) => !file.startsWith("draft") || file.startsWith(`${draft}/`));
  const schemas = files.map((file): [string, JsonObject] => {
    const uri = `http://localhost:1234/${file}`;
    return [uri, { $schema: drafts[draft], [id]: uri, ...(read(join(folder, file)) as JsonObject) }];
  });
  return Object.fromEntries(schemas);
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

function casesOf(draft: Draft): Case[] {
  const folder = join(suite, "tests", draft);
  const definitions = draft.startsWith("draft20") ? "$defs" : "definitions";
  const remotes = remotesOf(draft);
  return jsonFiles(folder).flatMap((file) =>
    (read(join(folder, file)) as Group[]).flatMap(({ description, schema, tests }) => {
      const group = `${file}: ${description}`;
      if (skipped.some(([pattern]) => pattern.test(group))) return [];
      const own = typeof schema === "boolean" ? { allOf: [schema] } : schema;
      const full: JsonObject = { $schema: drafts[draft], ...own };
      if (JSON.stringify(own).includes("http://localhost:1234")) {
        full[definitions] = { ...(full[definitions] as JsonObject | undefined), ...remotes };
      }
      return tests.map(({ description: what, data, valid }) => ({
        name: `${group}: ${what}`,
        schema: full,
        data,
        valid,
      }));
    }),
  );
}

describe.skipIf(!found).each(Object.keys(drafts) as Draft[])("%s", (draft) => {
  const cases = found ? casesOf(draft) : [];

  // G-schema-5
  test("schemaOf() agrees with each case", () => {
    expect(cases.length).toBeGreaterThan(700);
    const wrong = cases.filter(({ schema, data, valid }) => {
      const result = schemaOf(schema).validate(data);
      return result instanceof Promise || (result.issues === undefined) !== valid;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  // G-schema-1
  test("the guard accepts every valid case", () => {
    const refused = cases.filter(({ schema, data, valid }) => valid && isRefused(schema, data));
    expect(refused.map(({ name }) => name)).toEqual([]);
  });

  // G-schema-2
  test("the guard rejects every invalid case, except those of the final check", () => {
    const accepted = cases.filter(({ schema, data, valid }) => !valid && !isRefused(schema, data));
    const names = accepted.map(({ name }) => name);
    expect(names.filter((name) => !leftToTheEnd.some(([pattern]) => pattern.test(name)))).toEqual([]);
  });
});

function isRefused(schema: JsonObject, data: JsonValue): boolean {
  const parser = parserOf({ guard: guardOf(schema) });
  try {
    for (const character of JSON.stringify(data)) parser.write(character);
    parser.end();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(SchemaViolation);
    return true;
  }
}
