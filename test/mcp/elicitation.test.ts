import { mcpTools, type McpElicitation, type McpToolsOptions } from "millrace/mcp";
import { describe, expect, test } from "vitest";
import { eventsOf, forever } from "../tools/support.js";
import { clients, connected, definition, listing, WireServer } from "./support/wire-server.js";

describe.each(clients)("a question of a server, with %s", (_name, create) => {
  const schema = { type: "object", properties: { size: { type: "number" } } };

  /** A server whose tool asks, and answers with what it was told. */
  const asking = (times = 1): WireServer =>
    new WireServer({
      ...listing(definition("it")),
      "tools/call": async ({ ask }) => {
        let told: unknown;
        for (let i = 0; i < times; i++) {
          told = await ask("elicitation/create", { message: "x".repeat(5_000), requestedSchema: schema });
        }
        return { content: [{ type: "text", text: JSON.stringify(told) }] };
      },
    });
  const toolsOf = async (server: WireServer, options: McpToolsOptions): ReturnType<typeof mcpTools> =>
    mcpTools(await connected(() => create({ elicitation: {} }), server), options);

  test("reaches the program, and its answer the server", async () => {
    const asked: McpElicitation[] = [];
    const { tools } = await toolsOf(asking(), {
      onElicitation: (question) => {
        asked.push(question);
        return { action: "accept", content: { size: 3 } };
      },
    });
    const last = tools[0] && (await eventsOf(tools[0])).at(-1);
    expect(JSON.stringify(last)).toContain(String.raw`{\"action\":\"accept\",\"content\":{\"size\":3}}`);
    expect(asked).toEqual([{ mode: "form", message: `${"x".repeat(4_000)}…`, schema }]);
  });

  test("is withdrawn when the run is aborted", async () => {
    let signal: AbortSignal | undefined;
    const { tools } = await toolsOf(asking(), {
      onElicitation: (_question, options): Promise<never> => {
        ({ signal } = options);
        return forever();
      },
    });
    const controller = new AbortController();
    const run = tools[0] && eventsOf(tools[0], {}, { signal: controller.signal });
    await expect.poll(() => signal?.aborted).toBe(false);
    const reason = new Error("bye");
    controller.abort(reason);
    await expect(run).rejects.toBe(reason);
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(signal?.reason === reason).toBe(true);
  });

  test("needs a client that declares it", async () => {
    const client = await connected(create, asking());
    const options: McpToolsOptions = { onElicitation: () => ({ action: "cancel" }) };
    await expect(mcpTools(client, options)).rejects.toThrow("capabilities: { elicitation: {} }");
  });

  test("is refused if nobody answers questions, and the call goes on", async () => {
    const { tools } = await mcpTools(await connected(create, asking()));
    const last = tools[0] && (await eventsOf(tools[0])).at(-1);
    expect(JSON.stringify(last)).toContain("-32601");
  });
});
