import { spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { runtimes } from "../../../../scripts/runtimes/runtimes.js";
import { listen, type Listening } from "../../../behaviour/browser/support/listen.js";
import {
  events,
  eventStream,
  firstEvent,
  type ModelServer,
  piece,
  refusal,
  serve,
} from "../../../../scripts/model-server.js";
import type { BuiltApp } from "./apps.js";

/** What a page does in the same situations. */
export interface Measured {
  readonly bytes: number;
  readonly renders: number;
  readonly firstField: number;
  /** The cells of the table, in the order of `failureLabels`. */
  readonly failures: readonly string[];
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

/** Something that goes wrong. The page has just asked. */
interface Failure {
  readonly label: string;
  /** How the model answers: `once`, then as usual, or `always`. */
  readonly once?: ModelAnswer;
  readonly always?: ModelAnswer;
  /** The network between the page and its server. */
  readonly network?: () => ServeApi;
  /** What happens then. By default, nothing more. */
  readonly use?: (seat: Seat) => Promise<string>;
}

interface Seat {
  readonly page: Page;
  readonly site: Site;
  readonly model: LocalModel;
  readonly server: AppServer;
}

const failures: readonly Failure[] = [
  { label: "the provider answers 429", always: status(429, "Rate limit reached for gpt-6.1-terra.") },
  { label: "the provider answers 500", always: status(500, "The server had an error.") },
  { label: "the provider's connection breaks in the middle, once", once: broken },
  { label: "the page's connection is cut in the middle", network: cutOnce },
  {
    label: "the page is reloaded in the middle",
    use: async ({ page, site, model }) => {
      await stepsAsked(model);
      const asked = model.requests.length;
      await page.reload();
      const end = await outcome(page, site);
      return model.requests.length > asked ? `${end}, and the model is asked again` : end;
    },
  },
  {
    label: "the address is opened in a second tab",
    use: async ({ page, site, model }) => {
      await stepsAsked(model);
      const tab = await page.context().newPage();
      await tab.goto(page.url());
      return outcome(tab, site);
    },
  },
  {
    label: "the server is deployed anew in the middle",
    use: async ({ page, site, model, server }) => {
      await stepsAsked(model);
      await server.restart();
      return outcome(page, site);
    },
  },
  {
    label: "the answer is prose",
    always: writes("I would start with the leeks, and let them take their time."),
  },
  {
    label: "`minutes` is a text, once",
    once: writes(wrong),
    use: async ({ page, site }) => {
      const end = await outcome(page, site);
      const { shown } = await probeOf(page);
      const has = (text = ""): boolean => text.includes(wrongMinutes);
      if (!shown.some(has)) return `the text is not shown; ${end}`;
      return has(shown.at(-1)) ? "the text is shown, without an error" : `the text is shown at first; ${end}`;
    },
  },
  { label: "the model refuses", always: refuses },
  { label: "the answer reaches the token limit", always: writes(answer.slice(0, 300), "length") },
  {
    label: "the user stops the model",
    use: async ({ page, site, model }) => {
      await stepsAsked(model);
      const left = model.left();
      await page.click("text=Stop");
      const end = await outcome(page, site);
      return `${end}; the model ${model.left() > left ? "is stopped" : "writes on"}`;
    },
  },
  { label: "the page's request is refused with 401", network: () => refuse },
];

/** The labels of the cells in `Measured.failures`. */
export const failureLabels: readonly string[] = failures.map(({ label }) => label);

/** Runs an app in a browser, with a server of its own on a Node that the AI SDK supports, and one local model. */
export async function measure(app: BuiltApp, browser: Browser, rounds: number): Promise<Measured> {
  const model = await localModel();
  const server = await startServer(app.server, model.baseURL);
  const inPage = async <T>(serveApi: ServeApi, use: (page: Page, site: Site) => Promise<T>): Promise<T> => {
    const site = await siteOf(app.document, server, serveApi);
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(site.url);
      await page.click("text=Write it");
      return await use(page, site);
    } finally {
      await context.close();
      await site.close();
    }
  };
  try {
    const runs: Pick<Measured, "bytes" | "renders" | "firstField">[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(
        await inPage(forward, async (page, site) => {
          await outcome(page, site);
          await sleep(100); // for what follows the last field
          const { renders, firstField } = await probeOf(page);
          return { bytes: site.bytes(), renders, firstField: firstField ?? NaN };
        }),
      );
    }
    const middle = (name: "bytes" | "renders" | "firstField"): number =>
      runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(rounds / 2)] as number;
    const ends: string[] = [];
    for (const { once: first, always, network, use } of failures) {
      model.answers = first === undefined ? [] : [first];
      model.usual = always ?? writes(answer);
      ends.push(
        await inPage(network?.() ?? forward, (page, site) =>
          use === undefined ? outcome(page, site) : use({ page, site, model, server }),
        ),
      );
    }
    return {
      bytes: middle("bytes"),
      renders: middle("renders"),
      firstField: middle("firstField"),
      failures: ends,
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

/** Waits until the model has written about a third of its answer, whatever the page shows of it. */
async function stepsAsked(model: LocalModel): Promise<void> {
  await model.written(answer.length / 3);
  await sleep(100); // on its way to the page
}

/**
 * Waits until the page shows the end of the answer or an error, or nothing new for three seconds while it waits for no
 * response.
 */
async function outcome(page: Page, site: Site): Promise<string> {
  let before = "";
  let since = performance.now();
  while (performance.now() - since < 3_000) {
    const { alert, text } = await page.evaluate(() => ({
      alert: document.querySelector("[role=alert]")?.textContent ?? undefined,
      text: document.querySelector("main")?.innerText ?? "",
    }));
    const part = text.includes("Leek") ? "" : ", nothing else";
    if (alert !== undefined) return `“${shortened(alert)}”${part}`;
    if (text.includes(lastStep)) return "complete";
    if (text !== before || site.open() > 0) since = performance.now();
    before = text;
    await sleep(20);
  }
  return before.includes("Leek") ? "incomplete, without an error" : "empty, without an error";
}

/** In one line of a table. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  return line.length <= 75 ? line : `${line.slice(0, 74)}…`;
}

type ModelAnswer = (response: ServerResponse, written: (text: string) => void) => Promise<void> | void;

/** A model that answers as usual, or first with `answers`. */
interface LocalModel extends ModelServer {
  answers: ModelAnswer[];
  usual: ModelAnswer;
  /** Resolves when the answer to the next or the current request has this length. */
  written(length: number): Promise<void>;
}

async function localModel(): Promise<LocalModel> {
  let length = 0;
  const server = await serve(async (response) => {
    length = 0;
    await (model.answers.shift() ?? model.usual)(response, (text) => (length += text.length));
  });
  const model: LocalModel = {
    ...server,
    answers: [],
    usual: writes(answer),
    written: async (least) => {
      const { requests } = server;
      const asked = requests.length;
      while (length < least || requests.length < asked) await sleep(5);
    },
  };
  return model;
}

function writes(text: string, finish = "stop"): ModelAnswer {
  return async (response, written) => {
    eventStream(response).write(firstEvent);
    for (const token of piecesOf(text)) {
      await sleep(pace);
      if (response.destroyed) return;
      response.write(piece(token));
      written(token);
    }
    response.end(events([], finish));
  };
}

async function broken(response: ServerResponse, written: (text: string) => void): Promise<void> {
  eventStream(response).write(firstEvent);
  for (const token of piecesOf(answer.slice(0, 200))) {
    await sleep(pace);
    response.write(piece(token));
    written(token);
  }
  response.destroy();
}

function refuses(response: ServerResponse): void {
  eventStream(response).end(firstEvent + refusal("I cannot help with soup.") + events([]));
}

/** As OpenAI's API answers, with a second to wait. */
function status(code: number, message: string): ModelAnswer {
  return (response) => {
    const body = { error: { message, type: "server_error", param: null, code: null } };
    response
      .writeHead(code, { "content-type": "application/json", "retry-after": "1" })
      .end(JSON.stringify(body));
  };
}

interface AppServer {
  readonly port: () => number;
  readonly kill: () => void;
  /** Kills the server and starts it again, without what it had in memory. */
  readonly restart: () => Promise<void>;
}

async function startServer(program: string, baseURL: string): Promise<AppServer> {
  const env = { ...process.env, OPENAI_API_KEY: "none", OPENAI_BASE_URL: baseURL };
  const command = await node();
  const start = async (): Promise<{ readonly port: number; readonly kill: () => void }> => {
    const child = spawn(command, [program], { env, stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return { port: Number(line), kill: () => void child.kill("SIGKILL") };
  };
  let running = await start();
  return {
    port: () => running.port,
    kill: () => {
      running.kill();
    },
    restart: async () => {
      running.kill();
      running = await start();
    },
  };
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
  /** The responses that have not ended. */
  readonly open: () => number;
}

type ServeApi = (
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  received: (bytes: number) => void,
) => void;

async function siteOf(document: string, server: AppServer, serveApi: ServeApi): Promise<Site> {
  let bytes = 0;
  let open = 0;
  const site = await listen((request, response) => {
    if (request.url === "/" || request.url?.startsWith("/?")) {
      response.setHeader("content-type", "text/html; charset=utf-8").end(document);
    } else {
      open++;
      response.on("close", () => open--);
      serveApi(request, response, server.port(), (count) => (bytes += count));
    }
  });
  return { ...site, bytes: () => bytes, open: () => open };
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

/** Cuts the first response after some bytes. */
function cutOnce(): ServeApi {
  let requests = 0;
  return (...all) => {
    forward(...all, requests++ === 0 ? 300 : Infinity);
  };
}

function refuse(_: IncomingMessage, response: ServerResponse): void {
  const body = { code: "unauthorized", message: "Sign in to continue." };
  response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify(body));
}
