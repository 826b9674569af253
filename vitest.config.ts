import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** The suite runs on the sources, and with MILLRACE_DIST=1 on the build. */
const onDist = process.env["MILLRACE_DIST"] === "1";
const root = fileURLToPath(new URL(".", import.meta.url));
const home = onDist ? `${root}dist/` : `${root}src/`;
const extension = onDist ? "js" : "ts";

/** These test the repository or the other build. */
const onlyOnSources = [
  "test/behaviour/examples/readmes.test.ts",
  "test/house/{byte-ceilings,file-sizes,layers,lock-file,markdown-examples,migration,options,papers,size-table}.test.ts",
  "test/house/site*.test.ts",
];
const onlyOnDist = ["test/house/packed.test.ts"];

/** `npm run compare` checks what docs/comparison.md says about other libraries. CI runs it every week. */
const comparing = process.env["MILLRACE_COMPARE"] === "1";
const compare = "test/conformance/compare/**";

const everything = { include: ["test/**/*.test.ts"] };
/** These suites run once more without `src/json/fast`, because the parser must be correct with that folder deleted. */
const plainScanner = {
  typecheck: { enabled: false },
  include: [
    "test/json/{allow,errors,parser}.test.ts",
    "test/json/repair/*.test.ts",
    "test/behaviour/json/{any-text,invariants,is-complete}.test.ts",
    "test/conformance/json/{json-test-suite,reference}.test.ts",
  ],
  alias: [{ find: /^.*\/fast\/fast-paths\.js$/, replacement: `${root}test/json/support/no-fast-paths.ts` }],
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^millrace$/, replacement: `${home}index.${extension}` },
      { find: /^millrace\/json$/, replacement: `${home}json/index.${extension}` },
      { find: /^millrace\/xml$/, replacement: `${home}xml/index.${extension}` },
      { find: /^millrace\/agent$/, replacement: `${home}agent/index.${extension}` },
      { find: /^millrace\/openai$/, replacement: `${home}models/openai/index.${extension}` },
      { find: /^millrace\/anthropic$/, replacement: `${home}models/anthropic/index.${extension}` },
      { find: /^millrace\/gemini$/, replacement: `${home}models/gemini/index.${extension}` },
      { find: /^millrace\/ollama$/, replacement: `${home}models/ollama/index.${extension}` },
      { find: /^millrace\/serve$/, replacement: `${home}serve/index.${extension}` },
      { find: /^millrace\/redis$/, replacement: `${home}serve/redis/index.${extension}` },
      { find: /^millrace\/client$/, replacement: `${home}client/index.${extension}` },
      { find: /^millrace\/react$/, replacement: `${home}client/react.${extension}` },
      { find: /^millrace\/ix$/, replacement: `${home}stream/ix.${extension}` },
      { find: /^millrace\/testing$/, replacement: `${home}testing/index.${extension}` },
      { find: /^#src\/(.*)\.js$/, replacement: `${home}$1.${extension}` },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: "millrace", ...everything } },
      ...(onDist ? [] : [{ extends: true, test: { name: "plain scanner", ...plainScanner } } as const]),
    ],
    exclude: [
      ...configDefaults.exclude,
      ...(onDist ? onlyOnSources : onlyOnDist),
      ...(comparing ? [] : [compare]),
    ],
    typecheck: {
      enabled: !onDist && !comparing,
      include: ["test/**/*.test-d.ts"],
      tsconfig: "tsconfig.types.json",
    },
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // Files in a worker share its modules: without this, loading them takes most of the time.
    isolate: false,
    maxWorkers: "100%",
  },
});
