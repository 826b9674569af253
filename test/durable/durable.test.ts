import { join } from "node:path";
import {
  type Agent,
  type AgentEvent,
  collect,
  createAgent,
  type JsonPatch,
  type JsonValue,
  ModelError,
  tool,
} from "millrace";
import { ToolError, humanApproval, modelRetry, serverTool, toolRetry } from "millrace/agent";
import { applyPatch } from "millrace/json";
import {
  durable,
  DurableError,
  fileJournal,
  type Journal,
  memoryJournal,
  type RunView,
  unfinishedRuns,
} from "millrace/durable";
import { memoryLog, type StreamLog } from "millrace/serve";
import { manualClock, scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { temporaryFolders } from "./support/folders.js";
import { readLeaving } from "./support/leaving-reader.js";
import { hang, newWorld, plan, tripAgent, type World } from "./support/trip.js";

const newFolder = temporaryFolders();

class Crash extends Error {}

/** Dies at one moment: from then on, nothing that still runs has an effect. */
function dying(at: number): {
  moment: World["moment"];
  readonly count: () => number;
  readonly dead: Promise<never>;
} {
  let count = 0;
  let die: (error: Error) => void = () => undefined;
  const dead = new Promise<never>((_, reject) => {
    die = reject;
  });
  dead.catch(() => undefined);
  return {
    dead,
    count: () => count,
    moment: () => {
      if (count++ < at) return undefined;
      die(new Crash());
      return hang();
    },
  };
}

/** A reader that follows a run to its end, and what it saw. */
async function follow(log: StreamLog, id: string): Promise<{ values: JsonValue[]; end: unknown }> {
  const values: JsonValue[] = [];
  let value: JsonValue | undefined;
  for await (const entry of log.read(id)) {
    if (entry.type !== "patch") return { values, end: entry };
    value = applyPatch(value, entry.patch);
    if (value !== undefined) values.push(value);
  }
  return { values, end: undefined };
}

/** A finished call in a `RunView`. */
const call = (name: string) => ({
  id: `${name}-1`,
  name,
  args: { input: name },
  status: "done",
  progress: null,
});

const complete = { type: "done", reason: "complete" };

describe("durable()", () => {
  test("makes a step of each model call and each tool call, and gives the result of the agent", async () => {
    const world = newWorld();
    const records = new Map<string, string>();
    const result = await durable(tripAgent(world), { journal: memoryJournal(records), id: "run" }).invoke(
      "Go!",
    );
    const undisturbed = await tripAgent(newWorld()).invoke("Go!");
    expect(result).toEqual(undisturbed);
    expect([...records.keys()]).toEqual([
      ...["begin", "model 1", "tool 1 look-1 look", "tool 1 book-1 book"],
      ...["model 2", "tool 2 pay-1 pay", "model 3", "end"],
    ]);
    expect(world.rows.map(({ key }) => key).sort()).toEqual([
      "run tool 1 book-1 book",
      "run tool 1 look-1 look",
      "run tool 2 pay-1 pay",
    ]);
    // Records of the model have the size of its message: chunks are joined.
    expect(JSON.parse(records.get("model 3")!)).toEqual({
      items: [
        { content: [{ type: "text", text: JSON.stringify(plan).replaceAll(/[:,]/g, "$& ") }] },
        expect.anything(),
      ],
    });
  });

  test("runs again without asking the model or a tool, with the same result", async () => {
    const records = new Map<string, string>();
    const first = await durable(tripAgent(newWorld()), { journal: memoryJournal(records), id: "run" }).invoke(
      "Go!",
    );
    const world = newWorld(() => {
      throw new Error("Nothing may run.");
    });
    const again = durable(tripAgent(world), { journal: memoryJournal(records), id: "run" });
    expect(await again.invoke()).toEqual(first);
    expect(world.rows).toEqual([]);
  });

  // G-durable-2
  test("survives a crash at every moment: recorded tools ran once, and readers see one run", async () => {
    const whole = dying(Infinity);
    const world = newWorld(whole.moment);
    const expected = await tripAgent(world).invoke("Go!");
    const moments = whole.count();
    expect(moments).toBeGreaterThan(15);
    for (let at = 0; at < moments; at++) {
      const records = new Map<string, string>();
      const log = memoryLog();
      const death = dying(at);
      const first = newWorld(death.moment);
      const running = durable(tripAgent(first), { journal: memoryJournal(records), log, id: "run" }).invoke(
        "Go!",
      );
      running.catch(() => undefined);
      await expect(Promise.race([running, death.dead])).rejects.toThrow(Crash);
      const recorded = new Set(records.keys());
      const reading = follow(log, "run");

      const second = newWorld();
      const attempt = durable(tripAgent(second), { journal: memoryJournal(records), log, id: "run" });
      expect(await attempt.invoke(), `moment ${at}`).toEqual(expected);
      const { values, end } = await reading;
      expect(end).toEqual(complete);
      expect(values.at(-1)).toEqual(plan);
      // A tool whose step was recorded did not run again; another one got the same key.
      for (const { key = "" } of second.rows) expect(recorded.has(key.slice("run ".length))).toBe(false);
      const keys = [...first.rows, ...second.rows].map(({ key }) => key);
      expect(new Set(keys).size).toBe(3);
    }
  });

  test("survives a crash at every moment of every attempt", async () => {
    const expected = await tripAgent(newWorld()).invoke("Go!");
    const records = new Map<string, string>();
    const log = memoryLog();
    const reading = readLeaving(log, "run", () => records.has("begin"));
    let done = false;
    for (let at = 0; !done && at < 30; at++) {
      const death = dying(at);
      const attempt = durable(tripAgent(newWorld(death.moment)), {
        journal: memoryJournal(records),
        log,
        id: "run",
      });
      const running = attempt.invoke(at === 0 ? "Go!" : undefined);
      running.catch(() => undefined);
      await Promise.race([running, death.dead]).then(
        (result) => {
          done = true;
          expect(result).toEqual(expected);
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(Crash);
        },
      );
    }
    expect(done).toBe(true);
    expect(await reading).toEqual(plan);
  });

  test("retracts what a repeated step had shown, and shows recorded steps once", async () => {
    const records = new Map<string, string>();
    const log = memoryLog({ createToken: () => "t" });
    let writes = 0;
    const death = dying(Infinity);
    const first = newWorld((name) => {
      if (name === "model 3 writes" && ++writes === 3) return hang();
      return death.moment(name);
    });
    void durable(tripAgent(first), { journal: memoryJournal(records), log, id: "run" })
      .invoke("Go!")
      .catch(() => undefined);
    await expect.poll(() => records.has("begin")).toBe(true);
    const reader = log.read("run", "0-t");
    const values: unknown[] = [];
    let value: JsonValue | undefined;
    const iterator = reader[Symbol.asyncIterator]();
    const next = async (): Promise<void> => {
      const { value: entry } = (await iterator.next()) as { readonly value: { readonly patch: JsonPatch } };
      value = applyPatch(value, entry.patch);
      values.push(value);
    };
    for (let i = 0; i < 3; i++) await next();
    expect(values.at(-1)).toEqual({ plan: "Take the train" });
    // The next attempt, whose model says nothing yet.
    let speak: () => void = () => undefined;
    const silent = new Promise<void>((resolve) => {
      speak = resolve;
    });
    const second = newWorld((name) => (name === "model 3 begins" ? silent : undefined));
    const running = durable(tripAgent(second), { journal: memoryJournal(records), log, id: "run" }).invoke();
    await next();
    expect(values.at(-1)).toBeNull();
    speak();
    await running;
    const rest = await collect({ [Symbol.asyncIterator]: () => iterator });
    expect(rest.at(-1)).toEqual(complete);
    // A third attempt finds everything recorded, and writes nothing.
    await durable(tripAgent(newWorld()), { journal: memoryJournal(records), log, id: "run" }).invoke();
    const all = await collect(log.read("run", "0-t"));
    expect(all).toHaveLength(4 + rest.length);
  });

  test("fills a new log with the value of the recorded steps", async () => {
    const records = new Map<string, string>();
    await durable(tripAgent(newWorld()), { journal: memoryJournal(records), id: "run" }).invoke("Go!");
    const log = memoryLog(); // the old one was lost with its process
    await durable(tripAgent(newWorld()), { journal: memoryJournal(records), log, id: "run" }).invoke();
    expect(await follow(log, "run")).toEqual({ values: [plan], end: complete });
  });

  // G-durable-6
  test("of two workers that both believe they own a run, the one that slept can write nothing more", async () => {
    const records = new Map<string, string>();
    const log = memoryLog();
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    let writes = 0;
    const sleepy = newWorld((name) => (name === "model 3 writes" && ++writes === 2 ? asleep : undefined));
    const first = durable(tripAgent(sleepy), { journal: memoryJournal(records), log, id: "run" }).invoke(
      "Go!",
    );
    first.catch(() => undefined);
    await expect.poll(() => writes).toBe(2);
    const second = durable(tripAgent(newWorld()), { journal: memoryJournal(records), log, id: "run" });
    const result = await second.invoke();
    const recorded = new Map(records);
    const seen = await collect(log.read("run", "0"));
    wake();
    await expect(first).rejects.toMatchObject({ code: "taken_over" });
    expect(records).toEqual(recorded);
    expect(await collect(log.read("run", "0"))).toEqual(seen);
    expect(result.structuredResponse).toEqual(plan);
  });

  // G-durable-2
  test("shows the whole run with the view run, the same after a crash at every moment", async () => {
    const show = async (records: Map<string, string>, log: StreamLog, world: World): Promise<unknown> => {
      const options = { journal: memoryJournal(records), log, id: "run", view: "run" } as const;
      return durable(tripAgent(world), options).invoke("Go!");
    };
    const whole = dying(Infinity);
    const undisturbed = memoryLog({ createToken: () => "t" });
    await show(new Map(), undisturbed, newWorld(whole.moment));
    const expected = (await follow(undisturbed, "run")).values.at(-1);
    expect(expected).toEqual({
      steps: [
        {
          text: "",
          reasoning: "",
          calls: [
            { ...call("look"), result: "saw look" },
            { ...call("book"), result: '{"done":"book"}' },
          ],
        },
        { text: "", reasoning: "", calls: [{ ...call("pay"), result: '{"done":"pay"}' }] },
        { text: '{"plan": "Take the train", "total": 120}', reasoning: "", calls: [] },
      ],
      response: plan,
    });
    const [first] = await collect(undisturbed.read("run", "0-t"));
    expect(first).toMatchObject({
      patch: [{ op: "replace", path: "", value: { response: null } }],
    });
    for (let at = 0; at < whole.count(); at++) {
      const records = new Map<string, string>();
      const log = memoryLog({ createToken: () => "t" });
      const death = dying(at);
      const running = show(records, log, newWorld(death.moment));
      running.catch(() => undefined);
      await Promise.race([running, death.dead]).catch(() => undefined);
      await show(records, log, newWorld());
      const { values } = await follow(log, "run");
      expect(values.at(-1), `moment ${at}`).toEqual(expected);
      const all = await collect(log.read("run", "0-t"));
      const roots = all.filter((it) => it.type === "patch" && it.patch[0]?.path === "");
      expect(roots.length, "the beginning, and at most one correction").toBeLessThanOrEqual(2);
    }
  });

  test("shows the progress of a tool that is repeated, before the next model call", async () => {
    const records = new Map<string, string>();
    const log = memoryLog();
    const start = (): void => {
      const world = newWorld((name) => (name === "book begins" ? hang() : undefined));
      const options = { journal: memoryJournal(records), log, id: "run", view: "run" } as const;
      durable(tripAgent(world), options)
        .invoke("Go!")
        .catch(() => undefined);
    };
    const progress = async (): Promise<unknown> => {
      let value: JsonValue | undefined;
      for await (const entry of log.read("run")) {
        if (entry.type === "patch") value = applyPatch(value, entry.patch);
        const { steps } = value as unknown as RunView;
        if (steps[0]?.calls[1]?.progress === "working") return steps[0].calls;
      }
      return undefined;
    };
    start();
    await expect.poll(() => records.has("tool 1 look-1 look")).toBe(true);
    const shown = await progress();
    start();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    expect(await progress()).toEqual(shown);
  });

  test("shows the text of an agent without a response format", async () => {
    const look = tool({ name: "look", run: () => "rain" });
    const call = { type: "tool_call" as const, id: "1", name: "look", args: { input: "" } };
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? ["Let me ", "look.", { content: [call] }] : ["It ", "rains."],
    );
    const log = memoryLog({ createToken: () => "t" });
    const agent = createAgent({ model, tools: [look] });
    await durable(agent, { journal: memoryJournal(), log, id: "run" }).invoke("Weather?");
    const values: unknown[] = [];
    let value: JsonValue | undefined;
    for await (const entry of log.read("run", "0-t")) {
      if (entry.type !== "patch") break;
      value = applyPatch(value, entry.patch);
      values.push(value);
    }
    expect(values).toEqual(["Let me ", "Let me look.", "It ", "It rains."]);
  });
});

