import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { format } from "oxfmt";
import { print } from "../../../../scripts/runtimes/run.js";
import { bundleFiles } from "../../../behaviour/recipes/bundle-files.js";

export const root: string = join(import.meta.dirname, "../../../..");
const home = join(root, "temp/same-app");

/** An app of Next's shape, built for a server without Next. */
export interface BuiltApp {
  readonly name: string;
  /** The program of its server. */
  readonly server: string;
  readonly document: string;
  /** The lines of its page and its route that are not empty. */
  readonly lines: number;
  /** The bytes of the script of its page. */
  readonly gzipped: number;
}

/** The sources of an app: a page and a route. */
export interface AppSource {
  readonly name: string;
  readonly page: string;
  readonly route: string;
}

/** The packages of each other library. */
const packages = {
  "AI SDK 7": ["ai@7", "@ai-sdk/react@4", "@ai-sdk/openai@4"],
  "LangChain.js": [
    "langchain@1",
    "@langchain/core@1",
    "@langchain/langgraph@1",
    "@langchain/langgraph-sdk@1",
    "@langchain/openai@1",
  ],
} as const;

/**
 * Installs another library, beside the version that the other tests use. Their packages need Node 22 to run, not to
 * install.
 */
export async function installPeer(name: keyof typeof packages): Promise<void> {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const flags = [
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
  ];
  const all = [...packages[name], "react", "react-dom", "zod"];
  await print("npm", ["install", ...flags, ...all], { cwd: folder, timeout: 300_000 });
}

/** The installed version of a package. */
export function peerVersion(name: keyof typeof packages, packageName: string): string {
  const path = join(home, name, "node_modules", packageName, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}

/** All apps share the schema, and the program that shows the page and counts its renders. */
export async function buildApp({ name, page, route }: AppSource, recipe: string): Promise<BuiltApp> {
  const resolveDir = join(home, name);
  mkdirSync(resolveDir, { recursive: true });
  const files = new Map([
    ["lib/recipe.ts", recipe],
    ["app/page.tsx", page],
    ["app/api/recipe/route.ts", route],
    ["app/main.tsx", mainProgram],
    ["app/server.ts", serverProgram],
  ]);
  const define = { "process.env.NODE_ENV": '"production"' };
  const script = await bundleFiles(files, "app/main.tsx", { resolveDir, define, minify: true });
  const external = ["ai", "@ai-sdk/*", "langchain", "@langchain/*", "zod"];
  const server = join(resolveDir, "server.mjs");
  writeFileSync(
    server,
    await bundleFiles(files, "app/server.ts", { resolveDir, platform: "node", external }),
  );
  const document = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div></div><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
  const lines = (await linesOf(page)) + (await linesOf(route));
  return { name, server, document, lines, gzipped: gzipSync(script).length };
}

/** Counted in one format, so that no app gains from its layout. */
async function linesOf(text: string): Promise<number> {
  const { code } = await format("app.ts", text, { printWidth: 110, objectWrap: "collapse" });
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

/** Dispatches by method, as Next does. */
const serverProgram = `
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import * as route from "./api/recipe/route";

const handle = (request) => route[request.method]?.(request) ?? new Response(null, { status: 405 });
const server = createServer(getRequestListener(handle));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

const mainProgram = `
import { createRoot } from "react-dom/client";
import Page from "./page";

const probe = (globalThis.probe = { renders: 0, clicked: 0, firstField: undefined, shown: [] });
function Counted() {
  probe.renders++;
  return Page();
}
addEventListener("click", () => (probe.clicked = performance.now()), { capture: true });
new MutationObserver(() => {
  if (document.querySelector("h1")?.textContent) probe.firstField ??= performance.now() - probe.clicked;
  const text = document.querySelector("main").innerText;
  if (text !== probe.shown.at(-1)) probe.shown.push(text);
}).observe(document, { subtree: true, childList: true, characterData: true });
createRoot(document.querySelector("div")).render(<Counted />);
`;
