import { from, type JsonPatch } from "millrace";
import { toEventStream, toNodeResponse } from "millrace/serve";
import { expect, test } from "vitest";
import { inChromium } from "./support/chromium.js";
import { html, listen } from "./support/listen.js";
import { pageOf } from "./support/page.js";

inChromium("a page", (open) => {
  test("shows what patches make", async () => {
    const patches: JsonPatch[] = [
      [{ op: "replace", path: "", value: { title: "Te" } }],
      [{ op: "append", path: "/title", value: "a" }],
    ];
    const page = await pageOf(`
      import { createPatchStore } from "millrace/client";
      const store = createPatchStore<{ title: string }>();
      store.subscribe((value) => { document.querySelector("main")!.textContent = value?.title ?? "" });
      void store.connect("/events");
    `);
    const server = await listen((request, response) =>
      request.url === "/events"
        ? toNodeResponse(toEventStream(from(patches)), response)
        : html(response, page),
    );
    try {
      const tab = await open();
      await tab.goto(server.url);
      await tab.waitForFunction(() => document.querySelector("main")?.textContent === "Tea");
      expect(await tab.title()).toBe("millrace");
    } finally {
      await server.close();
    }
  });
});