describe("tools of a durable run", () => {
  /** The order of begun and ended steps. */
  function watched(records: Map<string, string>): { journal: Journal; order: string[] } {
    const inner = memoryJournal(records);
    const order: string[] = [];
    return {
      order,
      journal: {
        step(name, run) {
          order.push(`+ ${name}`);
          return inner.step(name, run).then((value) => {
            order.push(`- ${name}`);
            return value;
          });
        },
      },
    };
  }

  // G-durable-3
  test("become steps when the model step is recorded, all at once, in the order of the calls", async () => {
    const { journal, order } = watched(new Map());
    let looks = 0;
    const world = newWorld((name) => {
      if (name === "look begins") looks++;
      // A tool that only reads starts while the model writes.
      if (name === "model 1 ends") expect(looks).toBe(1);
      if (name === "model 1 ends") expect(world.rows.some(({ what }) => what === "book")).toBe(false);
    });
    await durable(tripAgent(world), { journal, id: "run" }).invoke("Go!");
    const at = order.indexOf("- model 1");
    expect(order.slice(at, at + 3)).toEqual(["- model 1", "+ tool 1 look-1 look", "+ tool 1 book-1 book"]);
  });

  test("become steps in the order of the calls, whatever middleware does before", async () => {
    const { journal, order } = watched(new Map());
    const slow = { aroundTool: (run: never, next: never) => delayed(run, next) };
    async function* delayed(
      run: { readonly call: { readonly name: string } },
      next: (run: unknown) => AsyncIterable<never>,
    ): AsyncGenerator<never> {
      if (run.call.name === "look")
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      yield* next(run);
    }
    await durable(tripAgent(newWorld(), [slow as never]), { journal, id: "run" }).invoke("Go!");
    const tools = order.filter((it) => it.startsWith("+ tool 1"));
    expect(tools).toEqual(["+ tool 1 look-1 look", "+ tool 1 book-1 book"]);
  });

  test("that fail are recorded as a value, and the model gets the same message again", async () => {
    const records = new Map<string, string>();
    const call = { type: "tool_call" as const, id: "1", name: "fail", args: { input: "" } };
    let runs = 0;
    const agent = createAgent({
      model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content: [call] }] : ["Sorry."])),
      tools: [
        tool({
          name: "fail",
          run: () => {
            runs++;
            throw new ToolError("failed", "The shop is closed.");
          },
        }),
      ],
    });
    const read = async (): Promise<AgentEvent[]> =>
      collect(durable(agent, { journal: memoryJournal(records), id: "run" }).stream("Buy."));
    const [first, second] = [await read(), await read()];
    for (const events of [first, second]) {
      const failed = events.find(({ type }) => type === "tool_error");
      expect(failed).toMatchObject({ error: { code: "failed", message: "The shop is closed." } });
    }
    expect(second.at(-1)).toEqual(first.at(-1));
    expect(runs).toBe(1);
  });

  test("that return what JSON cannot write end the attempt with an error", async () => {
    const call = { type: "tool_call" as const, id: "1", name: "odd", args: { input: "" } };
    const agent = createAgent({
      model: scriptedModel([{ content: [call] }]),
      tools: [tool({ name: "odd", output: "content_and_artifact", run: () => ["ok", 1n] as never })],
    });
    const { messages } = await durable(agent, { journal: memoryJournal(), id: "run" })
      .invoke("Go!")
      .catch((error: unknown) => ({ messages: [error] }));
    expect(messages.length).toBeGreaterThan(0);
  });
});

