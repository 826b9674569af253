import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { runtimes } from "../../../../scripts/runtimes/runtimes.js";
import { listen, type Listening } from "../../../behaviour/browser/support/listen.js";
import { events, eventStream, type ModelServer, piece, serve } from "../../../../scripts/model-server.js";
import type { BuiltApp } from "./apps.js";

/** What a page does in the same situations. Each value is a cell of the table. */
export interface Measured {
  readonly bytes: number;
  readonly renders: number;
  readonly firstField: number;
  readonly reload: string;
  readonly cut: string;
  readonly refused: string;
  readonly wrongType: string;
}

const steps = Array.from(
  { length: 12 },
  (_, i) => `Step ${i + 1}: stir the soup, taste it, and wait a little.`,
);
const answer = JSON.stringify({ title: "Leek soup", minutes: 25, steps });
const wrongMinutes = "about half an hour";
const wrong = JSON.stringify({ title: "Leek soup", minutes: wrongMinutes, steps });
const lastStep = steps.at(-1) as string;
/** About the length of a token. */
const piecesOf = (text: string): string[] => text.match(/.{1,6}/gs) ?? [];
const pace = 10;

/** Runs an app in a browser, with a server of its own on a Node that the AI SDK supports, and one local model. */
export async function measure(app: BuiltApp, browser: Browser, rounds: number): Promise<Measured> {
  const model = await localModel();
  const server = await startServer(app.server, model.baseURL);
  const inPage = async <T>(serveApi: ServeApi, use: (page: Page, site: Site) => Promise<T>): Promise<T> => {
    const site = await siteOf(app.document, server.port, serveApi);
    const page = await browser.newPage();
    try {
      await page.goto(site.url);
      await page.click("text=Write it");
      return await use(page, site);
    } finally {
      await page.close();
      await site.close();
    }
  };
  try {
    const runs: Pick<Measured, "bytes" | "renders" | "firstField">[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(
        await inPage(forward, async (page, site) => {
          await outcome(page);
          await sleep(100); // for what follows the last field
          const { renders, firstField } = await probeOf(page);
          return { bytes: site.bytes(), renders, firstField: firstField ?? NaN };
        }),
      );
    }
    const middle = (name: "bytes" | "renders" | "firstField"): number =>
      runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(rounds / 2)] as number;

    const reload = await inPage(forward, async (page) => {
      await stepsShown(page, 3);
      const asked = model.requests.length;
      await page.reload();
      const end = await outcome(page);
      return model.requests.length > asked ? `${end}, and the model is asked again` : end;
    });
    let requests = 0;
    const half = middle("bytes") / 2;
    const cut = await inPage((...all) => forward(...all, requests++ === 0 ? half : Infinity), outcome);
    const refused = await inPage(refuse, outcome);
    model.answers = [wrong];
    const wrongType = await inPage(forward, async (page) => {
      const end = await outcome(page);
      const { shown } = await probeOf(page);
      const has = (text = ""): boolean => text.includes(wrongMinutes);
      if (!shown.some(has)) return `not shown; asked again; ${end}`;
      return has(shown.at(-1)) ? "shown, without an error" : `shown at first; ${end}`;
    });
    return {
      bytes: middle("bytes"),
      renders: middle("renders"),
      firstField: middle("firstField"),
      reload,
      cut,
      refused,
      wrongType,
    };
  } finally {
    server.kill();
    await model.stop();
  }
}

interface Probe {
  readonly renders: number;
  readonly firstField: number | undefined;
  readonly shown: readonly string[];
}

function probeOf(page: Page): Promise<Probe> {
  return page.evaluate(() => (globalThis as unknown as { readonly probe: Probe }).probe);
}

function stepsShown(page: Page, count: number): Promise<unknown> {
  return page.waitForFunction((n) => document.querySelectorAll("li").length >= n, count);
}

/** Waits until the page shows the end of the answer, an error, or nothing new for two seconds. */
async function outcome(page: Page): Promise<string> {
  let before = "";
  let since = performance.now();
  while (performance.now() - since < 3_000) {
    const { alert, text } = await page.evaluate(() => ({
      alert: document.querySelector("[role=alert]")?.textContent ?? undefined,
      text: document.querySelector("main")?.innerText ?? "",
    }));
    if (alert !== undefined) return `error \`${alert}\``;
    if (text.includes(lastStep)) return "complete";
    if (text !== before) since = performance.now();
    before = text;
    await sleep(20);
  }
  return before.includes("Leek") ? "incomplete, without an error" : "empty";
}

/** The answer of the model, or once the answers that the test has set. */
interface LocalModel extends ModelServer {
  answers: string[];
}

async function localModel(): Promise<LocalModel> {
  const server = await serve(async (response) => {
    eventStream(response);
    for (const text of piecesOf(model.answers.shift() ?? answer)) {
      await sleep(pace);
      if (response.destroyed) return;
      response.write(piece(text));
    }
    response.end(events([]));
  });
  const model: LocalModel = { ...server, answers: [] };
  return model;
}

async function startServer(
  program: string,
  baseURL: string,
): Promise<{ readonly port: number; readonly kill: () => void }> {
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: baseURL };
  const child = spawn(await node(), [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { port: Number(line), kill: () => void child.kill("SIGKILL") };
}

/** AI SDK 7 needs Node 22. */
async function node(): Promise<string> {
  if (Number.parseInt(process.versions.node) >= 22) return process.execPath;
  const newer = await runtimes.find(({ name }) => name.startsWith("Node 24"))?.get();
  if (newer === undefined) throw new Error("scripts/runtimes/runtimes.ts has no Node 24.");
  return newer.command;
}

interface Site extends Listening {
  /** The bytes of the bodies that the page has received from the app. */
  readonly bytes: () => number;
}

type ServeApi = (
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  received: (bytes: number) => void,
) => void;

async function siteOf(document: string, port: number, serveApi: ServeApi): Promise<Site> {
  let bytes = 0;
  const site = await listen((request, response) => {
    if (request.url === "/" || request.url?.startsWith("/?")) {
      response.setHeader("content-type", "text/html; charset=utf-8").end(document);
    } else serveApi(request, response, port, (count) => (bytes += count));
  });
  return { ...site, bytes: () => bytes };
}

/** Forwards to the app's server, and destroys the connection after a number of bytes. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  received: (bytes: number) => void,
  most = Infinity,
): void {
  const { method, url: path, headers } = request;
  let sum = 0;
  const upstream = send({ host: "127.0.0.1", port, method, path, headers }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.on("data", (chunk: Buffer) => {
      received(chunk.length);
      sum += chunk.length;
      response.write(chunk);
      if (sum > most) response.destroy();
    });
    answered.on("end", () => response.end());
    answered.on("error", () => response.destroy());
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}

function refuse(_: IncomingMessage, response: ServerResponse): void {
  const body = { code: "unauthorized", message: "Sign in to continue." };
  response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify(body));
}
