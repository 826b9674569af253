import { createAgent, from } from "millrace";
import {
  agUiHandler,
  boundedHandler,
  memoryLog,
  nodeHandler,
  runHandler,
  toEventStream,
} from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { inChromium } from "./support/chromium.js";
import { type Listening, listen } from "./support/listen.js";
import { siteOf } from "./support/site.js";

const blank = "<!doctype html><title>A page</title>";
const input = JSON.stringify({
  threadId: "t",
  runId: "r",
  messages: [{ id: "1", role: "user", content: "Tea?" }],
});

interface Bounds {
  readonly origins?: readonly string[];
}

/** The handlers of the docs. `onRun` is called for each run that starts. */
const handlers: readonly [
  name: string,
  (onRun: () => void, bounds: Bounds) => (request: Request) => Promise<Response>,
][] = [
  [
    "runHandler()",
    (onRun, bounds) =>
      runHandler((_, run) => (onRun(), toEventStream(from([[]]), run)), { log: memoryLog(), ...bounds }),
  ],
  ["boundedHandler()", (onRun, bounds) => boundedHandler(() => (onRun(), toEventStream(from([[]]))), bounds)],
  [
    "agUiHandler()",
    (onRun, bounds) => agUiHandler(() => (onRun(), createAgent({ model: scriptedModel(["Tea."]) })), bounds),
  ],
];

/** What a page can try without asking its user, and whether it can read what comes back. */
async function attack(page: Page, url: string): Promise<string[]> {
  return page.evaluate(
    async ([to, body]) => {
      const tries: [string, RequestInit][] = [
        ["json", { headers: { "content-type": "application/json" } }],
        [
          "json with credentials",
          { headers: { "content-type": "application/json" }, credentials: "include" },
        ],
        ["text", { headers: { "content-type": "text/plain" } }],
        ["unseen", { mode: "no-cors" }],
        ["form", { mode: "no-cors", headers: { "content-type": "application/x-www-form-urlencoded" } }],
        ["blob", { body: new Blob([body], { type: "text/plain;application/json" }) }],
      ];
      const read: string[] = [];
      for (const [name, init] of tries) {
        const text = fetch(to, { method: "POST", body, ...init }).then((it) => it.text());
        if ((await text.catch(() => "")) !== "") read.push(name);
      }
      for (const method of ["GET", "DELETE"]) {
        const text = fetch(`${to}?run=a`, { method }).then((it) => it.text());
        if ((await text.catch(() => "")) !== "") read.push(method);
      }
      const form = document.createElement("form");
      Object.assign(form, { action: to, method: "post", enctype: "text/plain", target: "frame" });
      const frame = document.createElement("iframe");
      frame.name = "frame";
      const field = document.createElement("input");
      Object.assign(field, { name: body.slice(0, -1) + ',"x":"', value: '"}' });
      form.append(field);
      document.body.append(frame, form);
      const answered = new Promise((resolve) => {
        frame.onload = resolve;
      });
      form.submit();
      await answered;
      navigator.sendBeacon(to, body);
      return read;
    },
    [url, input] as const,
  );
}

inChromium("a page of another origin", (open) => {
  async function served(handle: (request: Request) => Promise<Response>): Promise<Listening> {
    const server = await listen(nodeHandler(handle));
    onTestFinished(() => server.close());
    return server;
  }
  async function pageAt(url: string): Promise<Page> {
    const page = await open();
    await page.goto(url);
    return page;
  }

  // G-wire-13
  test.each(handlers)("starts no run of %s, and reads nothing", async (_, handlerOf) => {
    let runs = 0;
    const server = await served(handlerOf(() => runs++, {}));
    const other = await siteOf(blank, (_request, response) => response.end());
    onTestFinished(() => other.close());
    const page = await pageAt(other.url);
    expect(await attack(page, `${server.url}/?run=b`)).toEqual([]);
    expect(runs).toBe(0);
  });

  test.each(handlers)("that is allowed starts runs of %s, with JSON only", async (_, handlerOf) => {
    let runs = 0;
    const other = await siteOf(blank, (_request, response) => response.end());
    onTestFinished(() => other.close());
    const server = await served(handlerOf(() => runs++, { origins: [other.url] }));
    const read = await attack(await pageAt(other.url), `${server.url}/?run=b`);
    expect(read.slice(0, 1)).toEqual(["json"]);
    expect(read).not.toContain("json with credentials");
    expect(runs).toBe(1);
  });
});