describe("a failure of a durable run", () => {
  test("is recorded, and thrown again by the next attempt without asking the model", async () => {
    const records = new Map<string, string>();
    const model = scriptedModel(() => {
      throw new ModelError("http", "Unauthorized.", { status: 401 });
    });
    const agent = createAgent({ model });
    const log = memoryLog();
    const told: unknown[] = [];
    const attempt = () =>
      durable(agent, {
        journal: memoryJournal(records),
        log,
        id: "run",
        onError: (error) => void told.push(error),
      });
    await expect(attempt().invoke("Hi")).rejects.toMatchObject({ name: "ModelError", status: 401 });
    const again: unknown = await attempt()
      .invoke()
      .catch((error: unknown) => error);
    expect(again).toBeInstanceOf(ModelError);
    expect(again).toMatchObject({ code: "http", status: 401 });
    expect(model.calls).toHaveLength(1);
    expect((await follow(log, "run")).end).toMatchObject({ type: "error", code: "run_failed" });
    expect(told).toHaveLength(1);
    expect(JSON.parse(records.get("end")!)).toMatchObject({ reason: "failed", error: { status: 401 } });
  });

  test("is not that of a journal, which only ends the attempt: readers wait for the next one", async () => {
    const records = new Map<string, string>();
    const inner = memoryJournal(records);
    const lost = new Error("The connection was lost.");
    const journal: Journal = {
      step: (name, ...work) => (name === "model 1" ? Promise.reject(lost) : inner.step(name, ...work)),
    };
    const agent = createAgent({ model: scriptedModel(["Hello."]) });
    const log = memoryLog();
    await expect(durable(agent, { journal, log, id: "run" }).invoke("Hi")).rejects.toBe(lost);
    expect([...records.keys()]).toEqual(["begin"]);
    expect(await log.status("run")).toBe("active");
    await durable(agent, { journal: memoryJournal(records), log, id: "run" }).invoke();
    expect(await follow(log, "run")).toMatchObject({ values: ["Hello."], end: { type: "done" } });
  });

  test("that middleware tries again is a step for each attempt, and the next attempt at the run repeats none", async () => {
    const records = new Map<string, string>();
    const clock = manualClock();
    let calls = 0;
    const failing = scriptedModel(() => {
      calls++;
      if (calls < 3) throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
      return ["Hello."];
    });
    const agent = createAgent({
      model: failing,
      middleware: [
        modelRetry({
          clock: { ...clock, setTimeout: (callback) => setTimeout(callback, 0) },
          retryOn: (error) => (error as { code?: string }).code === "ECONNRESET",
        }),
      ],
    });
    const run = () => durable(agent, { journal: memoryJournal(records), id: "run" });
    const first = await run().invoke("Hi");
    expect(await run().invoke()).toEqual(first);
    expect(calls).toBe(3);
    expect([...records.keys()]).toEqual([
      ...["begin", "model 1", "model 1 wait 1", "model 1 (2)", "model 1 wait 2", "model 1 (3)", "end"],
    ]);
  });

  test("of a tool that is tried again keeps its idempotency key", async () => {
    const records = new Map<string, string>();
    const keys: unknown[] = [];
    const call = { type: "tool_call" as const, id: "1", name: "flaky", args: { input: "" } };
    const agent = createAgent({
      model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content: [call] }] : ["Done."])),
      tools: [
        tool({
          name: "flaky",
          run: (_, { idempotencyKey }) => {
            keys.push(idempotencyKey);
            // Node's errors have a code too, and are retried as those without one.
            if (keys.length < 3) throw Object.assign(new Error("reset"), { code: "ECONNRESET" });
            return "done";
          },
        }),
      ],
      middleware: [toolRetry({ clock: { ...manualClock(), setTimeout: (it) => setTimeout(it, 0) } })],
    });
    const run = () => durable(agent, { journal: memoryJournal(records), id: "run" });
    const first = await run().invoke("Go!");
    expect(await run().invoke()).toEqual(first);
    expect(keys).toEqual(Array(3).fill("run tool 1 1 flaky"));
  });
});

