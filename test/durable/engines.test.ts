import { createAgent, type Agent, type JsonValue, tool } from "millrace";
import { applyPatch } from "millrace/json";
import { humanApproval, toolRetry } from "millrace/agent";
import { durable, DurableError, type RunView } from "millrace/durable";
import { memoryLog, type StreamLog } from "millrace/serve";
import { manualClock, scriptedModel } from "millrace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLeaving } from "./support/leaving-reader.js";
import { newRecords, positionJournal, type PositionRecords, send } from "./support/position-journal.js";
import { hang, newWorld, plan, tripAgent } from "./support/trip.js";

const calls = ["a", "b", "c"].map((name) => ({
  type: "tool_call" as const,
  id: name,
  name: "flaky",
  args: { input: name },
}));

/** Three tools at the same time, which fail some times before they succeed. */
function flakyAgent(wait: () => Promise<void>, failures: Readonly<Record<string, number>>): Agent {
  const runs = new Map<string, number>();
  return createAgent({
    model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content: calls }] : ["Done."])),
    tools: [
      tool({
        name: "flaky",
        async run(_, { toolCallId }) {
          const run = (runs.get(toolCallId) ?? 0) + 1;
          runs.set(toolCallId, run);
          await wait();
          if (run <= (failures[toolCallId] ?? 0)) throw new Error("The server is busy.");
          return `${toolCallId} is done`;
        },
      }),
    ],
    middleware: [toolRetry({ clock: { ...manualClock(), setTimeout: (it) => setTimeout(it, 0) } })],
  });
}

describe("with an engine that finds steps by position, durable()", () => {
  test("creates them in the same order in each attempt, whichever tool is the fastest", async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 12, maxLength: 12 });
    const failures = fc.record({ a: fc.nat(2), b: fc.nat(2), c: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(
        delays,
        delays,
        failures,
        fc.integer({ min: 1, max: 20 }),
        async (first, second, fail, kept) => {
          const records = newRecords();
          const run = async (delays: readonly number[]): Promise<unknown> => {
            let count = 0;
            const wait = () =>
              new Promise<void>((resolve) => {
                setTimeout(resolve, delays[count++ % delays.length]);
              });
            return durable(flakyAgent(wait, fail), { journal: positionJournal(records), id: "run" }).invoke(
              "Go!",
            );
          };
          const whole = await run(first);
          // As if the process had died: what was recorded last is lost.
          for (const position of [...records.steps.keys()].sort((a, b) => a - b).slice(kept)) {
            records.steps.delete(position);
          }
          if (kept > 1) expect(await run(second)).toMatchObject({ structuredResponse: undefined });
          expect(whole).toMatchObject({ state: { status: "finished" } });
        },
      ),
      { numRuns: 25 },
    );
  });

  test("shows readers one run, whatever event they resume from, after a crash at every moment of every attempt", async () => {
    const expected = await tripAgent(newWorld()).invoke("Go!");
    const records = newRecords();
    const log = memoryLog();
    const reading = readLeaving(log, "run", () => records.steps.size > 0);
    let result: unknown;
    for (let at = 0; result === undefined; at++) {
      let moments = 0;
      let die: () => void = () => undefined;
      const death = new Promise<void>((resolve) => {
        die = resolve;
      });
      const world = newWorld(() => {
        if (moments++ < at) return undefined;
        die();
        return hang();
      });
      const running = durable(tripAgent(world), { journal: positionJournal(records), log, id: "run" }).invoke(
        "Go!",
      );
      running.catch(() => undefined);
      result = await Promise.race([running, death]);
    }
    expect(result).toEqual(expected);
    expect(await reading).toEqual(plan);
  });
});

test("a run that was stopped while no worker had it ends as stopped, wherever it was", async () => {
  const whole = newRecords();
  await durable(tripAgent(newWorld()), { journal: positionJournal(whole), id: "run" }).invoke("Go!");
  for (let kept = 0; kept < whole.steps.size; kept++) {
    const records = { ...newRecords(), steps: new Map([...whole.steps].slice(0, kept)) };
    const log = memoryLog();
    await log.takeOver("run");
    await log.stop("run");
    for (let attempt = 0; attempt < 2; attempt++) {
      const run = durable(tripAgent(newWorld()), { journal: positionJournal(records), log, id: "run" });
      await expect(run.invoke("Go!"), `${kept} steps`).rejects.toMatchObject({ code: "stopped" });
    }
  }
});

