import { join } from "node:path";
import { defineConfig, type UserConfig } from "vite";

/** The page, from its sources to dist/page. */
const config: UserConfig = defineConfig({
  root: join(import.meta.dirname, "src/page"),
  base: "./",
  logLevel: "warn",
  resolve: {
    // The entries of millrace are its sources, so it need not be built.
    tsconfigPaths: true,
    // The page takes 24 KB instead of 83.
    alias: { react: "preact/compat", "react-dom": "preact/compat" },
  },
  build: {
    outDir: join(import.meta.dirname, "dist/page"),
    emptyOutDir: true,
    // So that one policy covers all: nothing is inline, and nothing comes from elsewhere.
    assetsInlineLimit: 0,
    modulePreload: false,
    target: "es2023",
    // Browsers since May 2024: they know light-dark(), which is written twice for older ones.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});
export default config;
