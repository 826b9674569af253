import { type Agent, type AgentState, collect, createAgent, textOf } from "millrace";
import { agentTool, clientTool, humanApproval, sharedTool } from "millrace/agent";
import { durable, type Journal, memoryJournal } from "millrace/durable";
import { agUiHandler } from "millrace/serve";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { newRecords, positionJournal, send } from "../../durable/support/position-journal.js";
import { inShort } from "../support/conversation.js";
import { answers, call, ofType } from "../support/script.js";

const paint = {
  name: "paint",
  description: "Paints the page.",
  schema: z.object({ colour: z.string(), coats: z.int().default(1) }),
  output: z.object({ ok: z.boolean() }).transform(({ ok }) => (ok ? "painted" : "not painted")),
} as const;

const stored = (state: AgentState): AgentState => JSON.parse(JSON.stringify(state)) as AgentState;

/** An agent whose model calls `paint` twice, then answers. */
function painter(args = '{"colour": "red"}'): Agent {
  const model = answers([
    [...call("p0", "paint", args), ...call("p1", "paint", '{"colour": "blue"}')],
    ["Done."],
  ]);
  return createAgent({ model, tools: [clientTool(paint)] });
}

describe("clientTool()", () => {
  test("pauses the run with its calls; the results of the page continue it", async () => {
    const agent = painter();
    const events = await collect(agent.stream("Go."));
    expect(ofType(events, "tool_paused")).toEqual([
      { type: "tool_paused", id: "p0", name: "paint", args: { colour: "red" }, waitsFor: "client" },
      { type: "tool_paused", id: "p1", name: "paint", args: { colour: "blue" }, waitsFor: "client" },
    ]);
    const [finish] = ofType(events, "finish");
    expect(finish?.reason).toBe("paused");
    // One result after the other.
    const first = await agent.invoke({ resume: stored(finish!.state) }, { results: { p1: { ok: false } } });
    expect(first.state.status).toBe("paused");
    const { messages } = await agent.invoke(
      { resume: stored(first.state) },
      { results: { p0: { ok: true } } },
    );
    expect(inShort(messages).slice(2)).toEqual([
      expect.stringMatching(/^tool#p1 success \| not painted$/),
      expect.stringMatching(/^tool#p0 success \| painted$/),
      "assistant | Done.",
    ]);
  });

  test("tells the model about arguments that do not fit, before the page sees them", async () => {
    const events = await collect(painter('{"color": "red"}').stream("Go."));
    expect(ofType(events, "tool_paused").map(({ id }) => id)).toEqual(["p1"]);
    expect(ofType(events, "tool_error").map(({ id }) => id)).toEqual(["p0"]);
  });

  test("tells the model about a result that does not satisfy its schema", async () => {
    const agent = painter();
    const { state } = await agent.invoke("Go.");
    const results = { p0: { ok: "</tool>" }, p1: { ok: true } };
    const events = await collect(agent.stream({ resume: state }, { results }));
    const [error] = ofType(events, "tool_error");
    expect(error).toMatchObject({ id: "p0", error: { name: "ToolError", code: "result" } });
    expect(textOf(error!.message)).toContain("does not satisfy its schema");
    expect(ofType(events, "finish")[0]?.reason).toBe("answer");
  });

  test("takes any JSON without a schema, also null, and only for its own calls", async () => {
    const model = answers([call("a0", "ask", '{"input": "Name?"}'), ["Done."]]);
    const agent = createAgent({ model, tools: [clientTool({ name: "ask" })] });
    const { state } = await agent.invoke("Go.");
    const other = JSON.parse('{"toString": 1, "__proto__": 2}') as Record<string, number>;
    expect((await agent.invoke({ resume: state }, { results: other })).state.status).toBe("paused");
    const { messages } = await agent.invoke({ resume: state }, { results: { a0: null } });
    expect(inShort(messages)[2]).toBe("tool#a0 success | null");
  });

  test("an agent inside pauses the outer run, and gets the result of its call", async () => {
    const model = answers([call("r0", "research", '{"input": "x"}'), ["End."]]);
    const outer = createAgent({ model, tools: [agentTool(painter(), { name: "research" })] });
    const { state } = await outer.invoke("Go.");
    const results = { p0: { ok: true }, p1: { ok: true } };
    const { messages } = await outer.invoke({ resume: stored(state) }, { results });
    expect(inShort(messages).slice(2)).toEqual(["tool#r0 success | Done.", "assistant | End."]);
  });

  test("a person approves a call before the page gets it", async () => {
    const model = answers([call("a0", "ask", '{"input": "Name?"}'), ["Done."]]);
    const approval = humanApproval({ decide: () => ({ type: "reject", message: "No." }) });
    const agent = createAgent({ model, tools: [clientTool({ name: "ask" })], middleware: [approval] });
    expect(inShort((await agent.invoke("Go.")).messages)[2]).toBe("tool#a0 error | No.");
  });

  test("a durable run records the result", async () => {
    const records = new Map<string, string>();
    const agent = painter();
    const run = (results = {}) =>
      durable(agent, { journal: memoryJournal(records), id: "run" }).invoke("Go.", { results });
    expect((await run()).state.status).toBe("paused");
    expect((await run({ p0: { ok: true } })).state.status).toBe("paused");
    const { messages } = await run({ p0: { ok: false }, p1: { ok: true } });
    expect(inShort(messages)[2]).toBe("tool#p0 success | painted");
    expect(await run()).toMatchObject({ messages });
  });

  test("a durable run waits for the message of an engine that keeps messages", async () => {
    const records = newRecords();
    const run = () => durable(painter(), { journal: positionJournal(records), id: "run" }).invoke("Go.");
    send(records, "tool 1 p0 paint result", { ok: true });
    const running = run();
    await expect.poll(() => records.waiting.has("tool 1 p1 paint result")).toBe(true);
    send(records, "tool 1 p1 paint result", { ok: false });
    const { messages } = await running;
    expect(inShort(messages).slice(2, 4)).toEqual([
      "tool#p0 success | painted",
      "tool#p1 success | not painted",
    ]);
    expect((await run()).messages).toEqual(messages);
  });

  test("an error of the journal ends the attempt", async () => {
    const journal: Journal = {
      step: (name, work) =>
        name.endsWith(" client") ? Promise.reject(new Error("The disk is full.")) : work(1),
    };
    await expect(durable(painter(), { journal, id: "run" }).invoke("Go.")).rejects.toThrow(
      "The disk is full.",
    );
  });

  test("over AG-UI it is a call that the client answers, as a tool that the client declares", async () => {
    const handle = agUiHandler(painter());
    const body = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Go." }] };
    const headers = { "content-type": "application/json" };
    const response = await handle(
      new Request("http://localhost/", { method: "POST", headers, body: JSON.stringify(body) }),
    );
    expect(await response.text()).toContain('"outcome":{"type":"success","pendingToolCallIds":["p0","p1"]}');
  });

  test("refuses a function, and cannot run alone", async () => {
    expect(() => clientTool({ name: "ask", run: () => 1 } as never)).toThrow("Write tool()");
    await expect(clientTool({ name: "ask" }).invoke("Name?")).rejects.toThrow("runs on the page");
  });
});

test("sharedTool() runs a definition that the page shares on the server", async () => {
  const weather = { name: "weather", schema: z.object({ city: z.string() }), output: z.number() } as const;
  expect(await sharedTool(weather, ({ city }) => city.length).invoke({ city: "Oslo" })).toBe(4);
});