test("calls with long ids that begin alike have steps and idempotency keys of their own", async () => {
  const records = new Map<string, string>();
  const keys: unknown[] = [];
  const ids = ["1", `${"x".repeat(100)}1`, `${"x".repeat(100)}2`];
  const content = ids.map((id) => ({ type: "tool_call" as const, id, name: "pay", args: { input: "" } }));
  const agent = createAgent({
    model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content }] : ["Done."])),
    tools: [tool({ name: "pay", run: (_, { idempotencyKey }) => void keys.push(idempotencyKey) })],
  });
  await durable(agent, { journal: memoryJournal(records), id: "run" }).invoke("Go!");
  expect([keys[0], new Set(keys).size]).toEqual(["run tool 1 1 pay", 3]);
  expect(Math.max(...[...records.keys()].map((name) => name.length))).toBeLessThan(150);
});

describe("a damaged record of a durable run", () => {
  const odd = ["", "x", "null", "1", "[]", "{}", '{"items": null}', '{"items": [null]}', '{"items": [{}]}'];

  test.each(odd)("%j ends the attempt, and the run continues with the right one", async (text) => {
    const world = newWorld();
    const records = new Map<string, string>();
    const run = (kept: Map<string, string>): Promise<unknown> =>
      durable(tripAgent(world), { journal: memoryJournal(kept), id: "run" }).invoke("Go!");
    const result = await run(records);
    records.delete("end");
    for (const [step, record] of records) {
      const damaged = new Map(records).set(step, text);
      const outcome: unknown = await run(damaged).catch((error: unknown) => error);
      // A tool may have returned anything, so not every odd record can be told.
      if (step === "begin" || step.startsWith("model"))
        expect(outcome).toMatchObject({ name: "DurableError", code: "corrupt" });
      if (outcome instanceof DurableError) {
        expect(damaged.has("end")).toBe(false);
        expect(await run(damaged.set(step, record))).toEqual(result);
      }
    }
  });
});

