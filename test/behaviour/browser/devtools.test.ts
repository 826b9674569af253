import { streamObject, type MessageChunk } from "millrace";
import { reportOf } from "millrace/client";
import { memoryLog, toEventStream, toNodeResponse } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import type { Locator, Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { bundle } from "./support/bundle.js";
import { inChromium } from "./support/chromium.js";
import type { Listening } from "./support/listen.js";
import { siteOf } from "./support/site.js";

/** A model that makes two mistakes of JSON and two of the schema, and reports its tokens. */
const answer: readonly (string | MessageChunk)[] = [
  '{"title": "Gree',
  'n tea", "minutes": "3',
  '", "steps": "Pour",',
  "}",
  {
    content: [],
    model: "gpt-5-mini-2025-08-07",
    usage: { inputTokens: 3_000, outputTokens: 1_000, details: { cacheReadTokens: 2_000 } },
  },
];
const schema = {
  type: "object",
  properties: {
    title: { type: "string" },
    minutes: { type: "integer" },
    steps: { type: "array", items: { type: "string" } },
  },
  required: ["title", "minutes", "steps"],
} as const;

inChromium("the devtools in a page", (open) => {
  let site: Listening | undefined;
  afterEach(() => site?.close());

  /** Opens a page whose styles would hide the panel. Its run and the report come from a server. */
  async function visit(mode: "development" | "production"): Promise<Page> {
    const script = await bundle("behaviour/browser/pages/devtools.ts", {
      define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    });
    const log = memoryLog();
    const hostile = "<style>body * { color: red; display: none }</style>";
    const document = `<!doctype html><link rel="icon" href="data:,">${hostile}<body><script type="module">${script}</script>`;
    site = await siteOf(document, (request, response) => {
      if (request.url === "/runs/1/report")
        return toNodeResponse(toEventStream(undefined, { log, id: "report" }), response);
      const prices = { "gpt-5-mini": { input: 1, output: 10, cacheRead: 0.1 } };
      const call = streamObject({ model: scriptedModel(answer), schema, prompt: "Tea.", prices });
      toEventStream(reportOf(call.events), { log, id: "report" });
      return toNodeResponse(call.toResponse(), response);
    });
    const page = await open();
    await page.goto(site.url);
    return page;
  }
  const panel = (page: Page): Locator => page.locator("millrace-devtools");

  test("shows chunks, patches, renders, repairs, coercions, tokens and cost", async () => {
    const page = await visit("development");
    const button = panel(page).getByRole("button", { name: /^millrace/ });
    await expect.poll(() => button.textContent()).toBe("millrace · 1 stream · €0.011");
    expect(await panel(page).getByText("recipe").isVisible()).toBe(false);
    await button.click();
    expect(await panel(page).getByText("recipe").isVisible()).toBe(true);
    const facts = await panel(page).locator("section").innerText();
    expect(facts).toMatch(/^recipe\s+done\s+\d+\.\d s$/m);
    expect(facts).toMatch(/^4 chunks · [2-4] patches · 0\.\d kB · \d+ renders?$/m);
    expect(facts).toMatch(/^gpt-5-mini-2025-08-07 · 3,000 tokens in · 1,000 out · €0\.011$/m);
    for (const name of ["repairs (1)", "coercions (2)"]) await panel(page).getByText(name).click();
    expect(await panel(page).locator("li:visible").allTextContents()).toEqual([
      "trailing comma at 55",
      '/minutes number: "3" → 3',
      '/steps list: "Pour" → ["Pour"]',
    ]);
    await page.evaluate(() => (globalThis as unknown as { closeDevtools(): void }).closeDevtools());
    expect(await panel(page).count()).toBe(0);
  });

  test("add nothing in production, where the page works without them", async () => {
    const page = await visit("production");
    await expect.poll(() => page.title()).toBe("done Green tea");
    expect(await panel(page).count()).toBe(0);
  });
});
