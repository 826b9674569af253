import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import fc from "fast-check";
import { collect, from, jsonParser, pipe, type JsonOutputParserOptions } from "millrace";
import { guardOf, schemaOf, type SchemaInput, type Validation } from "millrace/schema";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { z } from "zod";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { slowRuns } from "../../json/support/runs.js";
import { schemaFrom, withNulls, type Sample } from "./support/sample.js";
import { arktypeSamples } from "./support/arktype-samples.js";
import { valibotSamples } from "./support/valibot-samples.js";
import { zodSamples } from "./support/zod-samples.js";
import { parserOf } from "../../support/parser-of.js";

interface Library {
  readonly name: string;
  readonly samples: fc.Arbitrary<Sample>;
  /** The file of the samples, in support/. */
  readonly file: string;
  /** The functions that create schemas and rules, among others. */
  readonly constructors: object;
  /** The names of functions that create nothing. */
  readonly others: RegExp;
  /** What the code of a sample uses. */
  readonly scope: Readonly<Record<string, unknown>>;
  /** How the schema is passed on. */
  readonly pass?: (schema: never) => SchemaInput;
}

const valibot = {
  samples: valibotSamples,
  scope: { v },
  file: "valibot-samples.ts",
  constructors: v,
  others:
    /^(?:assert|flatten|is|summarize)$|^(?:get|set|delete)[A-Z]|^is(?:Of|Vali)|^(?:parse|parser|safeParse|safeParser)(?:Async)?$/,
};
const libraries: readonly Library[] = [
  {
    name: "Zod",
    samples: zodSamples,
    scope: { z },
    file: "zod-samples.ts",
    constructors: { ...z, ...z.iso, ...z.coerce },
    others:
      /^(?:config|input|memoizer|output|registry|toZod|withParser)$|^(?:get|set)[A-Z]|Error$|JSONSchema$|^(?:de|en|safeDe|safeEn)code|^(?:parse|safeParse|validate)(?:Async)?$/,
  },
  { name: "Valibot", ...valibot },
  { name: "Valibot with JSON Schema", ...valibot, pass: toStandardJsonSchema },
  {
    name: "ArkType",
    samples: arktypeSamples,
    scope: { type, scope },
    file: "arktype-samples.ts",
    constructors: Object.fromEntries(Object.entries(type).filter(([, each]) => !("allows" in each))),
    others: /^(?:declare|define|errors|fn|generic|hkt|match|scope)$/,
  },
];

describe.each(libraries)("$name", ({ samples, scope: names, pass, file, constructors, others }) => {
  /** `undefined` if the library refuses the combination. */
  const created = (code: string): SchemaInput | undefined => {
    try {
      const schema = schemaFrom(code, names);
      return pass === undefined ? schema : pass(schema as never);
    } catch {
      return undefined;
    }
  };
  const often = { numRuns: slowRuns(200) };

  // G-schema-1
  test("the guard refuses no value that the library accepts, however it is cut", async () => {
    let [accepted, tried] = [0, 0];
    await fc.assert(
      fc.asyncProperty(samples, stepsArbitrary, async ({ code, value }, steps) => {
        const schema = created(code);
        const text = JSON.stringify(value);
        const result = schema && (await checked(schema, JSON.parse(text)));
        if (schema === undefined || result === undefined) return;
        tried++;
        if (result.issues !== undefined) return;
        accepted++;
        const parser = parserOf({ guard: guardOf(schema) });
        for (const chunk of chunksOf(text, steps)) parser.write(chunk);
        parser.end();
        expect(await final(schema, chunksOf(text, steps))).toBe(shown(result.value));
      }),
      often,
    );
    // A third or more of the values must be accepted, or the samples test nothing.
    expect(accepted).toBeGreaterThan(tried / 3);
  }, 1_200_000);

  test("with nullAsAbsent the guard refuses no value that the check accepts", async () => {
    await fc.assert(
      fc.asyncProperty(withNulls(samples), stepsArbitrary, async ({ code, value }, steps) => {
        const schema = created(code);
        if (schema === undefined) return;
        const text = JSON.stringify(value);
        let unguarded: string;
        try {
          unguarded = await final(schema, [text], { nullAsAbsent: true, guard: false });
        } catch {
          return;
        }
        expect(await final(schema, chunksOf(text, steps), { nullAsAbsent: true })).toBe(unguarded);
        const plain = await checked(schema, JSON.parse(text));
        // What is accepted as it is stays as it is.
        if (plain?.issues === undefined) expect(unguarded).toBe(shown(plain?.value));
      }),
      often,
    );
  }, 1_200_000);

  test("the samples use every constructor of the library", () => {
    const code = readFileSync(new URL(`support/${file}`, import.meta.url), "utf8");
    const all = Object.entries(constructors)
      .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
      .map(([name]) => name);
    const unused = all.filter((name) => !new RegExp(`[.]${name}[(]`).test(code));
    expect(unused.filter((name) => !others.test(name))).toEqual([]);
  });
});

/** `undefined` if a function in the schema throws. */
async function checked(schema: SchemaInput, value: unknown): Promise<Validation<unknown> | undefined> {
  try {
    return await schemaOf(schema).validate(value);
  } catch {
    return undefined;
  }
}

async function final(
  schema: SchemaInput,
  chunks: readonly string[],
  options?: JsonOutputParserOptions,
): Promise<string> {
  const parser = jsonParser(schema, { strict: true, ...options });
  const [value] = await collect(pipe(from(chunks), parser.final));
  return shown(value);
}

/** A value as text, because a result may contain functions, which are new for each result. */
function shown(value: unknown): string {
  return inspect(value, { depth: null });
}