describe("a wait of a durable run", () => {
  test("goes on where it was, and a date that jumped does not make it longer", async () => {
    const waits: number[] = [];
    const clock = {
      ...manualClock(),
      setTimeout: (callback: () => void, ms: number) => {
        waits.push(ms);
        return setTimeout(callback, 0);
      },
    };
    for (const [jump, least, most] of [
      [200, 0, 300],
      [3_600_000, 0, 0],
      [-3_600_000, 499, 500],
    ] as const) {
      const records = new Map<string, string>();
      let calls = 0;
      const model = scriptedModel(() => {
        if (++calls === 1) throw new ModelError("network", "No answer.", { retryable: true });
        return ["Hello."];
      });
      const agent = createAgent({ model, middleware: [modelRetry({ clock, random: () => 0 })] });
      await durable(agent, { journal: memoryJournal(records), id: "run" }).invoke("Hi");
      // As if the process had died during the wait, and the next one saw another date.
      for (const name of ["model 1 (2)", "end"]) records.delete(name);
      records.set("model 1 wait 1", String(Date.now() + 500 - jump));
      waits.length = 0;
      await durable(agent, { journal: memoryJournal(records), id: "run" }).invoke();
      const [waited = 0] = waits;
      expect(waited).toBeGreaterThanOrEqual(least);
      expect(waited).toBeLessThanOrEqual(most);
    }
  });
});

