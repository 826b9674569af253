import { expectCancelled } from "../../mcp/support/cancelled-call.js";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as Client2, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createAgent, textOf, tool } from "millrace";
import { humanApproval, type AnyTool } from "millrace/agent";
import { mcpTools, serveMcp, type McpTools, type McpToolsOptions, type ServeMcpOptions } from "millrace/mcp";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { eventsOf } from "../../tools/support.js";

const info = { name: "test", version: "1" };
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

function first({ tools: [it] }: McpTools): AnyTool {
  if (it === undefined) throw new Error("There is no tool.");
  return it;
}

describe("a server of the protocol of 2026 over HTTP", () => {
  /** A client that has negotiated it, with the tools. */
  async function modern(
    options: ServeMcpOptions,
    own: McpToolsOptions = {},
    capabilities: object = { elicitation: {} },
  ): Promise<McpTools> {
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      serveMcp(server, options);
      return server;
    });
    const client = new Client2(info, { versionNegotiation: { mode: "auto" }, capabilities });
    if ("elicitation" in capabilities) {
      client.setRequestHandler("elicitation/create", () => ({
        action: "accept",
        content: { decision: "approve" },
      }));
    }
    const transport = new StreamableHTTPClientTransport(new URL("http://mcp.test/mcp"), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    });
    await client.connect(transport);
    open.push(client);
    expect(client.getProtocolEra()).toBe("modern");
    return mcpTools(client, own);
  }

  test("runs tools and agents, with progress", async () => {
    const agent = createAgent({
      name: "weather",
      model: answers([['{"celsius": -4}']]),
      responseFormat: z.object({ celsius: z.number() }),
    });
    const it = first(await modern({ agents: [{ agent, description: "Says how warm it is." }] }));
    const events = await eventsOf(it, { input: "Oslo?" });
    expect(events).toMatchObject([
      { type: "progress", value: { progress: 1, message: "Step 1" } },
      { type: "result", message: { artifact: { celsius: -4 } } },
    ]);
  });

  test("sends arguments as headers where its schema asks for it", async () => {
    const it = tool({
      name: "it",
      schema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
      run: (args) => `${JSON.stringify(args)} ok`,
    });
    const last = (await eventsOf(first(await modern({ tools: [it] })), { region: "north" })).at(-1);
    expect(last).toMatchObject({
      message: { status: "success", content: [{ text: '{"region":"north"} ok' }] },
    });
  });

  test("is told when a call is cancelled", async () => {
    await expectCancelled(async (it) => first(await modern({ tools: [it] })));
  });

  describe("asks for decisions between the requests of a call", () => {
    const bank = (...calls: readonly string[]): { agent: ReturnType<typeof createAgent>; paid: string[] } => {
      const paid: string[] = [];
      const pay = tool({ name: "pay", run: (amount) => String(paid.push(amount)) });
      const agent = createAgent({
        name: "bank",
        model: answers([
          calls.flatMap((amount, at) => call(String(at + 1), "pay", JSON.stringify({ input: amount }))),
          ["Done."],
        ]),
        tools: [pay],
        middleware: [humanApproval({ decide: () => undefined })],
      });
      return { agent, paid };
    };

    test("one or several", async () => {
      const { agent, paid } = bank("100", "200");
      const it = first(await modern({ agents: [{ agent, description: "" }] }));
      const events = await eventsOf(it, { input: "" });
      expect(events.at(-1)).toMatchObject({ message: { status: "success", content: [{ text: "Done." }] } });
      expect(paid.sort()).toEqual(["100", "200"]);
      expect(JSON.stringify(events)).toContain("pay waits for a decision");
    });

    test("fails if the client cannot ask", async () => {
      const { agent, paid } = bank("100");
      const it = first(await modern({ agents: [{ agent, description: "" }] }, {}, {}));
      const last = (await eventsOf(it, { input: "" })).at(-1);
      expect(last).toMatchObject({ message: { status: "error" } });
      expect(last?.type === "result" && textOf(last.message)).toContain("decision of a person");
      expect(paid).toEqual([]);
    });

    test("fails if nobody answers in time, and for an unknown call", async () => {
      const { agent, paid } = bank("100");
      await modern({ agents: [{ agent, description: "" }], decisionTimeout: 20 });
      const client = open.at(-1) as Client2;
      const params = { name: "bank", arguments: { input: "" } };
      const asked = await client.callTool(params, { allowInputRequired: true });
      const { requestState, inputRequests } = asked as unknown as {
        readonly requestState: string;
        readonly inputRequests: Readonly<Record<string, object>>;
      };
      expect(Object.keys(inputRequests)).toEqual(["question_1"]);
      await sleep(60);
      const answer = { action: "accept", content: { decision: "approve" } };
      const late = await client.callTool({
        ...params,
        ...{ requestState, inputResponses: { question_1: answer } },
      });
      expect(late).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("any more") as string }],
      });
      expect(paid).toEqual([]);
    });
  });

  test("that asks again and again is left after some rounds", async () => {
    let rounds = 0;
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      server.server.registerCapabilities({ tools: {} });
      server.server.setRequestHandler("tools/list", () => ({
        tools: [{ name: "it", inputSchema: { type: "object" as const } }],
      }));
      server.server.setRequestHandler("tools/call", () => {
        rounds++;
        const params = {
          mode: "form",
          message: "And now?",
          requestedSchema: { type: "object", properties: {} },
        };
        return {
          resultType: "input_required",
          inputRequests: { more: { method: "elicitation/create", params } },
        } as never;
      });
      return server;
    });
    const client = new Client2(info, {
      versionNegotiation: { mode: "auto" },
      capabilities: { elicitation: {} },
    });
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://mcp.test/mcp"), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      }),
    );
    open.push(client);
    const last = (await eventsOf(first(await mcpTools(client)))).at(-1);
    expect(last).toMatchObject({ type: "error", error: { name: "McpToolsError" } });
    expect(rounds).toBeLessThan(20);
  });

  test("that sends 50 MB is a tool error", async () => {
    const it = tool({ name: "it", run: () => "x".repeat(50_000_000) });
    expect((await eventsOf(first(await modern({ tools: [it] })), { input: "" })).at(-1)).toMatchObject({
      type: "error",
      error: { code: "too_large" },
    });
  });
});

