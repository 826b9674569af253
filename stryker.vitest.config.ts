import { configDefaults, defineConfig } from "vitest/config";
import base from "./vitest.config.js";

/** For mutation testing (docs/testing.md): what tests src/json, few runs of each property, the same ones each time. */
export default defineConfig({
  ...base,
  test: {
    include: ["test/json/*.test.ts"],
    // Those that take long, and see nothing that the others miss.
    exclude: [...configDefaults.exclude, "test/json/{bombs,json-test-suite,reference}.test.ts"],
    env: { MILLRACE_RUNS: "40", MILLRACE_SEED: "1" },
    isolate: false,
  },
});
