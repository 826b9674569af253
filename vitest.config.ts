import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The suite runs on the sources, and with MILLRACE_DIST=1 again on what is shipped. */
const onDist = process.env["MILLRACE_DIST"] === "1";
const root = fileURLToPath(new URL(".", import.meta.url));
const home = onDist ? `${root}dist/` : `${root}src/`;
const extension = onDist ? "js" : "ts";

export default defineConfig({
  resolve: {
    alias: [
      { find: /^millrace$/, replacement: `${home}index.${extension}` },
      { find: /^millrace\/openai$/, replacement: `${home}models/openai/index.${extension}` },
      { find: /^millrace\/testing$/, replacement: `${home}testing/index.${extension}` },
      { find: /^#src\/(.*)\.js$/, replacement: `${home}$1.${extension}` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    typecheck: { enabled: !onDist, include: ["test/**/*.test-d.ts"], tsconfig: "tsconfig.json" },
    testTimeout: 30_000,
  },
});
