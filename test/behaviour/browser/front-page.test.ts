import type { Page } from "playwright-core";
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

  async function visit(options: Parameters<OpenPage>[0], ownClock = false): ReturnType<OpenPage> {
    site = await siteOf(await documentOf("front-page.ts"), (_, response) => response.end());
    const page = await open(options);
    await page.addInitScript(recordSteps);
    if (ownClock) {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(60_000);
    }
    await page.goto(site.url);
    return page;
  }

  const counts = (page: Page): Promise<string | null> => page.locator(".live-counts").textContent();

  test("has a demo that reads the answer of a model while it arrives, points at its mistakes, and begins again", async () => {
    const page = await visit({});
    const card = page.locator(".live-card");
    await expect.poll(() => counts(page)).toMatch(/^\d+ chunks · 4 repairs$/);
    await expect.poll(() => page.locator(".live-demo .caret").count()).toBe(0);
    expect(await card.innerText()).toMatch(/Green tea\s+10 minutes\s*vegetarian\s+Warm the pot\./);
    expect(await card.locator("li").count()).toBe(3);
    const marked = await page.locator(".live-demo mark").allTextContents();
    expect(marked.map((text) => text.trim())).toEqual(["'Green tea'", "// or so", "True", ","]);
    expect(await page.locator(".live-demo small").allTextContents()).toEqual([
      " ← single quotes",
      " ← a comment",
      " ← Python's True",
      " ← one comma too many",
    ]);
    const steps = (): Promise<number[]> => page.evaluate(() => recordedSteps);
    const first = await steps();
    expect(first, "the first step is there before the last one").toContain(1);
    await expect.poll(async () => (await steps()).slice(first.length)).toContain(1);
  });

  test("runs the demo only while it is on the screen, and not while it is paused", async () => {
    const page = await visit({}, true);
    const demo = page.locator(".live-demo");
    await page.addStyleTag({ content: "main { margin: 3000px 0 }" });
    await page.evaluate(() => scrollTo(0, 0));
    /** Whether some chunks are shown in the time of a few, which is much shorter than the pause at the end. */
    const runs = async (): Promise<boolean> => {
      const before = await counts(page);
      await page.clock.runFor(200);
      return before !== (await counts(page));
    };
    await expect.poll(runs).toBe(false);
    await demo.scrollIntoViewIfNeeded();
    await expect.poll(runs).toBe(true);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(runs).toBe(false);
    await demo.scrollIntoViewIfNeeded();
    await expect.poll(runs).toBe(true);
    await page.getByRole("button", { name: "Pause" }).click();
    expect(await runs()).toBe(false);
    await page.getByRole("button", { name: "Play" }).click();
    expect(await runs()).toBe(true);
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
