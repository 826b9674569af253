import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import type { Probe } from "../pages/probe.js";
import { listen, type Listening } from "./listen.js";

/** An HTML document at `/`, and the test's handler for all other paths. */
export function siteOf(
  document: string,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
  port?: number,
): Promise<Listening> {
  return listen((request, response) => {
    if (!/^\/(?:\?|$)/.test(request.url ?? "")) return answer(request, response);
    return response.setHeader("content-type", "text/html; charset=utf-8").end(document);
  }, port);
}

/** Waits until the page has an element with exactly this text. */
export async function showing(page: Page, selector: string, text: string): Promise<void> {
  const shown = page.locator(selector);
  try {
    await page.waitForFunction(([at, expected]) => document.querySelector(at)?.textContent === expected, [
      selector,
      text,
    ] as const);
  } catch (cause) {
    throw new Error(`${selector} shows ${JSON.stringify(await shown.textContent())}, not ${text}`, { cause });
  }
}

/** The measurements of the page. */
export function probeOf(page: Page): Promise<Probe> {
  return page.evaluate(() => (globalThis as unknown as { readonly probe: Probe }).probe);
}
