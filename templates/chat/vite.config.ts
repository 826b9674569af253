import devServer from "@hono/vite-dev-server";
import { defineConfig } from "vite";

// In development, Vite serves the page, and Hono everything below /api. In production, src/server.ts serves both.
export default defineConfig({
  plugins: [devServer({ entry: "src/api.ts", exclude: [/^\/(?!api\/)/] })],
});
