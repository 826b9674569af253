/**
 * `npm run fuzz -- --minutes 5` runs the properties in rounds, each with the next seed. It stops at the first failure
 * and prints the smallest input, how it was cut, and how to repeat it. The same seed gives the same inputs. `--test
 * TEXT` runs only the tests with this text in their name.
 *
 * `npm run fuzz -- --cost` hunts for texts that cost a reader more than linear time or memory instead. `--test TEXT`
 * takes only the readers with this text in their name.
 */
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { startVitest, type TestCase, type Vitest } from "vitest/node";
import type * as Costs from "./fuzz-cost.js";
import { numberOf, scriptOptions } from "./script-arguments.js";

/** The test files whose properties take their number of runs from the environment. */
const files = [
  "test/json",
  "test/text",
  "test/behaviour/json",
  "test/behaviour/models",
  "test/behaviour/schema",
  "test/conformance/json",
  "test/conformance/schema",
  "test/serve/redis",
  "test/behaviour/http",
  "playground/test",
]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => file.endsWith(".test.ts") && readFileSync(file, "utf8").includes("/support/runs.js"));

/** Files with another number of runs than the usual one. */
const runsOf: Readonly<Record<string, number>> = {
  "test/behaviour/json/any-text.test.ts": 20_000,
  "test/json/fast/fast-paths.test.ts": 20_000,
  "test/conformance/schema/library-schemas.test.ts": 10_000,
  "test/conformance/schema/oracles.test.ts": 10_000,
  "test/text/redactor.test.ts": 20_000,
  "test/behaviour/models/keys.test.ts": 20_000,
  "test/behaviour/http/raw-requests.test.ts": 10_000,
  "playground/test/start-playground.test.ts": 10_000,
};
const parts = [20_000, 2_000, 10_000].map((runs) => ({
  files: files.filter((file) => (runsOf[file] ?? 2_000) === runs),
  runs,
}));

const values = scriptOptions({
  seed: { type: "string", default: String(randomInt(2 ** 31 - 1)) },
  minutes: { type: "string", default: "1" },
  test: { type: "string" },
  cost: { type: "boolean", default: false },
});
const firstSeed = numberOf("seed", values.seed);
const end = Date.now() + numberOf("minutes", values.minutes) * 60_000;

console.log(`Seed ${firstSeed}`);
let seed = firstSeed;
let failed = false;
if (values.cost) {
  const { fuzzCosts } = await bundled<typeof Costs>("scripts/fuzz-cost.ts");
  failed = await fuzzCosts(seed, end, values.test);
} else {
  do {
    let passed = 0;
    for (const part of parts) passed += await run(part);
    if (!failed) console.log(`Seed ${seed}: ${passed} tests passed`);
    seed++;
  } while (!failed && Date.now() < end);
}
// Some of the readers keep a timer for minutes.
process.exit(failed ? 1 : 0);

/** Loads a module as the package has it: tsx gives each function its name again when it is created, which takes long. */
async function bundled<Module>(source: string): Promise<Module> {
  const outfile = join(import.meta.dirname, `../temp/fuzz-${process.pid}.mjs`);
  await build({
    ...{
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
    },
    ...{ tsconfig: "tsconfig.json", logLevel: "warning" },
  });
  try {
    return (await import(pathToFileURL(outfile).href)) as Module;
  } finally {
    rmSync(outfile);
  }
}

/** Returns the number of tests that passed. */
async function run(part: (typeof parts)[number]): Promise<number> {
  let passed = 0;
  const vitest: Vitest = await startVitest("test", part.files, {
    run: true,
    watch: false,
    maxWorkers: 1,
    env: { MILLRACE_SEED: String(seed), MILLRACE_RUNS: String(part.runs) },
    ...(values.test === undefined ? {} : { testNamePattern: escapeRegExp(values.test) }),
    reporters: [
      {
        onTestCaseResult: (test) => {
          const { state } = test.result();
          if (state === "passed") passed++;
          if (state === "failed") report(test);
        },
        onTestRunEnd: (_modules, errors) => {
          for (const { message, stack } of errors) console.log(stack ?? message);
          failed ||= errors.length > 0;
        },
      },
    ],
  });
  await vitest.close();
  return passed;
}

function report(test: TestCase): void {
  failed = true;
  console.log(`\n${test.module.relativeModuleId}: ${test.fullName}`);
  // The message has the seed, the smallest input and its steps.
  for (const { message, cause } of test.result().errors ?? []) {
    console.log(message);
    if (cause !== undefined) console.log(String((cause as { readonly message?: unknown }).message));
  }
  console.log(
    `\nRepeat it: npm run fuzz -- --minutes 0 --seed ${seed} --test ${JSON.stringify(test.name)}\n`,
  );
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
