import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { packageEntries } from "./scripts/entries.js";

/** The suite runs on the sources. With MILLRACE_PACKAGE=1, the tests of test/package run on what is shipped. */
const onPackage = process.env["MILLRACE_PACKAGE"] === "1";
/** With MILLRACE_PLAIN_SCANNER=1, the JSON suite runs without the short cuts of the scanner. */
const onPlainScanner = process.env["MILLRACE_PLAIN_SCANNER"] === "1";
const root = import.meta.dirname;

const entries = packageEntries(root).map(({ name, file, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(root, onPackage ? `dist/${file}.js` : source),
}));

const ofPackage = "test/package/*.test.ts";
/** `npm run compare` checks what docs/learn/comparison.md says about other libraries. CI runs it every week. */
const comparing = process.env["MILLRACE_COMPARE"] === "1";
const compare = "test/conformance/compare/**";

/** Files that wait for browsers, servers, databases and processes, so more of them run at once. */
const waiting = [
  "test/behaviour/{browser,durable,examples,extract,http,mcp,platforms,recipes,redis,templates,thread}/**/*.test.ts",
  "test/cli/{commands,extract}/**/*.test.ts",
  "test/behaviour/agent/{http,wire}/broken-answers.test.ts",
  "test/durable/**/*.test.ts",
  "test/serve/{http,redis}/**/*.test.ts",
  "test/thread/stores/*.test.ts",
  "playground/test/{browser/*,start-playground}.test.ts",
];
/**
 * The files that start or kill processes and servers again and again, hunt with random bytes, count the steps of long
 * texts, or play whole pages. They take as long as all others, so `npm test` leaves them to `npm run test:long`, which is
 * a gate of its own.
 */
const long = [
  "test/behaviour/{durable,extract,mcp,redis,thread}/*.test.ts",
  "test/{cli/extract,durable/batch}/provider-batch.test.ts",
  "test/behaviour/browser/{front-page,use-chat,use-object}.test.ts",
  "playground/test/browser/playground.test.ts",
  "test/behaviour/{examples,platforms}/*.test.ts",
  "test/behaviour/{http/raw-requests,models/keys}.test.ts",
  "test/{behaviour/json,parsers/patch-lines}/*-cost.test.ts",
  "test/behaviour/{json/{bombs,long-strings},xml/bombs,ui/bad-input,parsers/mutated-lines}.test.ts",
  "test/{parsers/{patch-lines/bounds,text-tool-calls/deep-calls},object/long-objects}.test.ts",
  "test/behaviour/{agent/load,cli/*}.test.ts",
  "test/cli/commands/{demo,playground}-command.test.ts",
  "test/serve/http/slow-clients.test.ts",
  "test/{cli/extract/extract-command,thread/stores/stores}.test.ts",
];
const computing = {
  include: ["{test,playground/test}/**/*.test.ts"],
  exclude: [...waiting, ...long],
  maxConcurrency: 20, // the concurrent tests are the laws of operators, which wait for timers of a millisecond
};
/** After the others, which have another number of workers. */
const manyWorkers = { maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 1 } };
/**
 * The JSON suite without `src/json/fast`, because the parser must be correct with that folder deleted. The tests of costs
 * run on the whole parser only.
 */
const plainScanner = {
  include: [
    "test/json/{,!(fast|patch)/}*.test.ts",
    "test/lenient/*.test.ts",
    "test/conformance/json/*.test.ts",
    "test/behaviour/json/!(bombs|*-cost).test.ts",
    "test/schema/guard/*.test.ts",
    "test/behaviour/schema/guard-properties.test.ts",
  ],
  alias: [{ find: /^.*\/fast\/fast-paths\.js$/, replacement: `${root}/test/json/support/no-fast-paths.ts` }],
  env: { MILLRACE_RUNS: "500" }, // in CI too: the properties have run on the whole parser
};

/**
 * Files that begin before the others, in this order: those that measure the heap, because the heap of a worker grows with
 * each file, and the longest, because a long file at the end would wait alone. Vitest knows only the
 * durations of an earlier run, and a fresh clone has none.
 */
const first = [
  ...["stream/leaks", "text/growing-text", "house/docs-examples", "models/laws"],
  ...["wire/broken-answers", "file/file-journal"],
  ...["extract/workers", "examples/readmes", "durable/dbos", "durable/file", "browser/playground"],
  ...["extract/sql-source", "redis/failures", "browser/use-object", "batch/provider-batch"],
  ...["extract/provider-batch", "extract/crashes", "http/raw-requests", "platforms/platforms"],
].map((file) => `/${file}.test.ts`);

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = first.findIndex((end) => moduleId.endsWith(end));
      return found === -1 ? first.length : found;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => groupOf(a) - groupOf(b) || place(a) - place(b));
  }
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}

export default defineConfig({
  resolve: {
    alias: [
      ...entries,
      { find: /^millrace-playground$/, replacement: `${root}/playground/src/index.ts` },
      { find: /^#src\/(.*)\.js$/, replacement: `${root}/src/$1.ts` },
    ],
  },
  test: {
    projects: onPlainScanner
      ? [{ extends: true, test: { name: "plain scanner", ...plainScanner } }]
      : onPackage
        ? [{ extends: true, test: { name: "package", include: [ofPackage] } }]
        : [
            { extends: true, test: { name: "computing", ...computing } },
            { extends: true, test: { name: "waiting", include: waiting, exclude: long, ...manyWorkers } },
            { extends: true, test: { name: "long", include: long, ...manyWorkers } },
          ],
    exclude: [...configDefaults.exclude, ...(onPackage ? [] : [ofPackage]), ...(comparing ? [] : [compare])],
    setupFiles: "test/setup.ts",
    unstubEnvs: true,
    // Tests that kill processes take half a minute where the machine is slow.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    // Files in a worker share its modules: without this, loading them takes most of the time.
    isolate: false,
    maxWorkers: "100%",
    sequence: { sequencer: InOrder },
  },
});