describe("with an engine that keeps messages, approval", () => {
  const call = { type: "tool_call" as const, id: "1", name: "pay", args: { input: "100 €" } };
  function payer(): { agent: Agent; paid: unknown[]; asked: () => number } {
    const paid: unknown[] = [];
    let asked = 0;
    const agent = createAgent({
      model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content: [call] }] : ["Thanks."])),
      tools: [tool({ name: "pay", run: (what) => `paid ${paid.push(what)}` })],
      middleware: [
        humanApproval({
          decide: () => {
            asked++;
            return undefined;
          },
        }),
      ],
    });
    return { agent, paid, asked: () => asked };
  }
  const topic = "tool 1 1 pay decision";
  const start = (records: PositionRecords, agent: Agent, log?: StreamLog) =>
    durable(agent, {
      ...{ journal: positionJournal(records), id: "run", view: "run" },
      ...(log !== undefined && { log }),
    }).invoke("Pay.");

  test("waits for the message, also in the next attempt, and readers see that it waits", async () => {
    const records = newRecords();
    const log = memoryLog();
    const { agent, paid, asked } = payer();
    start(records, agent, log).catch(() => undefined); // dies while it waits
    await expect.poll(() => records.waiting.has(topic)).toBe(true);
    const statuses: string[] = [];
    const reading = (async () => {
      let value: JsonValue | undefined;
      for await (const entry of log.read("run")) {
        if (entry.type !== "patch") return;
        value = applyPatch(value, entry.patch);
        const status = (value as unknown as RunView).steps[0]?.calls[0]?.status;
        if (status !== undefined && status !== statuses.at(-1)) statuses.push(status);
      }
    })();
    await expect.poll(() => statuses.at(-1)).toBe("paused");
    records.waiting.clear();
    const second = start(records, agent, log);
    await expect.poll(() => records.waiting.has(topic)).toBe(true);
    expect(paid).toEqual([]);
    send(records, topic, { type: "edit", args: { input: "10 €" } });
    const { messages } = await second;
    await reading;
    expect(paid).toEqual(["10 €"]);
    expect(messages[1]).toMatchObject({ content: [{ args: { input: "10 €" } }] });
    expect(statuses).toEqual(["paused", "done"]);
    expect(asked()).toBe(1);
    // A third attempt asks nobody and pays nothing.
    await start(records, agent);
    expect([asked(), paid.length]).toEqual([1, 1]);
  });

  test.each([null, "approve", { type: "edit", args: [] }, { approve: true }, { type: "reject", message: 1 }])(
    "is not given by the message %j",
    async (message) => {
      const records = newRecords();
      const { agent, paid } = payer();
      send(records, topic, message);
      const { messages, state } = await start(records, agent);
      expect(paid).toEqual([]);
      expect(state.status).toBe("finished");
      expect(messages.filter(({ role }) => role === "tool")).toHaveLength(1);
    },
  );
});

test("a run that the engine cancels ends as stopped, for its readers too", async () => {
  const log = memoryLog();
  const agent = createAgent({ model: scriptedModel(() => [hang() as never]) });
  const cancelled = new DurableError("stopped", "The workflow was cancelled.");
  let cancel: () => void = () => undefined;
  const inner = positionJournal(newRecords());
  const journal = {
    ...inner,
    step: ((name, run) =>
      Promise.race([
        inner.step(name, run),
        new Promise((_, reject) => {
          cancel = () => {
            reject(cancelled);
          };
        }),
      ])) as typeof inner.step,
  };
  const running = durable(agent, { journal, log, id: "run" }).invoke("Hi");
  running.catch(() => undefined);
  await expect.poll(() => agent.options.model).toBeDefined();
  await new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
  cancel();
  await expect(running).rejects.toBe(cancelled);
  const entries = [];
  for await (const entry of log.read("run", "0")) entries.push(entry);
  expect(entries.at(-1)).toEqual({ type: "done", reason: "stopped" });
});
