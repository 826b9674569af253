import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createAgent, textOf } from "millrace";
import { type AnyTool, runTool, type ToolEvent } from "millrace/agent";
import { mcpTools, type McpTools } from "millrace/mcp";
import { afterEach, describe, expect, test } from "vitest";
import { answers, call as calling } from "../../agent/support/script.js";
import { eventsOf } from "../../tools/support.js";
import type { TestClient } from "../../mcp/support/wire-server.js";
import { everything, EverythingOverHttp } from "./support/everything.js";

interface Transport {
  readonly pid?: number | null;
}

const info = { name: "test", version: "1" };
const packages = [
  {
    name: "sdk 1",
    client: (): TestClient => new Client1(info),
    stdio: (args: string[]): Transport => new Stdio1({ command: process.execPath, args, stderr: "ignore" }),
    http: (url: URL): Transport => new Http1(url) as Transport,
  },
  {
    name: "client 2",
    client: (): TestClient => new Client2(info),
    stdio: (args: string[]): Transport => new Stdio2({ command: process.execPath, args, stderr: "ignore" }),
    http: (url: URL): Transport => new Http2(url) as Transport,
  },
];

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.close()));
});

async function connect(client: TestClient, transport: Transport): Promise<TestClient> {
  await client.connect(transport as never);
  open.push(client);
  return client;
}

const long = "trigger-long-running-operation";

function named({ tools }: McpTools, name: string): AnyTool {
  const found = tools.find((it) => it.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
}

/** What each server must do. */
async function checkServer(mcp: McpTools): Promise<void> {
  // It runs only as a task.
  expect(mcp.problems.map(({ tool }) => tool)).toEqual(["simulate-research-query"]);
  expect(mcp.tools.length).toBeGreaterThanOrEqual(10);
  for (const it of mcp.tools) expect(it.parameters).not.toHaveProperty("additionalProperties");

  expect((await eventsOf(named(mcp, "echo"), { message: "hi" })).at(-1)).toMatchObject({
    message: { content: [{ type: "text", text: "Echo: hi" }], status: "success" },
  });
  const image = (await eventsOf(named(mcp, "get-tiny-image"))).at(-1);
  expect(JSON.stringify(image)).toContain('"type":"image","data":"');
  const structured = (await eventsOf(named(mcp, "get-structured-content"), { location: "Chicago" })).at(-1);
  expect(structured).toMatchObject({ message: { artifact: { temperature: expect.any(Number) as number } } });
  const wrong = (await eventsOf(named(mcp, "get-structured-content"), { location: "Oslo" })).at(-1);
  expect(wrong).toMatchObject({ message: { status: "error" } });
  const resource = (
    await eventsOf(named(mcp, "get-resource-reference"), { resourceType: "Text", resourceId: 1 })
  ).at(-1);
  expect(JSON.stringify(resource)).toContain('"type":"text-plain","title":"demo://');
  const links = (await eventsOf(named(mcp, "get-resource-links"), { count: 2 })).at(-1);
  expect(JSON.stringify(links)).toContain("[Resource demo://");

  const events = await eventsOf(named(mcp, long), { duration: 0.2, steps: 4 });
  const progress = events.flatMap((it) => (it.type === "progress" ? [it.value] : []));
  // The last one may come after the result.
  expect(progress.slice(0, 3)).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 4 })));
  expect(events.at(-1)?.type).toBe("result");

  const controller = new AbortController();
  const aborted = eventsOf(named(mcp, long), { duration: 60, steps: 600 }, { signal: controller.signal });
  controller.abort(new Error("bye"));
  await expect(aborted).rejects.toThrow("bye");
  expect((await eventsOf(named(mcp, "echo"), { message: "on" })).at(-1)?.type).toBe("result");
}

describe.each(packages)("the everything server, with $name", ({ client: create, stdio, http }) => {
  test("works over stdio", async () => {
    await checkServer(await mcpTools(await connect(create(), stdio([everything]))));
  });

  test("works over HTTP", async () => {
    const server = new EverythingOverHttp();
    open.push(server);
    await checkServer(await mcpTools(await connect(create(), http(await server.start()))));
  });

  test("that dies over stdio in mid-call is a tool error with a reason, and is started again for the next call", async () => {
    const transports: Transport[] = [];
    const start = (): Transport => {
      const transport = stdio([everything]);
      transports.push(transport);
      return transport;
    };
    const client = await connect(create(), start());
    const mcp = await mcpTools(client, {
      reconnect: async () => {
        await client.close();
        await client.connect(start() as never);
      },
    });
    const model = answers([
      calling("1", long, '{"duration": 60, "steps": 600}'),
      calling("2", "echo", '{"message": "again"}'),
      ["Done."],
    ]);
    const agent = createAgent({ model, tools: mcp.tools, middleware: [mcp.middleware] });
    const told: string[] = [];
    for await (const event of agent.stream("Go.")) {
      // The server says that this tool may be repeated, so it is called twice.
      const pid = transports.at(-1)?.pid;
      if (event.type === "tool_progress" && typeof pid === "number") process.kill(pid, "SIGKILL");
      if (event.type === "tool_result" || event.type === "tool_error") told.push(textOf(event.message));
    }
    expect(told).toEqual([
      `The tool "${long}" failed: The connection to the server was closed during the call.`,
      "Echo: again",
    ]);
    expect(transports).toHaveLength(3);
  });

  test("that dies over HTTP in mid-call is a tool error with a reason, and is found again", async () => {
    const server = new EverythingOverHttp();
    open.push(server);
    const url = await server.start();
    const client = await connect(create(), http(url));
    let connections = 0;
    const { tools, problems } = await mcpTools(client, {
      idleTimeout: 1_000,
      reconnect: async () => {
        connections++;
        await client.close();
        await client.connect(http(url) as never);
      },
    });
    const mcp = { tools, problems } as unknown as McpTools;
    const call = { id: "1", name: long, args: { duration: 60, steps: 600 } };
    let killed: Promise<void> | undefined;
    let last: ToolEvent | undefined;
    for await (last of runTool(named(mcp, long), call)) {
      if (last.type === "progress") await (killed ??= server.kill());
    }
    expect(last).toMatchObject({ type: "error", error: { name: "McpToolsError" } });
    await server.start();
    // The server has forgotten the session.
    expect((await eventsOf(named(mcp, "echo"), { message: "on" })).at(-1)?.type).toBe("result");
    expect(connections).toBe(1);
  });
});
