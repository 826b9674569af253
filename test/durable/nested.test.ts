import { type Agent, type AgentResult, collect, createAgent, type Message, tool } from "millrace";
import { agentTool, type ApprovalDecision, type Decisions, humanApproval } from "millrace/agent";
import { durable, DurableError, type Journal, memoryJournal } from "millrace/durable";
import { memoryLog } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { inShort } from "../agent/support/conversation.js";
import { answers, call } from "../agent/support/script.js";
import { newRecords, positionJournal, send } from "./support/position-journal.js";
import { hang } from "./support/trip.js";

/** What happened outside of a run, and a place where the process dies: from then on, all waits for ever. */
class World {
  readonly models: string[] = [];
  readonly rows: { readonly what: string; readonly key: string | undefined }[] = [];
  moments = 0;
  readonly dead: Promise<"dead">;
  private readonly at: number;
  private die: () => void = () => undefined;

  constructor(at = Infinity) {
    this.at = at;
    this.dead = new Promise((resolve) => {
      this.die = () => {
        resolve("dead");
      };
    });
  }

  async moment(): Promise<void> {
    if (this.moments++ < this.at) return;
    this.die();
    await hang();
  }
}

/** An agent that calls `research` twice at once; its agent calls the tool `write`. */
function writerIn(
  world: World,
  decisions?: ReadonlyMap<string, ApprovalDecision>,
  system = "Search.",
): Agent {
  const model = (name: string, first: () => ReturnType<typeof call>, last: string) =>
    scriptedModel(async function* ({ messages }) {
      const begun = messages.some(({ role }) => role === "tool");
      world.models.push(`${name} ${begun ? 2 : 1}`);
      await world.moment();
      yield* begun ? [{ content: [{ type: "text" as const, text: last }] }] : first();
      await world.moment();
    });
  const write = tool({
    name: "write",
    run: async (what, { idempotencyKey }) => {
      await world.moment();
      world.rows.push({ what, key: idempotencyKey });
      await world.moment();
      return "written";
    },
  });
  const researcher = createAgent({
    system,
    model: model("inner", () => call("w1", "write", '{"input": "row"}'), "Found."),
    tools: [write],
    middleware: decisions === undefined ? [] : [humanApproval({ decide: ({ id }) => decisions.get(id) })],
  });
  const both = () => [
    ...call("r0", "research", '{"input": "a"}'),
    ...call("r1", "research", '{"input": "b"}'),
  ];
  return createAgent({
    model: model("outer", both, "Done."),
    tools: [agentTool(researcher, { name: "research" })],
  });
}

const run = (agent: Agent, records: Map<string, string>, journal: Journal = memoryJournal(records)) =>
  durable(agent, { journal, id: "run" });

describe("an agent in a tool of a durable run", () => {
  test("has steps of its own, and keys of its own for its tools", async () => {
    const records = new Map<string, string>();
    const world = new World();
    const { messages } = await run(writerIn(world), records).invoke("Go!");
    expect(inShort(messages).at(-1)).toBe("assistant | Done.");
    const inner = ["begin", "model 1", "tool 1 w1 write", "model 2"];
    expect([...records.keys()].sort()).toEqual(
      [
        ...["begin", "model 1", "model 2", "end"],
        ...["r0", "r1"].flatMap((id) => inner.map((step) => `tool 1 ${id} research ${step}`)),
      ].sort(),
    );
    expect(world.rows.map(({ key }) => key).sort()).toEqual([
      "run tool 1 r0 research tool 1 w1 write",
      "run tool 1 r1 research tool 1 w1 write",
    ]);
  });

  test("survives a crash at every moment: recorded inner steps never run again", async () => {
    const whole = new World();
    const expected = await writerIn(whole).invoke("Go!");
    expect(whole.moments).toBeGreaterThan(12);
    for (let at = 0; at < whole.moments; at++) {
      const records = new Map<string, string>();
      const log = memoryLog();
      const attempt = (world: World): Promise<AgentResult> =>
        durable(writerIn(world), { journal: memoryJournal(records), log, id: "run", view: "run" }).invoke(
          "Go!",
        );
      const first = new World(at);
      const running = attempt(first);
      running.catch(() => undefined);
      expect(await Promise.race([running, first.dead])).toBe("dead");
      const recorded = new Set(records.keys());
      const second = new World();
      expect(await attempt(second), `moment ${at}`).toEqual(expected);
      for (const { key = "" } of second.rows) expect(recorded.has(key.slice("run ".length))).toBe(false);
      expect(new Set([...first.rows, ...second.rows].map(({ key }) => key)).size).toBe(2);
      const entries = await collect(log.read("run"));
      expect(entries.at(-1)).toEqual({ type: "done", reason: "complete" });
    }
  });

  test("pauses inside, and asks no model again when it is run again with the decision", async () => {
    const records = new Map<string, string>();
    const paused = await run(writerIn(new World(), new Map()), records).invoke("Go!");
    expect(paused.state.status).toBe("paused");
    const world = new World();
    const decided = new Map([["w1", { type: "approve" } as const]]);
    const { messages } = await run(writerIn(world, decided), records).invoke();
    expect(inShort(messages).at(-1)).toBe("assistant | Done.");
    expect(world.models).toEqual(["inner 2", "inner 2", "outer 2"]);
    expect(world.rows).toHaveLength(2);
  });

  test("takes the same places in an engine that finds steps by position, and waits there for a decision", async () => {
    const whole = new World();
    const expected = await writerIn(whole).invoke("Go!");
    for (let at = 0; at < whole.moments; at += 2) {
      const records = newRecords();
      for (const id of ["r0", "r1"])
        send(records, `tool 1 ${id} research tool 1 w1 write decision`, { type: "approve" });
      const first = new World(at);
      const attempt = (world: World): Promise<AgentResult> =>
        run(writerIn(world, new Map()), new Map(), positionJournal(records)).invoke("Go!");
      const running = attempt(first);
      running.catch(() => undefined);
      expect(await Promise.race([running, first.dead])).toBe("dead");
      expect(await attempt(new World()), `moment ${at}`).toEqual(expected);
    }
  });

  test("ends the attempt with an error of the journal, instead of telling the model about it", async () => {
    const records = new Map<string, string>();
    const broken = memoryJournal(records);
    const journal: Journal = {
      step: (name, work) =>
        name.endsWith("w1 write") ? Promise.reject(new Error("The disk is full.")) : broken.step(name, work),
    };
    await expect(run(writerIn(new World()), records, journal).invoke("Go!")).rejects.toThrow(
      "The disk is full.",
    );
    const { messages } = await run(writerIn(new World()), new Map(records)).invoke();
    expect(inShort(messages).at(-1)).toBe("assistant | Done.");
  });

  test("refuses an inner agent that has changed", async () => {
    const records = new Map<string, string>();
    await run(writerIn(new World(), new Map()), records).invoke("Go!");
    const again = run(writerIn(new World(), new Map(), "Other."), records).invoke();
    await expect(again).rejects.toThrow(DurableError);
    await expect(again).rejects.toMatchObject({ code: "changed" });
  });
});

