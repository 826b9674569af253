import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** For mutation testing (docs/internals/parser-tests.md): the tests of src/json, with few runs of each property and a fixed seed. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^millrace(\/testing)?$/, replacement: `${root}test/json/support/only-json.ts` },
      { find: /^#src\/(.*)\.js$/, replacement: `${root}src/$1.ts` },
    ],
  },
  test: {
    include: ["test/json/**/*.test.ts", "test/behaviour/json/*.test.ts", "test/conformance/json/*.test.ts"],
    // These are slow and find nothing that the others miss.
    exclude: [
      ...configDefaults.exclude,
      "test/behaviour/json/bombs.test.ts",
      "test/conformance/json/{json-test-suite,reference}.test.ts",
    ],
    env: { MILLRACE_RUNS: "40", MILLRACE_SEED: "1" },
    isolate: false,
  },
});
