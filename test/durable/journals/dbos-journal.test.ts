import { DBOS } from "@dbos-inc/dbos-sdk";
import { createAgent, textOf, tool } from "millrace";
import { humanApproval, toolRetry } from "millrace/agent";
import { dbosJournal, durable } from "millrace/durable";
import { memoryLog } from "millrace/serve";
import { journalLaws, scriptedModel } from "millrace/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { hang } from "../support/trip.js";
import { describePostgres, PostgresServer } from "../support/postgres.js";
import { dbosAttempts, launchDbos } from "../support/dbos-attempts.js";

describePostgres("dbosJournal()", () => {
  const server = new PostgresServer();
  beforeAll(async () => {
    await server.start();
    await launchDbos(await server.newDatabase());
  }, 60_000);
  afterAll(async () => {
    await DBOS.shutdown();
    await server.close();
  });
  const maxStepSize = 10_000;
  const attempt = dbosAttempts(maxStepSize);

  describe("keeps the laws of journals:", () => {
    for (const law of journalLaws({ attempt, maxStepSize, ordered: true })) test(law.name, () => law.check());
  });

  test("records a step that is created inside another one", async () => {
    const both = (value: string) =>
      attempt("inside", async (journal) => {
        let inner: Promise<string> | undefined;
        const outer = await journal.step("outer", async () => {
          inner = journal.step("inner", () => Promise.resolve(value));
          return Promise.resolve(value);
        });
        return [outer, inner === undefined ? undefined : await inner];
      });
    expect(await both("first")).toEqual(["first", "first"]);
    const steps = (await DBOS.listWorkflowSteps("inside")) ?? [];
    expect(steps.map(({ name }) => name)).toEqual(["outer", "inner"]);
  });

  test("refuses another step at the position of a recorded one", async () => {
    await attempt("other", (journal) => journal.step("a", () => Promise.resolve(1)));
    const other = attempt("other", (journal) => journal.step("b", () => Promise.resolve(1)));
    await expect(other).rejects.toMatchObject({ name: "DurableError", code: "changed" });
  });

  test("keeps a decision that is sent while no worker has the run, and the rest of a wait", async () => {
    const call = (name: string) => ({ type: "tool_call" as const, id: name, name, args: { input: "" } });
    const runs: string[] = [];
    const agent = createAgent({
      model: scriptedModel(({ messages }) =>
        messages.length === 1 ? [{ content: [call("pay"), call("busy")] }] : ["Done."],
      ),
      tools: [
        tool({ name: "pay", run: () => void runs.push("pay") }),
        tool({
          name: "busy",
          run: () => {
            if (runs.push("busy") === 1) throw new Error("The server is busy.");
          },
        }),
      ],
      middleware: [
        humanApproval({ tools: ["pay"], decide: () => undefined }),
        toolRetry({ random: () => 1 }),
      ],
    });
    const start = () =>
      attempt("approval", (journal) => durable(agent, { journal, id: "approval" }).invoke("Go!"));
    const first = start();
    first.catch(() => undefined);
    await expect.poll(() => runs.length).toBe(1);
    await DBOS.cancelWorkflow("approval");
    await expect(first).rejects.toMatchObject({ code: "stopped" });
    await DBOS.send("approval", { type: "approve" }, "tool 1 pay pay decision");
    expect((await start()).state.status).toBe("finished");
    expect(runs.filter((it) => it === "pay")).toHaveLength(1);
  });

  test("records calls and values of any characters, and finds each again", async () => {
    const texts = ["a\0b", "a\ud800b", "\udc00", "a\u0001b", "\0", "\0\0"];
    const runs: string[] = [];
    const agent = createAgent({
      model: scriptedModel(({ messages }) =>
        messages.length === 1
          ? [
              {
                content: texts.map((id) => ({
                  type: "tool_call" as const,
                  id,
                  name: "say",
                  args: { input: id },
                })),
              },
            ]
          : ["Done."],
      ),
      tools: [
        tool({
          name: "say",
          schema: z.object({ input: z.string() }),
          run: ({ input }) => (runs.push(input), `${input}!`),
        }),
      ],
    });
    const start = () =>
      attempt("characters", (journal) => durable(agent, { journal, id: "characters" }).invoke("Go!"));
    const { messages } = await start();
    expect(messages.filter(({ role }) => role === "tool").map(textOf)).toEqual(texts.map((it) => `${it}!`));
    expect((await start()).messages).toEqual(messages);
    expect(runs.sort()).toEqual(texts.sort());
  });

  test("refuses to continue a run with another prompt, unless the version is the same", async () => {
    const start = (id: string, system: string, version?: string) => {
      const agent = createAgent({ model: scriptedModel(["Hello."]), system });
      return attempt(id, (journal) =>
        durable(agent, { journal, id, ...(version !== undefined && { version }) }).invoke("Hi"),
      );
    };
    await start("prompt", "Be kind.");
    await expect(start("prompt", "Be brief.")).rejects.toMatchObject({
      code: "changed",
      message: expect.stringContaining("system") as string,
    });
    await start("version", "Be kind.", "1");
    expect((await start("version", "Be brief.", "1")).state.status).toBe("finished");
    await expect(start("version", "Be brief.", "2")).rejects.toMatchObject({ code: "changed" });
  });

  // The step of a tool that ends just after the cancellation cannot be recorded any more.
  test.each([
    ["hangs", true],
    ["ends", false],
  ])("ends a run whose workflow is cancelled while a tool %s, and its readers know", async (id, hangs) => {
    const log = memoryLog();
    let begun: AbortSignal | undefined;
    let cancelled = (): void => undefined;
    const cancellation = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const slow = tool({
      name: "slow",
      run(_, { signal }) {
        begun = signal;
        return hangs ? hang() : cancellation;
      },
    });
    const call = { type: "tool_call" as const, id: "1", name: "slow", args: { input: "" } };
    const agent = createAgent({ model: scriptedModel([{ content: [call] }]), tools: [slow] });
    const running = attempt(id, (journal) => durable(agent, { journal, log, id }).invoke("Go!"));
    running.catch(() => undefined);
    await expect.poll(() => begun).toBeDefined();
    await DBOS.cancelWorkflow(id);
    cancelled();
    await expect(running).rejects.toMatchObject({ name: "DurableError", code: "stopped" });
    expect(begun?.aborted).toBe(hangs);
    const entries = [];
    for await (const entry of log.read(id, "0")) entries.push(entry);
    expect(entries.at(-1)).toEqual({ type: "done", reason: "stopped" });
  });

  test("refuses a limit that is no whole number", () => {
    expect(() => dbosJournal(DBOS, { maxStepSize: 0.5 })).toThrow(RangeError);
  });
});
