import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** The suite runs on the sources, and with MILLRACE_DIST=1 again on what is shipped. */
const onDist = process.env["MILLRACE_DIST"] === "1";
const root = fileURLToPath(new URL(".", import.meta.url));
const home = onDist ? `${root}dist/` : `${root}src/`;
const extension = onDist ? "js" : "ts";

/** What says nothing about the other: the tree itself, and the package as it is packed. */
const onlyOnSources = [
  "test/behaviour/examples/readmes.test.ts",
  "test/house/byte-ceilings.test.ts",
  "test/house/comparison.test.ts",
  "test/house/file-sizes.test.ts",
  "test/house/layers.test.ts",
  "test/house/lock-file.test.ts",
  "test/house/markdown-examples.test.ts",
  "test/house/migration.test.ts",
  "test/house/papers.test.ts",
  "test/house/site*.test.ts",
  "test/house/size-table.test.ts",
];
const onlyOnDist = ["test/house/packed.test.ts"];

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
      { find: /^millrace\/testing$/, replacement: `${home}testing/index.${extension}` },
      { find: /^#src\/(.*)\.js$/, replacement: `${home}$1.${extension}` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(onDist ? onlyOnSources : onlyOnDist)],
    typecheck: { enabled: !onDist, include: ["test/**/*.test-d.ts"], tsconfig: "tsconfig.types.json" },
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // Files share a worker's modules: most of the time went into loading them again for each file.
    isolate: false,
    maxWorkers: "100%",
  },
});