/** A server over stdio, line by line, that sends what the SDK would not: a huge line, or nonsense. */
const program = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
    if (method === "tools/list") send({ id, result: { tools: ["huge", "noise", "die"].map((name) => ({ name, inputSchema: { type: "object" } })) } });
    if (method !== "tools/call") continue;
    if (params.name === "huge") send({ id, result: { content: [{ type: "text", text: "x".repeat(20_000_000) }] } });
    if (params.name === "die") process.exit(3);
    if (params.name === "noise") {
      process.stdout.write("Server started!\\n{\\n");
      send({ id: 999, result: {} });
      send({ id, result: { content: [{ type: "text", text: "fine" }] } });
    }
  }
});`;

describe.each([
  ["sdk 1", () => new Client1(info), Stdio1],
  ["client 2", () => new Client2(info), Stdio2],
] as const)("a wrong server over stdio, with %s", (_name, create, Stdio) => {
  async function started(): Promise<McpTools> {
    const client = create();
    const start = (): Promise<void> =>
      client.connect(new Stdio({ command: process.execPath, args: ["-e", program], stderr: "ignore" }));
    await start();
    open.push(client);
    return mcpTools(client, {
      idleTimeout: 20_000,
      reconnect: async () => {
        await client.close();
        await start();
      },
    });
  }
  const of = ({ tools }: McpTools, name: string): AnyTool =>
    tools.find((it) => it.name === name) ?? first({ tools } as McpTools);

  test("that sends a line of 20 MB, or dies, is a tool error, and the next call works", async () => {
    const mcp = await started();
    for (const name of ["huge", "die"]) {
      expect((await eventsOf(of(mcp, name))).at(-1)).toMatchObject({
        type: "error",
        error: { code: "closed" },
      });
      expect((await eventsOf(of(mcp, "noise"))).at(-1)).toMatchObject({
        message: { content: [{ text: "fine" }] },
      });
    }
  });
});
