import type { ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runServer, type RunServer } from "../../client/run-server.js";
import { turn } from "../../client/support.js";
import { inChromium } from "./support/chromium.js";
import type { Listening } from "./support/listen.js";
import { answerRun, objectDocument } from "./support/object-site.js";
import { probeOf, showing, siteOf } from "./support/site.js";

inChromium("useObject()", (open) => {
  describe.each(["react", "vue", "svelte", "solid"])("of %s", (framework) => {
    let document: string;
    beforeAll(async () => {
      document = await objectDocument(framework);
    });

    let server: RunServer;
    let site: Listening;
    /** Answers the next request instead of the server of runs. */
    let refuse: ((response: ServerResponse) => unknown) | undefined;
    let complaints: string[];
    beforeEach(async () => {
      server = runServer();
      refuse = undefined;
      complaints = [];
      site = await siteOf(document, async (request, response) => {
        if (refuse !== undefined) return refuse(response);
        return answerRun(server, request, response);
      });
    });
    afterEach(async () => {
      await site.close();
      expect(complaints).toEqual([]);
    });

    const opened = async (): Promise<Page> => {
      const page = await open();
      page.on("console", (message) => {
        const isComplaint = message.type() === "error" || message.type() === "warning";
        // The browser itself reports refused requests.
        if (isComplaint && !message.text().startsWith("Failed to load")) complaints.push(message.text());
      });
      await page.goto(site.url);
      return page;
    };
    const write = async (page: Page, section: string, dish: string): Promise<void> => {
      await page.fill(`#${section} input`, dish);
      await page.click(`#${section} .write`);
    };

    // G-wire-17
    test("fills in the fields, and renders at most once per frame", async () => {
      const page = await opened();
      await showing(page, "#a output", "idle   0 0 0");
      await write(page, "a", "soup");
      await showing(page, "#a output", "connecting   0 0 0");
      server.write('{"title": "Soup", "steps": ["Bo');
      await showing(page, "#a h1", "Soup");
      await showing(page, "#a li", "Bo");
      await showing(page, "#a output", "streaming   31 0 1");
      for (const step of Array.from({ length: 2_000 }, (_, i) => `${i} `)) {
        server.write(step);
        if (step.endsWith("0 ")) await turn();
      }
      server.write('"]}');
      server.end();
      await page.waitForFunction(() =>
        window.document.querySelector("#a output")?.textContent?.startsWith("done"),
      );
      const { perFrame } = await probeOf(page);
      expect(Object.keys(perFrame).length).toBeGreaterThan(5);
      expect(Math.max(...Object.values(perFrame))).toBe(1);
      expect([server.inputs, server.requests]).toEqual([[{ dish: "soup" }], ["POST 1"]]);
    });

    test("stops the model, clears the object, starts again, and shows why a request was refused", async () => {
      const page = await opened();
      await write(page, "a", "soup");
      await expect.poll(() => server.requests).toEqual(["POST 1"]);
      server.write('{"title": "Soup');
      await showing(page, "#a h1", "Soup");
      await page.click("#a .stop");
      await showing(page, "#a output", "stopped   16 0 0");
      await expect.poll(() => server.left).toEqual([1]);
      await page.click("#a .clear");
      await showing(page, "#a output", "idle   0 0 0");
      await showing(page, "#a h1", "");
      await write(page, "a", "tea");
      await expect.poll(() => server.requests).toEqual(["POST 1", "DELETE 1", "POST 2"]);
      server.write('{"title": "Tea', 2);
      await showing(page, "#a h1", "Tea");
      await write(page, "a", "cake"); // replaces the run
      await expect.poll(() => server.left).toEqual([1, 2]);
      await showing(page, "#a h1", "");

      for (const [status, code, message] of [
        [401, "no_session", "Your session has ended."],
        [402, "no_credit", "Add a card first."],
        [429, "too_many_runs", "Three a day are enough."],
        [500, "failed", "The kitchen is on fire."],
      ] as const) {
        refuse = (response) =>
          response
            .writeHead(status, { "content-type": "application/json" })
            .end(JSON.stringify({ error: { code, message } }));
        await page.click("#a .write");
        await showing(page, "#a p", message);
        await showing(page, "#a output", `error ${status} ${code} 0 0 0`);
      }
    });

    // G-wire-16
    test("resumes both recipes of a page after a reload, and one whose component was removed", async () => {
      const page = await opened();
      await write(page, "a", "soup");
      await expect.poll(() => server.requests).toHaveLength(1);
      await write(page, "b", "tea");
      await expect.poll(() => server.requests).toHaveLength(2);
      server.write('{"title": "Soup', 1);
      server.write('{"title": "Tea', 2);
      await showing(page, "#a h1", "Soup");
      await showing(page, "#b h1", "Tea");
      await page.reload();
      await showing(page, "#a h1", "Soup");
      await showing(page, "#b h1", "Tea");
      server.write(' of leeks", "steps": []}', 1);
      server.write(' for two", "steps": []}', 2);
      server.end(1);
      server.end(2);
      await showing(page, "#a output", "done   36 0 3");
      await showing(page, "#a h1", "Soup of leeks");
      await showing(page, "#b h1", "Tea for two");
      await page.reload(); // shows the finished runs again
      await showing(page, "#a h1", "Soup of leeks");
      await showing(page, "#b h1", "Tea for two");
      expect(server.requests.toSorted()).toEqual(["GET 1", "GET 1", "GET 2", "GET 2", "POST 1", "POST 2"]);

      await write(page, "a", "cake");
      await expect.poll(() => server.requests).toHaveLength(7);
      server.write('{"title": "Cake', 3);
      await showing(page, "#a h1", "Cake");
      await page.click("#leave"); // removes the component
      await page.waitForSelector("#a", { state: "detached" });
      server.write(' of carrots", "steps": []}', 3);
      server.end(3);
      await page.reload();
      await showing(page, "#a h1", "Cake of carrots");
      expect([server.requests.at(-2), server.left]).toEqual(["GET 3", []]);
    });
  });

  test("hydrates a page that shows a store that its module has filled", async () => {
    const document = await objectDocument("module-store");
    expect(document).toContain("<main><h1>idle</h1></main>");
    const site = await siteOf(document, (_request, response) => response.end());
    try {
      const page = await open();
      const complaints: string[] = [];
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("console", (message) => complaints.push(message.text()));
      await page.goto(site.url);
      await showing(page, "h1", "Soup");
      expect(complaints.filter((text) => !text.includes("React DevTools"))).toEqual([]);
    } finally {
      await site.close();
    }
  });
});
