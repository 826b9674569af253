import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { chromiumArgs, chromiumPath, noChromium } from "./find-chromium.js";

if (chromiumPath === undefined) console.log(`Skipped: ${noChromium}`);

/**
 * A group of tests in one headless Chromium, which is closed behind them, as is each page behind its test. A test fails if
 * something in its page failed and nobody caught it. Where there is no Chromium, they are skipped.
 *
 * @param tests gets what opens a page, in a profile of its own
 */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  describe.skipIf(chromiumPath === undefined)(name, () => {
    let browser: Browser | undefined;
    let failures: Error[] = [];
    beforeAll(async () => {
      const { chromium } = await import("playwright-core"); // takes a second, which those without need not wait
      browser = await chromium.launch({ executablePath: chromiumPath as string, args: chromiumArgs });
    });
    afterAll(() => browser?.close());
    afterEach(async () => {
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
      const uncaught = failures;
      failures = [];
      expect(uncaught).toEqual([]);
    });
    tests(async (options) => {
      const page = await (browser as Browser).newPage(options);
      page.on("pageerror", (error) => failures.push(error));
      return page;
    });
  });
}

/** Takes the options of playwright, such as `viewport` and `colorScheme`. */
export type OpenPage = (options?: Parameters<Browser["newPage"]>[0]) => Promise<Page>;