describe("approval in a durable run", () => {
  const call = { type: "tool_call" as const, id: "1", name: "pay", args: { input: "100 €" } };
  function payer(decide: () => { type: "approve" } | undefined) {
    const paid: string[] = [];
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? [{ content: [call] }] : ["Paid."],
    );
    const agent = createAgent({
      model,
      tools: [
        tool({
          name: "pay",
          run: (what) => {
            paid.push(JSON.stringify(what));
            return "paid";
          },
        }),
      ],
      middleware: [humanApproval({ decide })],
    });
    return { agent, paid, model };
  }

  test("pauses the run, which goes on when it is run again, without asking the model again", async () => {
    const records = new Map<string, string>();
    const log = memoryLog();
    const decisions: { type: "approve" }[] = [];
    const { agent, paid, model } = payer(() => decisions[0]);
    const run = () => durable(agent, { journal: memoryJournal(records), log, id: "run" });
    expect((await run().invoke("Pay.")).state.status).toBe("paused");
    expect((await run().invoke()).state.status).toBe("paused");
    expect(records.has("end")).toBe(false);
    const reading = follow(log, "run");
    decisions.push({ type: "approve" });
    expect((await run().invoke()).state.status).toBe("finished");
    expect(paid).toEqual([`"100 €"`]);
    expect(model.calls).toHaveLength(2);
    expect((await reading).end).toEqual(complete);
  });

  test("is decided once: the next attempt takes the recorded decision", async () => {
    const records = new Map<string, string>();
    let asked = 0;
    const { agent, paid } = payer(() => {
      asked++;
      return { type: "approve" };
    });
    const run = () => durable(agent, { journal: memoryJournal(records), id: "run" });
    await run().invoke("Pay.");
    records.delete("end");
    records.delete("model 2");
    await run().invoke();
    expect([asked, paid.length]).toEqual([1, 1]);
    expect(records.get("tool 1 1 pay approval")).toBe('{"type":"approve"}');
  });
});

