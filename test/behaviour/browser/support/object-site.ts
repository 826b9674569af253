import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { toNodeResponse } from "millrace/serve";
import type { RunServer } from "../../../client/run-server.js";
import { bundle } from "./bundle.js";
import { components } from "./components.js";

const root = join(import.meta.dirname, "../../../..");

/** The page of a framework, rendered on the server. In the browser, its development build hydrates it. */
export async function objectDocument(framework: string): Promise<string> {
  const program = `behaviour/browser/pages/object/${framework}`;
  const define = {
    "process.env.NODE_ENV": '"development"',
    __VUE_OPTIONS_API__: "false",
    __VUE_PROD_DEVTOOLS__: "false",
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
  };
  const [script, server] = await Promise.all([
    bundle(`${program}.ts`, {
      define,
      plugins: [components("browser")],
      conditions: ["browser", "development"],
    }),
    bundle(`${program}-server.ts`, {
      plugins: [components("server")],
      platform: "node",
      packages: "external",
    }),
  ]);
  const { head, html } = await rendered(server);
  return `<!doctype html><meta charset="utf-8"><title>millrace</title><link rel="icon" href="data:,">${head}<main>${html}</main><script type="module">${script.replaceAll("</script", "<\\/script")}</script>`;
}

/** Runs the program that renders, inside the project, where it finds its packages. */
async function rendered(program: string): Promise<{ readonly head: string; readonly html: string }> {
  mkdirSync(join(root, "temp"), { recursive: true });
  const folder = mkdtempSync(join(root, "temp/page-"));
  try {
    const file = join(folder, "server.mjs");
    writeFileSync(file, program);
    const { render, head = "" } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      readonly render: () => string | Promise<string>;
      readonly head?: string;
    };
    return { head, html: await render() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Answers a request of the page by the server of runs. */
export async function answerRun(
  server: RunServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = request.method === "POST" ? await text(request) : undefined;
  const answer = await server.fetch(request.url ?? "", {
    method: request.method ?? "GET",
    headers: request.headers as Record<string, string>,
    ...(body !== undefined && { body }),
  });
  await toNodeResponse(answer, response);
}
