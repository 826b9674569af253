import { type Agent, createAgent, ModelError, tool } from "millrace";
import { agentTool, humanApproval } from "millrace/agent";
import { nodeHandler, toUiMessages, uiMessageHandler } from "millrace/serve";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { memoryThreads, thread } from "millrace/thread";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { inChromium } from "./support/chromium.js";
import { documentedPage } from "./support/documented.js";
import type { Listening } from "./support/listen.js";
import { documentOf } from "./support/page.js";
import { showing, siteOf } from "./support/site.js";

/** The published hooks, and the packages that a page imports. */
const versions = {
  "@ai-sdk/react 3": {},
  "@ai-sdk/react 4": { "@ai-sdk/react": "ai-sdk-react-4", ai: "ai-7" },
};

/** The call of a tool without a schema. */
const calling = (id: string, name: string, input: string): ScriptItem => ({
  content: [{ type: "tool_call", id, name, args: { input } }],
});
const tokens = { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 };
const used: ScriptItem = { content: [], model: "gpt-6.1-terra-2026", usage: tokens };
const prices = { "gpt-6.1-terra": { input: 1, output: 5 } };
const pay = tool({ name: "pay", run: (euro) => `Paid ${euro} €.` });

for (const [version, packages] of Object.entries(versions)) {
  inChromium(`useChat() of ${version}, with a thread`, (open) => {
    let document: string;
    let site: Listening | undefined;
    beforeAll(async () => {
      const plugin = documentedPage("use-chat", "docs/protocols/ai-sdk.md", packages);
      document = await documentOf("use-chat.tsx", [plugin]);
    });
    afterEach(() => site?.close());

    const serve = async (agent: Agent): Promise<() => Promise<Page>> => {
      const store = memoryThreads();
      const chatOf = (id: string) => thread(agent, { store, id });
      const answer = uiMessageHandler(({ id }) => chatOf(id));
      const chat = nodeHandler(async (request: Request) => {
        if (request.method === "POST") return answer(request);
        return Response.json(toUiMessages(await chatOf("1")));
      });
      site = await siteOf(document, chat);
      return async () => {
        const page = await open();
        await page.goto(site?.url ?? "");
        await page.waitForSelector("form");
        return page;
      };
    };
    const say = async (page: Page, text: string): Promise<void> => {
      await page.fill("input", text);
      await page.click("form button");
    };
    const last = "article:last-of-type";
    const idsOn = (page: Page): Promise<readonly string[]> =>
      page.locator("article").evaluateAll((all) => all.map(({ id }) => id));
    const textOf = (page: Page): Promise<string | null> => page.locator("main main").textContent();

    test("asks before it pays, and shows the answer, its usage and the same after a reload", async () => {
      const model = scriptedModel(({ index }) =>
        index % 2 === 0 ? [calling(`call_${index}`, "pay", "9"), used] : ["It is ", "paid.", used],
      );
      const agent = createAgent({ model, tools: [pay], middleware: [humanApproval()], prices });
      const visit = await serve(agent);
      const page = await visit();
      await say(page, "Pay Bo.");
      await showing(page, `${last} small`, 'tool-pay {"input":"9"}: approval-requestedYesNo');
      await showing(page, `${last} footer`, "1100 tokens, $0.0015");
      const ids = await idsOn(page);
      await page.reload();
      await showing(page, `${last} small`, 'tool-pay {"input":"9"}: approval-requestedYesNo');
      expect(await idsOn(page)).toEqual(ids);
      await page.click(`${last} button`);
      await showing(page, `${last} p`, "It is paid.");
      await showing(page, `${last} small`, 'tool-pay {"input":"9"}: Paid 9 €.');
      await showing(page, `${last} footer`, "2200 tokens, $0.0030");
      expect(await idsOn(page)).toEqual(ids);
      await say(page, "Pay Cy.");
      await page.click(`${last} button:text-is("No")`);
      await showing(page, `${last} p`, "It is paid.");
      await showing(page, `${last} small`, 'tool-pay {"input":"9"}: output-denied');
      await showing(page, `${last} footer`, "2200 tokens, $0.0030");
      const shown = await textOf(page);
      const all = await idsOn(page);
      expect(new Set(all).size).toBe(4);
      await page.reload();
      await showing(page, `${last} p`, "It is paid.");
      expect(await textOf(page)).toBe(shown?.replace("output-denied", "output-error"));
      expect(await idsOn(page)).toEqual(all);
      expect(model.calls.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 7]);
    });

    test("asks about a call of an agent that runs inside one", async () => {
      const inner = createAgent({
        model: scriptedModel(({ index }) => (index === 0 ? [calling("p", "pay", "7")] : ["Paid."])),
        tools: [pay],
        middleware: [humanApproval()],
      });
      const model = scriptedModel(({ index }) =>
        index === 0 ? [calling("c", "clerk", "Pay 7.")] : ["Done."],
      );
      const visit = await serve(
        createAgent({ model, tools: [agentTool(inner, { name: "clerk", description: "Pays." })] }),
      );
      const page = await visit();
      await say(page, "Pay.");
      const asked = 'tool-clerk {"input":"Pay 7."}: approval-requestedYesNo';
      await showing(page, `${last} small`, asked);
      await page.reload();
      await showing(page, `${last} small`, asked);
      await page.click(`${last} button`);
      await showing(page, `${last} p`, "Done.");
      await showing(page, `${last} small`, 'tool-clerk {"input":"Pay 7."}: Paid.');
    });

    test("says in words what has failed, and that another tab was faster", async () => {
      const model = scriptedModel(async function* ({ index }): AsyncGenerator<ScriptItem> {
        await Promise.resolve();
        yield "It is ";
        if (index === 0) throw new ModelError("http", "key 1234", { status: 429 });
        yield "noon.";
      });
      const visit = await serve(createAgent({ model, maxRetries: 0 }));
      const page = await visit();
      await say(page, "What time is it?");
      await showing(
        page,
        "[role=alert]",
        "There are too many requests at the moment. Please try again in a minute.",
      );
      await showing(page, `${last} p`, "It is ");
      const second = await visit();
      await showing(second, `${last} footer`, " (incomplete)");
      await say(second, "Tell me.");
      await showing(second, `${last} p`, "It is noon.");
      await say(page, "Well?");
      await showing(
        page,
        "[role=alert]",
        "The conversation was changed in another tab. Look at it, and send again.",
      );
    });
  });
}
