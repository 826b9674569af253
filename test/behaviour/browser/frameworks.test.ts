import { from, type JsonPatch } from "millrace";
import { toEventStream, toNodeResponse } from "millrace/serve";
import { expect, test } from "vitest";
import { inChromium } from "./support/chromium.js";
import { documented } from "./support/documented.js";
import { documentOf } from "./support/page.js";
import { probeOf, showing, siteOf } from "./support/site.js";
import { written } from "./support/written.js";

inChromium(
  "the lines of docs/reference/client.md show the value and the status, and end with their component",
  (open) => {
    for (const framework of ["svelte", "vue", "solid"]) {
      test(framework, async () => {
        const { patches, write, end } = written();
        const site = await siteOf(await documentOf(`${framework}.ts`, [documented]), (_request, response) =>
          toNodeResponse(toEventStream(from<JsonPatch>(patches)), response),
        );
        try {
          const page = await open();
          await page.goto(site.url);
          await showing(page, "output", "connecting");
          await showing(page, "h1", "");
          write([{ op: "replace", path: "", value: { title: "Te" } }]);
          await showing(page, "h1", "Te");
          await showing(page, "output", "streaming");
          write([{ op: "append", path: "/title", value: "a" }]);
          await showing(page, "h1", "Tea");
          end();
          await showing(page, "output", "done");
          expect((await probeOf(page)).subscribers).toBeGreaterThan(0);
          await page.click("button");
          await page.waitForFunction(() => document.querySelector("h1") === null);
          expect((await probeOf(page)).subscribers).toBe(0);
        } finally {
          await site.close();
        }
      });
    }
  },
);
