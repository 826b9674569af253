import { setTimeout as sleep } from "node:timers/promises";
import { expectCancelled } from "../support/cancelled-call.js";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { McpServer as Server1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { InMemoryTransport, McpServer as Server2 } from "@modelcontextprotocol/server";
import { createAgent, textOf, tool } from "millrace";
import { agentTool, type AnyTool, clientTool, humanApproval, ToolError } from "millrace/agent";
import { mcpTools, serveMcp, type McpServerLike, type McpTools, type ServeMcpOptions } from "millrace/mcp";
import { scriptedModel } from "millrace/testing";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { eventsOf } from "../../tools/support.js";
import type { TestClient } from "../support/wire-server.js";

interface Answered {
  action: string;
  content?: Record<string, unknown>;
}
type Answer = (message: string) => Answered | Promise<Answered>;

const info = { name: "test", version: "1" };
const capabilities = { elicitation: {} };
const servers = { "sdk 1": () => new Server1(info), "server 2": () => new Server2(info) };
const clients = {
  "sdk 1": (answer?: Answer): TestClient => {
    if (answer === undefined) return new Client1(info);
    const client = new Client1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message) as never);
    return client;
  },
  "client 2": (answer?: Answer): TestClient => {
    if (answer === undefined) return new Client2(info);
    const client = new Client2(info, { capabilities });
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message) as never);
    return client;
  },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

const pairs = [
  ["sdk 1", "sdk 1"],
  ["server 2", "sdk 1"],
  ["sdk 1", "client 2"],
  ["server 2", "client 2"],
] as const;

