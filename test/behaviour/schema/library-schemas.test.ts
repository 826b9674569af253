import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import fc from "fast-check";
import { collect, from, guardOf, JsonParser, jsonParser, pipe, schemaOf, type SchemaInput } from "millrace";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { z } from "zod";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { slowRuns } from "../../json/support/runs.js";
import { schemaFrom, type Sample } from "./support/sample.js";
import { arktypeSamples } from "./support/arktype-samples.js";
import { valibotSamples } from "./support/valibot-samples.js";
import { zodSamples } from "./support/zod-samples.js";

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
  // G-schema-1
  test("the guard refuses no value that the library accepts, however it is cut", async () => {
    let [accepted, tried] = [0, 0];
    await fc.assert(
      fc.asyncProperty(samples, stepsArbitrary, async ({ code, value }, steps) => {
        let schema: SchemaInput;
        try {
          schema = schemaFrom(code, names);
          if (pass !== undefined) schema = pass(schema as never);
        } catch {
          return; // the library refuses the combination
        }
        const text = JSON.stringify(value);
        let result;
        try {
          result = await schemaOf(schema).validate(JSON.parse(text));
        } catch {
          return; // a function in the schema threw
        }
        tried++;
        if (result.issues !== undefined) return;
        accepted++;
        const parser = new JsonParser({ guard: guardOf(schema) });
        for (const chunk of chunksOf(text, steps)) parser.write(chunk);
        parser.end();
        const { final } = jsonParser(schema as typeof z, { strict: true });
        const [found] = await collect(pipe(from(chunksOf(text, steps)), final));
        // As text, because a result may contain functions, which are new for each result.
        expect(inspect(found, { depth: null })).toBe(inspect(result.value, { depth: null }));
      }),
      { numRuns: slowRuns(200), seed: Number(process.env["MILLRACE_SEED"] ?? 1) },
    );
    // A third or more of the values must be accepted, or the samples test nothing.
    expect(accepted).toBeGreaterThan(tried / 3);
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
