import { setTimeout as sleep } from "node:timers/promises";
import { collect, createAgent, textOf } from "millrace";
import { runTool, type AnyTool } from "millrace/agent";
import { type McpClient, mcpTools, type McpToolsOptions } from "millrace/mcp";
import { describe, expect, test } from "vitest";
import { answers, call, ofType } from "../agent/support/script.js";
import { deferred } from "../models/support/deferred.js";
import { eventsOf, forever } from "../tools/support.js";
import {
  clients,
  connected,
  definition,
  listing,
  type TestClient,
  type WireAnswers,
  WireError,
  WireServer,
} from "./support/wire-server.js";

describe.each(clients)("a call, with %s", (_name, create) => {
  /** The only tool of a server, and its server. */
  async function only(
    answers: WireAnswers,
    options: McpToolsOptions = {},
    fields: object = {},
  ): Promise<{ it: AnyTool; server: WireServer; client: TestClient }> {
    const server = new WireServer({ ...listing(definition("it", fields)), ...answers });
    const client = await connected(create, server);
    const { tools } = await mcpTools(client, options);
    if (tools[0] === undefined) throw new Error("The tool is left out.");
    return { it: tools[0], server, client };
  }
  const done = { content: [{ type: "text", text: "done" }] };

  test("shows progress in its order, and none after the result", async () => {
    const late = deferred();
    const { it } = await only({
      "tools/call": ({ progress }) => {
        for (const step of [1, 2, 3]) progress({ progress: step, total: 3, message: "x".repeat(2_000) });
        setTimeout(() => {
          progress({ progress: 4 });
          late.resolve();
        }, 5);
        return done;
      },
    });
    const events = await eventsOf(it);
    await late.promise;
    expect(events.map(({ type }) => type)).toEqual(["progress", "progress", "progress", "result"]);
    expect(events[1]).toEqual({
      type: "progress",
      value: { progress: 2, total: 3, message: `${"x".repeat(1_000)}…` },
    });
  });

  test("lives on while the server reports progress, also if nobody reads it", async () => {
    const { it } = await only(
      {
        "tools/call": async ({ progress }) => {
          for (let step = 1; step <= 10; step++) {
            await sleep(30);
            progress({ progress: step });
          }
          return done;
        },
      },
      { idleTimeout: 150 },
    );
    const run = runTool(it, { id: "1", name: "it", args: {} })[Symbol.asyncIterator]();
    await run.next();
    await sleep(400);
    let last = await run.next();
    for (let next = last; next.done !== true; next = await run.next()) last = next;
    expect(last.value).toMatchObject({ type: "result" });
  });

  test("ends if the server is silent, and if it takes too long in all", async () => {
    const silent = await only({ "tools/call": forever }, { idleTimeout: 20 });
    expect((await eventsOf(silent.it)).at(-1)).toMatchObject({ type: "error", error: { code: "timeout" } });
    const busy = await only(
      {
        "tools/call": async ({ progress, cancelled }) => {
          const timer = setInterval(() => {
            progress({ progress: 1 });
          }, 5);
          await cancelled;
          clearInterval(timer);
        },
      },
      { idleTimeout: 5_000, timeout: 50 },
    );
    const last = (await eventsOf(busy.it)).at(-1);
    expect(last).toMatchObject({ type: "error", error: { code: "timeout" } });
    expect(busy.server.sent("notifications/cancelled")).toHaveLength(1);
  });

  test("that is aborted is cancelled at the server, and ends at once with the reason; others live on", async () => {
    const release = deferred();
    const { it, server } = await only({
      "tools/call": async ({ params, cancelled }) => {
        const { wait } = params["arguments"] as { readonly wait?: boolean };
        if (wait === true) await cancelled;
        else await release.promise;
        return done;
      },
    });
    const other = eventsOf(it);
    const controller = new AbortController();
    const reason = new Error("The user has gone, with the key sk-1234.");
    const aborted = eventsOf(it, { wait: true }, { signal: controller.signal });
    await expect.poll(() => server.sent("tools/call").length).toBe(2);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(server.sent("notifications/cancelled")).toMatchObject([
      { reason: "The call is no longer needed." },
    ]);
    release.resolve();
    expect((await other).at(-1)).toMatchObject({ type: "result" });
  });

  test("that is already aborted sends nothing", async () => {
    const { it, server } = await only({ "tools/call": () => done });
    const reason = new Error("bye");
    await expect(eventsOf(it, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.sent("tools/call")).toEqual([]);
  });

  test("is cancelled when the loop of the agent is left", async () => {
    const { it, server } = await only({ "tools/call": ({ cancelled }) => cancelled });
    const agent = createAgent({ model: answers([call("1", "it", "{}")]), tools: [it] });
    for await (const event of agent.stream("Go.")) {
      if (event.type === "tool_start") {
        await expect.poll(() => server.sent("tools/call").length).toBe(1);
        break;
      }
    }
    await expect.poll(() => server.sent("notifications/cancelled").length).toBe(1);
  });

  test("starts while the model still writes", async () => {
    const { it } = await only({ "tools/call": () => done });
    const agent = createAgent({
      model: answers([[...call("1", "it", "{}"), ...call("2", "it", "{", "}")], ["Good."]]),
      tools: [it],
    });
    const events = await collect(agent.stream("Go."));
    const types = events.map(({ type }) => type);
    expect(types.indexOf("tool_start")).toBeLessThan(types.lastIndexOf("tool_args"));
  });

  describe("without a connection", () => {
    const ok: WireAnswers = { ...listing(definition("it")), "tools/call": () => done };

    /** Connects the same client to the next server. */
    const reconnecting = (client: () => TestClient, next: WireServer): (() => Promise<void>) => {
      return async () => {
        await client().close();
        await client().connect(next as never);
      };
    };

    test("fails with a clear text, and so does the next one", async () => {
      const { it, server } = await only({ "tools/call": forever });
      const run = eventsOf(it);
      await expect.poll(() => server.sent("tools/call").length).toBe(1);
      await server.close();
      const [first, second] = [(await run).at(-1), (await eventsOf(it)).at(-1)];
      expect([first, second]).toMatchObject([
        { type: "error", error: { code: "closed" } },
        { type: "error", error: { code: "closed" } },
      ]);
      expect(first?.type === "error" && textOf(first.message)).toContain("closed during the call");
    });

    test("that was lost in the middle is not sent again, and the next one connects", async () => {
      const again = new WireServer(ok);
      let connections = 0;
      const { it, server, client } = await only(
        { "tools/call": forever },
        {
          reconnect: async () => {
            connections++;
            await reconnecting(() => client, again)();
          },
        },
      );
      const run = eventsOf(it);
      await expect.poll(() => server.sent("tools/call").length).toBe(1);
      await server.close();
      expect((await run).at(-1)).toMatchObject({ error: { code: "closed" } });
      expect(connections).toBe(0);
      const both = await Promise.all([eventsOf(it), eventsOf(it)]);
      expect(both.map((events) => events.at(-1)?.type)).toEqual(["result", "result"]);
      expect([connections, again.sent("tools/call").length]).toEqual([1, 2]);
    });

    test.each([
      ["says that it may be repeated", {}, { annotations: { idempotentHint: true } }],
      ["is repeatable for the program", { repeatable: ["it"] }, {}],
    ])("is sent again if the tool %s", async (_case, options, fields) => {
      const again = new WireServer(ok);
      const { it, server, client } = await only(
        { "tools/call": forever },
        { ...options, reconnect: () => reconnecting(() => client, again)() },
        fields,
      );
      const run = eventsOf(it);
      await expect.poll(() => server.sent("tools/call").length).toBe(1);
      await server.close();
      expect((await run).at(-1)).toMatchObject({ type: "result" });
      expect(it.repeatable).toBe("repeatable" in options);
    });

    test("may go on with another client", async () => {
      const again = new WireServer(ok);
      const { it, server } = await only(
        { "tools/call": forever },
        { reconnect: () => connected(create, again) },
      );
      await server.close();
      expect((await eventsOf(it)).at(-1)).toMatchObject({ type: "result" });
    });

    test.each([
      [404, "No such order"],
      [400, "The session of the user is over"],
      [500, "Boom"],
      [-32_000, "The upstream said: Connection closed"],
      [-32_001, "Unauthorized"],
      [-32_603, "Not connected"],
    ])(
      "an answer of the server with the code %i (%s) is not one, and is not sent again",
      async (code, text) => {
        let connections = 0;
        const { it, server } = await only(
          {
            "tools/call": () => {
              throw new WireError(code, text);
            },
          },
          { repeatable: ["it"], reconnect: async () => void connections++ },
        );
        const last = (await eventsOf(it)).at(-1);
        expect(last).toMatchObject({ type: "error", error: { code: "server", serverCode: code } });
        expect(last?.type === "error" && textOf(last.message)).toContain(text);
        expect([connections, server.sent("tools/call").length]).toEqual([0, 1]);
      },
    );

    test("fails as before if it cannot be connected", async () => {
      const { it, server } = await only(
        {},
        { reconnect: () => Promise.reject(new Error("Wrong password hunter2.")) },
      );
      await server.close();
      const last = (await eventsOf(it)).at(-1);
      expect(last).toMatchObject({ error: { code: "closed" } });
      expect(JSON.stringify(last)).not.toContain("hunter2");
    });
  });

  describe("when the list changes during a run", () => {
    /** The first list has `old` and `same`, the second one `same` and `fresh`. */
    async function changing(): Promise<{
      server: WireServer;
      mcp: Awaited<ReturnType<typeof mcpTools>>;
      fail: { now: boolean };
    }> {
      let lists = 0;
      const fail = { now: false };
      const server = new WireServer({
        "tools/list": () => {
          if (fail.now) throw new Error("busy");
          return {
            tools: [
              definition(lists++ === 0 ? "old" : "fresh"),
              definition("same", { description: `list ${lists}` }),
            ],
          };
        },
        "tools/call": ({ params }) => {
          if (lists === 1) server.notify("notifications/tools/list_changed");
          return { content: [{ type: "text", text: `${String(params["name"])} ok` }] };
        },
      });
      return { server, mcp: await mcpTools(await connected(create, server)), fail };
    }

    test("the next model call gets the new list, and a call of a removed tool is answered", async () => {
      const { mcp } = await changing();
      const model = answers([
        call("1", "old", "{}"),
        [...call("2", "old", "{}"), ...call("3", "fresh", "{}")],
        ["OK"],
      ]);
      const agent = createAgent({ model, tools: mcp.tools, middleware: [mcp.middleware] });
      const events = await collect(agent.stream("Go."));
      const offered = model.calls.map(({ options }) => options?.tools?.map(({ name }) => name));
      expect(offered).toEqual([
        ["old", "same"],
        ["same", "fresh"],
        ["same", "fresh"],
      ]);
      expect(ofType(events, "tool_error")).toMatchObject([{ name: "old", error: { code: "unknown_tool" } }]);
      expect(ofType(events, "tool_result").map(({ message }) => textOf(message))).toEqual([
        "old ok",
        "fresh ok",
      ]);
      expect(mcp.tools.map(({ description }) => description)).toEqual([undefined, "list 2"]);
    });

    test("an agent that has only some tools gets the new ones, but none that it left out", async () => {
      const { mcp } = await changing();
      const model = answers([call("1", "old", "{}"), ["OK"]]);
      const tools = mcp.tools.filter(({ name }) => name === "old");
      await createAgent({ model, tools, middleware: [mcp.middleware] }).invoke("Go.");
      expect(model.calls[1]?.options?.tools?.map(({ name }) => name)).toEqual(["fresh"]);
    });

    test("tools of the program keep their names", async () => {
      const { mcp } = await changing();
      const model = answers([call("1", "old", "{}"), ["OK"]]);
      const fresh = { ...mcp.tools[0], name: "fresh", description: "own" } as AnyTool;
      const agent = createAgent({ model, tools: [...mcp.tools, fresh], middleware: [mcp.middleware] });
      await agent.invoke("Go.");
      expect(model.calls[1]?.options?.tools?.map(({ description }) => description)).toEqual([
        "list 2",
        "own",
      ]);
    });

    test("a list that fails leaves the tools as they are, and is a problem", async () => {
      const { mcp, fail } = await changing();
      const model = answers([call("1", "old", "{}"), call("2", "old", "{}"), ["OK"]]);
      const agent = createAgent({ model, tools: mcp.tools, middleware: [mcp.middleware] });
      for await (const event of agent.stream("Go.")) {
        if (event.type === "tool_result") fail.now = event.id === "1";
      }
      expect(mcp.problems).toEqual([]);
      expect(model.calls.map(({ options }) => options?.tools?.[0]?.name)).toEqual(["old", "old", "same"]);
    });

    test("a handler of the program calls refresh()", async () => {
      const { server, mcp } = await changing();
      expect((await mcp.refresh()).map(({ name }) => name)).toEqual(["fresh", "same"]);
      expect(server.sent("tools/list")).toHaveLength(2);
    });
  });

  test("media that the model cannot read are texts for it", async () => {
    const { client } = await only({
      "tools/call": () => ({ content: [{ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }] }),
    });
    const { tools, middleware } = await mcpTools(client);
    const model = answers([call("1", "it", "{}"), ["OK"]], { profile: { input: ["text"] } });
    const { messages } = await createAgent({ model, tools, middleware: [middleware] }).invoke("Go.");
    expect(messages[2]?.content[0]?.type).toBe("audio");
    const seen = model.calls[1]?.messages;
    expect(JSON.stringify(seen)).toContain("audio/wav, which this model cannot read");
  });
});

describe("a call that reached nobody", () => {
  test.each([
    ["the first SDK says 404", { code: 404, message: "Session not found" }],
    ["the second SDK says 404", { code: "CLIENT_HTTP_NOT_IMPLEMENTED", status: 404, message: "Not found" }],
    ["the server says that there is no session", { code: 400, message: "No valid session ID" }],
    ["nobody listens", { message: "fetch failed", cause: { code: "ECONNREFUSED" } }],
  ])("is sent once more after one new connection if %s", async (_case, fields) => {
    let calls = 0;
    let connections = 0;
    const client: McpClient = {
      request: ({ method }) => {
        if (method === "tools/list") return Promise.resolve({ tools: [definition("it")] });
        calls++;
        return Promise.reject(Object.assign(new Error(), fields));
      },
      callTool: forever,
      setRequestHandler: () => {},
    };
    const { tools } = await mcpTools(client, {
      reconnect: () => {
        connections++;
        return Promise.resolve();
      },
    });
    const last = tools[0] && (await eventsOf(tools[0])).at(-1);
    expect(last).toMatchObject({ type: "error", error: { code: "closed" } });
    expect([calls, connections]).toEqual([2, 1]);
  });
});
