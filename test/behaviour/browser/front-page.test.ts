import { afterEach, expect, test } from "vitest";
import { inChromium, type OpenPage } from "./support/chromium.js";
import type { Listening } from "./support/listen.js";
import { documentOf } from "./support/page.js";
import { siteOf } from "./support/site.js";

declare global {
  /** The numbers of steps that the demo has shown, in their order. */
  var recordedSteps: number[];
}

/** Runs in the page before its scripts, so that a busy machine misses no step. */
function recordSteps(): void {
  globalThis.recordedSteps = [];
  const record = (): void => {
    const count = document.querySelectorAll(".live-card li").length;
    if (count !== recordedSteps.at(-1)) recordedSteps.push(count);
  };
  new MutationObserver(record).observe(document, { childList: true, subtree: true });
}

inChromium("the site's front page", (open) => {
  let site: Listening | undefined;
  afterEach(() => site?.close());

  async function visit(options: Parameters<OpenPage>[0]): ReturnType<OpenPage> {
    site = await siteOf(await documentOf("front-page.ts"), (_, response) => response.end());
    const page = await open(options);
    await page.addInitScript(recordSteps);
    await page.goto(site.url);
    return page;
  }

  test("has a demo that reads the answer of a model while it arrives, and plays again", async () => {
    const page = await visit({});
    const card = page.locator(".live-card");
    await expect.poll(() => page.locator(".live-counts").textContent()).toMatch(/^\d+ chunks · 4 repairs$/);
    await expect.poll(() => page.locator(".live-demo .caret").count()).toBe(0);
    expect(await card.innerText()).toMatch(/Green tea\s+10 minutes\s*vegetarian\s+Warm the pot\./);
    expect(await card.locator("li").count()).toBe(3);
    const steps = (): Promise<number[]> => page.evaluate(() => recordedSteps);
    const first = await steps();
    expect(first, "the first step is there before the last one").toContain(1);
    await page.getByRole("button", { name: "Play again" }).click();
    await expect.poll(async () => (await steps()).slice(first.length)).toContain(0);
  });

  test("shows the end of the demo to those who want less motion", async () => {
    const page = await visit({ reducedMotion: "reduce" });
    await expect.poll(() => page.locator(".live-card li").count()).toBe(3);
  });

  test("copies the command that installs the package", async () => {
    const page = await visit({ permissions: ["clipboard-read", "clipboard-write"], reducedMotion: "reduce" });
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator(".install code").textContent());
  });
});