test("of calls that wait with one id in two agents, a decision reaches only its own", async () => {
  const ran: string[] = [];
  const pay = tool({ name: "pay", run: (amount) => ran.push(amount) && "paid" });
  const inner = (amount: string) =>
    createAgent({
      model: answers([call("1", "pay", `{"input": "${amount}"}`), ["Done."]]),
      tools: [pay],
      middleware: [humanApproval()],
    });
  const outer = createAgent({
    model: answers([[...call("2", "a", '{"input": ""}'), ...call("3", "b", '{"input": ""}')], ["Done."]]),
    tools: [agentTool(inner("100"), { name: "a" }), agentTool(inner("200"), { name: "b" })],
  });
  const records = new Map<string, string>();
  const attempt = async (decisions: Decisions) => {
    const run = durable(outer, { journal: memoryJournal(records), id: "run" });
    const { state } = await run.invoke(records.size === 0 ? "Pay." : undefined, { decisions });
    return [state.status, ...Object.values(state.saved ?? {}).map((it) => JSON.stringify(it))];
  };
  const waiting = (id: string): unknown => expect.stringContaining(`"id":"${id}"`);
  expect(await attempt({})).toEqual(["paused", waiting("2_1"), waiting("3_1")]);
  await attempt({ 1: { type: "approve" } });
  expect(ran).toEqual([]);
  expect(await attempt({ "3_1": { type: "approve" } })).toEqual(["paused", waiting("2_1")]);
  expect(ran).toEqual(["200"]);
  expect(await attempt({ "2_1": { type: "reject" } })).toEqual(["finished"]);
  expect(ran).toEqual(["200"]);
});

test("a call that waits has no id of an answered call of its message", async () => {
  const ran: string[] = [];
  const args = '{"input": ""}';
  const tools = ["look", "pay"].map((name) => tool({ name, run: () => ran.push(name) && "done" }));
  const middleware = [humanApproval({ tools: ["pay"] })];
  const inner = createAgent({
    model: scriptedModel([...call("2_1", "look", args), ...call("1", "pay", args)]),
    ...{ tools, middleware },
  });
  const outer = createAgent({
    model: scriptedModel([...call("1", "pay", args), ...call("2", "ask", args)]),
    tools: [...tools, agentTool(inner, { name: "ask" })],
    middleware,
  });
  const journal = memoryJournal();
  for (const run of [outer, durable(outer, { journal, id: "run" })]) {
    const { saved = {} } = (await run.invoke("Pay.")).state;
    const { messages } = saved["2"] as unknown as { messages: Message[] };
    const [look, pay] = messages[1]!.content.map((it) => (it.type === "tool_call" ? it.id : ""));
    expect(messages[2]).toMatchObject({ toolCallId: look });
    expect(["1", look]).not.toContain(pay);
    expect(ran.splice(0)).toEqual(["look"]);
  }
});
