import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** For mutation testing (docs/testing.md): what tests src/json, few runs of each property, the same ones each time. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^millrace(\/testing)?$/, replacement: `${root}test/json/support/only-json.ts` },
      { find: /^#src\/(.*)\.js$/, replacement: `${root}src/$1.ts` },
    ],
  },
  test: {
    include: ["test/json/*.test.ts"],
    // Those that take long, and see nothing that the others miss.
    exclude: [...configDefaults.exclude, "test/json/{bombs,json-test-suite,reference}.test.ts"],
    env: { MILLRACE_RUNS: "40", MILLRACE_SEED: "1" },
    isolate: false,
  },
});
