import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { chromiumArgs, chromiumPath, noChromium } from "../../../../scripts/find-chromium.js";

if (chromiumPath === undefined) console.log(`Skipped: ${noChromium}`);

/**
 * A group of tests in one headless Chromium. Each test gets its own pages, which are closed after it. A test fails if
 * its page has an unhandled error. The tests are skipped without Chromium.
 *
 * @param tests gets a function that opens a page in its own profile
 */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  describe.skipIf(chromiumPath === undefined)(name, () => {
    let browser: Browser | undefined;
    let failures: Error[] = [];
    beforeAll(async () => {
      const { chromium } = await import("playwright-core"); // takes a second, so only if a test runs
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

/** Takes the options of Playwright, such as `viewport` and `colorScheme`. */
export type OpenPage = (options?: Parameters<Browser["newPage"]>[0]) => Promise<Page>;