describe("cancelling a durable run", () => {
  test("by the log stops it for good, in each later attempt", async () => {
    const records = new Map<string, string>();
    const log = memoryLog();
    const world = newWorld((name) => (name === "book begins" ? hang() : undefined));
    const running = durable(tripAgent(world), { journal: memoryJournal(records), log, id: "run" }).invoke(
      "Go!",
    );
    running.catch(() => undefined);
    await expect.poll(() => records.has("model 1")).toBe(true);
    const reading = follow(log, "run");
    expect(await log.stop("run")).toBe(true);
    await expect(running).rejects.toMatchObject({ code: "stopped" });
    expect((await reading).end).toEqual({ type: "done", reason: "stopped" });
    expect(records.get("end")).toBe('{"reason":"stopped"}');
    expect([...records.keys()].some((name) => name.startsWith("tool 1 book"))).toBe(false);
    // Also without the log, or with one that has forgotten the run.
    const other = memoryLog();
    for (const logged of [{ log }, {}, { log: other }]) {
      const later = durable(tripAgent(newWorld()), { journal: memoryJournal(records), id: "run", ...logged });
      await expect(later.invoke()).rejects.toMatchObject({ code: "stopped" });
    }
    expect(await other.status("run")).toBe("stopped");
  });

  test("by the signal, or by leaving the loop, ends only this attempt", async () => {
    const records = new Map<string, string>();
    let left = 0;
    const inner = memoryLog();
    const log: StreamLog = {
      ...inner,
      takeOver: async (id) => ({ ...(await inner.takeOver(id)), leave: () => (left += 1) }),
    };
    const controller = new AbortController();
    const reason = new Error("The machine restarts.");
    const stuck = newWorld((name) => {
      if (name !== "book begins") return undefined;
      controller.abort(reason);
      return hang();
    });
    const run = (world: World) =>
      durable(tripAgent(world), { journal: memoryJournal(records), log, id: "run" });
    await expect(run(stuck).invoke("Go!", { signal: controller.signal })).rejects.toBe(reason);
    for await (const { type } of run(newWorld()).stream()) if (type === "tool_start") break;
    const silent = newWorld((name) => (name === "model 2 begins" ? hang() : undefined));
    const iterator = run(silent).stream()[Symbol.asyncIterator]();
    const pulling = (async () => {
      while ((await iterator.next()).done !== true);
    })();
    await expect.poll(() => silent.model.calls.length).toBe(1);
    await iterator.return?.();
    await pulling;
    expect(records.has("end")).toBe(false);
    expect(left).toBe(3);
    expect((await run(newWorld()).invoke()).structuredResponse).toEqual(plan);
    expect((await follow(log, "run")).end).toEqual(complete);
  });
});

