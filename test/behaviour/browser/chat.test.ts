import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Agent, createAgent, ModelError, tool } from "millrace";
import { humanApproval } from "millrace/agent";
import { nodeHandler } from "millrace/serve";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { memoryThreads, threadHandler, type ThreadStore } from "millrace/thread";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { inChromium } from "./support/chromium.js";
import { documentedPage } from "./support/documented.js";
import type { Listening } from "./support/listen.js";
import { documentOf } from "./support/page.js";
import { showing, siteOf } from "./support/site.js";

test("the chat of the guide has at most 60 lines, server and page together", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/learn/guides/chat.md"), "utf8");
  const code = [...guide.matchAll(/^```tsx? no-run\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  expect(code).toHaveLength(2);
  const lines = code.join("").split("\n");
  expect(lines.filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(60);
});

inChromium("the chat of the guide", (open) => {
  let document: string;
  let site: Listening | undefined;
  beforeAll(async () => {
    document = await documentOf("chat.tsx", [documentedPage("chat", "docs/learn/guides/chat.md")]);
  });
  afterEach(() => site?.close());

  const serve = async (agent: Agent, store: ThreadStore, port?: number): Promise<Listening> => {
    const chat = nodeHandler(threadHandler({ agent, store, lease: 300 }));
    return (site = await siteOf(document, chat, port));
  };
  const opened = async (): Promise<Page> => {
    const page = await open();
    await page.goto(site?.url ?? "");
    return page;
  };
  const say = async (page: Page, text: string): Promise<void> => {
    await page.fill("input", text);
    await page.click("form button");
  };
  const last = "article:last-of-type";

  test("asks before it pays, and shows the same after a reload and in a second tab", async () => {
    const pay = tool({ name: "pay", run: (euro) => `Paid ${euro}.` });
    const call = { type: "tool_call" as const, id: "1", name: "pay", args: { input: "9" } };
    const model = scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["It is paid."]));
    await serve(createAgent({ model, tools: [pay], middleware: [humanApproval()] }), memoryThreads());
    const page = await opened();
    await say(page, "Pay Bo.");
    await showing(page, "small", 'pay {"input":"9"}: paused');
    await page.reload();
    const second = await opened();
    await showing(second, "small", 'pay {"input":"9"}: paused');
    await page.click("p button");
    await showing(page, "small", 'pay {"input":"9"}: Paid 9.');
    await showing(page, last, "It is paid.");
    // The second tab shows an old conversation, and is told so.
    await say(second, "And Cy.");
    await showing(
      second,
      "[role=alert]",
      "The conversation was changed in another tab. Look at it, and send again.",
    );
    await showing(second, last, "It is paid.");
    expect(await second.inputValue("input")).toBe("And Cy.");
  });

  test("says in words what has failed, and continues", async () => {
    const failures = [429, 500, undefined];
    const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
      await Promise.resolve();
      yield "It is ";
      const status = failures[index];
      if (index < failures.length)
        throw new ModelError(status === undefined ? "cut" : "http", "key 1234", { status });
      yield "noon.";
    });
    await serve(createAgent({ model, maxRetries: 0 }), memoryThreads());
    const page = await opened();
    await say(page, "What time is it?");
    const words = [
      "There are too many requests at the moment. Please try again in a minute.",
      "The model is overloaded at the moment. Please try again later.",
      "The connection to the model was lost. Please try again.",
    ];
    for (const word of words) {
      await showing(page, "[role=alert]", word);
      await showing(page, last, "It is ");
      await page.click('button:text-is("Continue")');
    }
    await showing(page, last, "It is noon.");
    expect(await page.locator("[role=alert]").count()).toBe(0);
  });

  test("stops the model, and shows the cost", async () => {
    const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
      yield "It is ";
      if (index === 0) await setTimeout(10_000);
      yield { content: [{ type: "text", text: "noon." }], usage: { inputTokens: 1_000, outputTokens: 500 } };
    });
    const prices = { [model.model]: { input: 1_000, output: 2_000 } };
    await serve(createAgent({ model, prices }), memoryThreads());
    const page = await opened();
    await say(page, "What time is it?");
    await showing(page, last, "It is ");
    await page.click('button:text-is("Stop")');
    await page.click('button:text-is("Continue")');
    await showing(page, last, "It is noon.");
    await showing(page, "main > p", "$2.0000");
  });

  test("survives a restart of the server in the middle of an answer", async () => {
    const store = memoryThreads();
    const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
      yield "One, ";
      if (index === 0) await setTimeout(60_000, undefined, { ref: false });
      yield "two.";
    });
    const first = await serve(createAgent({ model }), store);
    const page = await opened();
    await say(page, "Count.");
    await showing(page, last, "One, ");
    const port = Number(new URL(first.url).port);
    await first.close();
    // What a process leaves in its store when it dies: nothing renews its lease.
    const left = memoryThreads();
    const key = { owner: "", id: "1" };
    const record = (await store.load(key))?.record;
    await left.save(key, record as NonNullable<typeof record>, undefined);
    await serve(createAgent({ model }), left, port);
    await showing(page, "[role=alert]", "The server was restarted during this answer. It can be continued.");
    await page.click('button:text-is("Continue")');
    await showing(page, last, "One, two.");
  });
});