describe.each(pairs)("a server of %s with a client of %s", (serverName, clientName) => {
  /** What a client sees of the tools and agents. */
  async function seen(options: ServeMcpOptions, answer?: Answer): Promise<McpTools> {
    const server: McpServerLike & { connect(transport: never): Promise<void> } = servers[serverName]();
    serveMcp(server, options);
    const client = clients[clientName](answer);
    const [there, here] = InMemoryTransport.createLinkedPair();
    await server.connect(there as never);
    await client.connect(here as never);
    open.push(client);
    return mcpTools(client);
  }
  const first = ({ tools: [it] }: McpTools): AnyTool => {
    if (it === undefined) throw new Error("There is no tool.");
    return it;
  };

  test("offers tools with their schemas and effects, and runs them", async () => {
    const add = tool({
      name: "add",
      description: "Adds.",
      schema: z.object({ a: z.number(), b: z.number().default(1) }),
      effects: { readOnly: true },
      run: ({ a, b }) => ({ sum: a + b }),
    });
    const it = first(await seen({ tools: [add] }));
    expect({ ...it }).toMatchObject({
      name: "add",
      description: "Adds.",
      effects: { readOnly: true, destructive: false },
    });
    expect(it.parameters).toEqual(add.parameters);
    expect((await eventsOf(it, { a: 2 })).at(-1)).toMatchObject({
      message: { content: [{ text: '{"sum":3}' }] },
    });
  });

  test("sends progress, media and documents", async () => {
    const it = tool({
      name: "it",
      async *run() {
        yield "half";
        yield { progress: 9, total: 10, message: "most" };
        yield { progress: 3 };
        return [
          { type: "text", text: "a" },
          { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
          { type: "text-plain", title: "a://b", text: "Hi" },
          { type: "file", data: "UEs=", mimeType: "application/zip", filename: "a.zip" },
          { type: "file", data: "UEs=", mimeType: "application/zip", filename: "a://b" },
          { type: "video", url: "https://x.org/v.mp4" },
        ];
      },
    });
    const events = await eventsOf(first(await seen({ tools: [it] })), { input: "" });
    expect(events.slice(0, -1)).toEqual([
      { type: "progress", value: { progress: 1, message: "half" } },
      { type: "progress", value: { progress: 9, total: 10, message: "most" } },
      { type: "progress", value: { progress: 10 } },
    ]);
    expect(events.at(-1)).toMatchObject({
      message: {
        content: [
          { type: "text", text: "a" },
          { type: "image", data: "iVBORw0KGgo=" },
          { type: "text", text: "a://b\n\nHi" },
          { type: "file", mimeType: "application/zip", filename: "attachment:a.zip" }, // a URI, as the protocol asks for
          { type: "file", mimeType: "application/zip", filename: "a://b" },
          { type: "text", text: "[Resource https://x.org/v.mp4] video" },
        ],
      },
    });
  });

  test("sends progress that begins with 0 as it is", async () => {
    const it = tool({
      name: "it",
      async *run() {
        for (const progress of [0, 1, 2]) yield { progress, total: 2 };
      },
    });
    const events = await eventsOf(first(await seen({ tools: [it] })), { input: "" });
    expect(events.slice(0, -1).map((event) => event.type === "progress" && event.value)).toEqual([
      { progress: 0, total: 2 },
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });

  test("shows errors without details, and arguments that are wrong", async () => {
    const failing = (name: string, error: Error, onError = true): AnyTool =>
      tool({
        name,
        onError,
        run: () => {
          throw error;
        },
      });
    const reported: unknown[] = [];
    const lost = new Error("password hunter2");
    const { tools } = await seen({
      tools: [
        failing("a", new Error("Cannot open /srv/key.pem")),
        failing("b", new ToolError("failed", "No such city.")),
        failing("c", lost, false),
        tool({ name: "d", schema: z.object({ n: z.number() }), run: () => "" }),
      ],
      onError: (error) => {
        reported.push(error);
      },
    });
    const texts = await Promise.all(
      tools.map(async (it) => {
        // The client would refuse wrong arguments, too.
        const last = (await eventsOf({ ...it, check: (args) => args }, { input: "" })).at(-1);
        return last?.type === "result" && last.message.status === "error" && textOf(last.message);
      }),
    );
    expect(texts.slice(0, 3)).toEqual([
      'The tool "a" failed: Cannot open [path]',
      "No such city.",
      "The run failed.",
    ]);
    expect(texts[3]).toContain("do not satisfy the schema");
    expect(reported).toEqual([lost]);
  });

  test("refuses arguments that a tool of an agent would coerce, and runs nothing", async () => {
    const ran: unknown[] = [];
    const pay = tool({ name: "pay", schema: z.object({ n: z.number() }), run: ({ n }) => void ran.push(n) });
    const offered = first(await seen({ tools: [pay] }));
    // The client would refuse wrong arguments, too.
    const last = (await eventsOf({ ...offered, check: (args) => args }, { n: "9,50" })).at(-1);
    expect(last).toMatchObject({ type: "result", message: { status: "error" } });
    expect(ran).toEqual([]);
  });

  test("aborts a call that the client cancels", async () => {
    await expectCancelled(async (it) => first(await seen({ tools: [it] })));
  });

  test("answers a call of a tool that it does not have with an error", async () => {
    const it = first(await seen({ tools: [tool({ name: "it", run: () => "" })] }));
    const { tools } = await seen({ tools: [tool({ name: "other", run: () => "" })] });
    expect(it.name).toBe("it");
    const client = open.at(-1) as unknown as { callTool(params: object): Promise<unknown> };
    await expect(client.callTool({ name: "it", arguments: {} })).rejects.toThrow('There is no tool "it"');
    expect(tools).toHaveLength(1);
  });

  test("offers an agent as a tool, with progress and its text", async () => {
    const search = tool({ name: "search", run: () => "found" });
    const agent = createAgent({
      name: "clerk",
      model: answers([call("1", "search", '{"input": "secret"}'), ["It is ", "here."]]),
      tools: [search],
    });
    const it = first(await seen({ agents: [{ agent, description: "Finds." }] }));
    expect({ ...it }).toMatchObject({ name: "clerk", description: "Finds." });
    const events = await eventsOf(it, { input: "Where?" });
    const words = events.map((event) => (event.type === "progress" ? event.value : undefined));
    expect(words.slice(0, 4)).toEqual([
      { progress: 1, message: "Step 1" },
      { progress: 2, message: "search runs" },
      { progress: 3, message: "search is done" },
      { progress: 4, message: "Step 2" },
    ]);
    expect(events.at(-1)).toMatchObject({
      message: { status: "success", content: [{ text: "It is here." }] },
    });
  });

  test("sends the structured response of an agent with its schema", async () => {
    const model = answers([['{"celsius": -4}']]);
    const responseFormat = z.object({ celsius: z.number() });
    const agent = createAgent({ name: "weather", model, responseFormat });
    const schema = z.object({ city: z.string() });
    const it = first(
      await seen({
        agents: [
          { agent, description: "", schema, input: ({ city }: { city: string }) => `How warm is ${city}?` },
        ],
      }),
    );
    expect((await eventsOf(it, { city: "Oslo" })).at(-1)).toMatchObject({
      message: { content: [{ text: '{"celsius":-4}' }], artifact: { celsius: -4 } },
    });
    expect(JSON.stringify(model.calls[0]?.messages)).toContain("How warm is Oslo?");
  });

  test("shows a general sentence for an agent that fails", async () => {
    const broken = scriptedModel(() => {
      throw new Error("key sk-1234 is wrong");
    });
    const agent = createAgent({
      name: "clerk",
      model: broken,
      maxRetries: 0,
    });
    const last = (
      await eventsOf(first(await seen({ agents: [{ agent, description: "" }] })), { input: "" })
    ).at(-1);
    expect(last).toMatchObject({ message: { status: "error", content: [{ text: "The run failed." }] } });
  });

  describe("an agent that needs approval", () => {
    const bank = (): { agent: ReturnType<typeof createAgent>; paid: string[] } => {
      const paid: string[] = [];
      const pay = tool({ name: "pay", run: (amount) => String(paid.push(amount)) });
      const model = answers([call("1", "pay", '{"input": "100"}'), ["Done."]]);
      const middleware = [humanApproval({ decide: () => undefined })];
      return { agent: createAgent({ name: "bank", model, tools: [pay], middleware }), paid };
    };
    const ending = async (
      agent: ReturnType<typeof createAgent>,
      answer?: Answer,
      options: ServeMcpOptions = {},
    ): Promise<unknown> => {
      const served = await seen({ agents: [{ agent, description: "" }], ...options }, answer);
      return (await eventsOf(first(served), { input: "Pay." })).at(-1);
    };

    test("asks the user of the client", async () => {
      const asked: string[] = [];
      const { agent, paid } = bank();
      const last = await ending(agent, (message) => {
        asked.push(message);
        return { action: "accept", content: { decision: "approve" } };
      });
      expect(last).toMatchObject({ message: { status: "success", content: [{ text: "Done." }] } });
      expect([asked, paid]).toEqual([['May the tool "pay" run with {"input":"100"}?'], ["100"]]);
    });

    test("waits for the user as long as it takes, if the program says so", async () => {
      const { agent, paid } = bank();
      const late = async (): Promise<Answered> => {
        await sleep(20);
        return { action: "accept", content: { decision: "approve" } };
      };
      await ending(agent, late, { decisionTimeout: Infinity });
      expect(paid).toEqual(["100"]);
    });

    test.each([
      { action: "accept", content: { decision: "reject", message: "Too much." } },
      { action: "decline" },
      { action: "cancel" },
    ])("runs nothing after $action", async (answer) => {
      const { agent, paid } = bank();
      expect(await ending(agent, () => answer)).toMatchObject({ message: { status: "success" } });
      expect(paid).toEqual([]);
    });

    test("asks for a call of an agent inside it", async () => {
      const { agent, paid } = bank();
      const model = answers([call("1", "bank", '{"input": "Pay."}'), ["Paid."]]);
      const outer = createAgent({ name: "clerk", model, tools: [agentTool(agent, { name: "bank" })] });
      const last = await ending(outer, () => ({ action: "accept", content: { decision: "approve" } }));
      expect(last).toMatchObject({ message: { status: "success", content: [{ text: "Paid." }] } });
      expect(paid).toEqual(["100"]);
    });

    test("has no page for a client tool: no decision is its result", async () => {
      const model = answers([call("1", "where", "{}"), ["There."]]);
      const tools = [clientTool({ name: "where", schema: z.object({}) })];
      const asked: string[] = [];
      const last = await ending(createAgent({ name: "clerk", model, tools }), (message) => {
        asked.push(message);
        return { action: "accept", content: { decision: "approve" } };
      });
      expect(asked).toEqual([]);
      expect(last).toMatchObject({
        message: { status: "error", content: [{ text: expect.stringContaining("waits") as string }] },
      });
    });

    test("fails with a clear text if the client cannot ask", async () => {
      const { agent, paid } = bank();
      expect(await ending(agent)).toMatchObject({
        message: {
          status: "error",
          content: [{ text: expect.stringContaining("decision of a person") as string }],
        },
      });
      expect(paid).toEqual([]);
    });
  });

  test("tells tools who has called", async () => {
    const it = tool({ name: "it", run: (_input, { context }) => JSON.stringify(context) });
    const served = await seen({ tools: [it], context: ({ authInfo }) => ({ user: authInfo ?? "nobody" }) });
    expect((await eventsOf(first(served), { input: "" })).at(-1)).toMatchObject({
      message: { content: [{ text: '{"user":"nobody"}' }] },
    });
  });
});

test("two tools with one name are an error", () => {
  const it = tool({ name: "it", run: () => "" });
  const agent = createAgent({ name: "it", model: answers([]) });
  const serve = (): void => {
    serveMcp(new Server2(info), { tools: [it], agents: [{ agent, description: "" }] });
  };
  expect(serve).toThrow(/name "it"/);
});