describe("a durable run that is continued by another agent", () => {
  const begin = async (options: { version?: string } = {}): Promise<Map<string, string>> => {
    const records = new Map<string, string>();
    await durable(tripAgent(newWorld()), { journal: memoryJournal(records), id: "run", ...options }).invoke(
      "Go!",
    );
    return records;
  };
  const go = (
    records: Map<string, string>,
    agent: Agent,
    options: { version?: string } = {},
    input?: string,
  ) => durable(agent, { journal: memoryJournal(records), id: "run", ...options }).invoke(input);

  test("with another prompt, tool or response format is refused, and the error names what changed", async () => {
    const records = await begin();
    const other = tripAgent(newWorld(), [], "Plan a party.");
    const error: unknown = await go(records, other).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DurableError);
    expect(error).toMatchObject({
      code: "changed",
      message: expect.stringContaining("system") as string,
    });
    const { tools = [], ...options } = tripAgent(newWorld()).options;
    const fewer = createAgent({ ...options, tools: tools.slice(1) });
    await expect(go(records, fewer)).rejects.toMatchObject({
      code: "changed",
      message: expect.stringContaining('the tool "book"') as string,
    });
    const { responseFormat: _, ...free } = tripAgent(newWorld()).options;
    await expect(go(records, createAgent(free))).rejects.toMatchObject({
      code: "changed",
      message: expect.stringContaining("responseFormat") as string,
    });
  });

  test("with another form of a tool that the provider runs is refused", async () => {
    const records = new Map<string, string>();
    const agent = (uses: number) =>
      createAgent({
        model: scriptedModel(["Done."]),
        tools: [serverTool({ name: "search", forms: { anthropic: { max_uses: uses } } })],
      });
    const attempt = (uses: number) =>
      durable(agent(uses), { journal: memoryJournal(records), id: "run" }).invoke("Go.");
    await attempt(1);
    await expect(attempt(2)).rejects.toMatchObject({
      code: "changed",
      message: expect.stringContaining('the tool "search"') as string,
    });
    await attempt(1);
  });

  test("with the same version continues, and with another one is refused", async () => {
    const records = await begin({ version: "1" });
    const other = tripAgent(newWorld(), [], "Plan a nice trip.");
    expect((await go(records, other, { version: "1" })).structuredResponse).toEqual(plan);
    await expect(go(records, other, { version: "2" })).rejects.toMatchObject({ code: "changed" });
    await expect(go(records, other)).rejects.toMatchObject({ code: "changed" });
  });

  test("with the same input continues, with another one is refused, and needs one to begin", async () => {
    const records = await begin();
    expect((await go(records, tripAgent(newWorld()), {}, "Go!")).structuredResponse).toEqual(plan);
    await expect(go(records, tripAgent(newWorld()), {}, "Stay!")).rejects.toMatchObject({ code: "changed" });
    await expect(go(new Map(), tripAgent(newWorld()))).rejects.toMatchObject({ code: "no_input" });
  });

  test("refuses unknown and missing options, and what is no agent", () => {
    const journal = memoryJournal();
    for (const options of [{ journal }, { journal, id: undefined }, { journal, id: "" }, { id: "a" }])
      expect(() => durable(tripAgent(newWorld()), options as never)).toThrow(/needs a journal, and an id/);
    expect(() => durable(tripAgent(newWorld()), { journal, id: "a", store: 1 } as never)).toThrow(TypeError);
    for (const view of ["all", "toString", null])
      expect(() => durable(tripAgent(newWorld()), { journal, id: "a", view } as never)).toThrow(
        /"answer" or "run"/,
      );
    expect(() => durable({} as never, { journal, id: "a" })).toThrow(TypeError);
    const run = durable(tripAgent(newWorld()), { journal, id: "a" });
    expect(() => run.stream("Hi", { abortSignal: undefined, sgnal: 1 } as never)).toThrow(TypeError);
  });
});

describe("a step whose value the journal refuses", () => {
  const pay = tool({ name: "pay", run: () => "x".repeat(5_000) });
  const calls = { content: [{ type: "tool_call" as const, id: "1", name: "pay", args: { input: "" } }] };

  test.each([
    ["a result of a tool", () => [calls], { maxStepSize: 2_000 }, "maxStepSize"],
    ["an answer of a model", () => ["y".repeat(5_000)], { maxStepSize: 2_000 }, "maxStepSize"],
    ["a result for which the file has no place", () => [calls], { maxSize: 4_000 }, "maxSize"],
  ])("%s fails the run once, and is not repeated", async (_name, answer, limits, limit) => {
    const parent = newFolder();
    let ran = 0;
    const agent = createAgent({
      model: scriptedModel(() => (ran++, answer())),
      tools: [{ ...pay, run: (...args) => (ran++, pay.run(...args)) }],
      middleware: [toolRetry(), modelRetry()],
    });
    const errors: unknown[] = [];
    const counts: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const journal = fileJournal(join(parent, "a"), limits);
      const run = durable(agent, { journal, id: "a" }).invoke("Go.");
      errors.push(await run.catch((error: unknown) => error));
      await journal.close();
      counts.push(ran);
    }
    expect(counts).toEqual(counts.map(() => counts[0]));
    const failed = { name: "DurableError", code: "too_large" };
    expect(errors).toMatchObject([failed, failed, failed]);
    expect(String(errors[0])).toContain(limit);
    expect(await unfinishedRuns(parent)).toEqual([]);
  });
});
