import { type AgentEvent, collect, createAgent, tool } from "millrace";
import { ToolError, type Middleware, toolRetry, type ToolRetryOptions } from "millrace/agent";
import { expect, test } from "vitest";
import { inShort } from "../support/conversation.js";
import { noTime } from "../support/no-time.js";
import { answers, call, ofType } from "../support/script.js";

/** A run that calls the tool once. Each attempt fails with the next error, until none is left. */
async function runOf(errors: unknown[], options: ToolRetryOptions = {}, onError = true): Promise<Ran> {
  let runs = 0;
  const flaky = tool({
    name: "flaky",
    onError,
    async *run() {
      yield `run ${++runs}`;
      if (errors.length > 0) throw errors.shift();
      return "done";
    },
  });
  const model = answers([call("1", "flaky", '{"input": "x"}'), ["Fine."]]);
  const retry: Middleware = toolRetry({ clock: noTime, ...options });
  const events: AgentEvent[] = await collect(
    createAgent({ model, tools: [flaky], middleware: [retry] }).stream("Go."),
  );
  return { runs, events, said: inShort(ofType(events, "finish")[0]?.state.messages ?? [])[2] };
}

interface Ran {
  readonly runs: number;
  readonly events: AgentEvent[];
  /** The tool message that the model got. */
  readonly said: string | undefined;
}

test("a tool that fails runs again, and the model gets only the last outcome", async () => {
  const { runs, events, said } = await runOf([new Error("busy"), new Error("busy")]);
  expect(runs).toBe(3);
  expect(said).toBe("tool#1 success | done");
  expect(ofType(events, "tool_error")).toEqual([]);
  expect(ofType(events, "tool_progress").map(({ value }) => value)).toEqual(["run 1", "run 2", "run 3"]);
});

test("the error of the last attempt goes to the model, or is thrown with onError: false", async () => {
  const errors = ["one", "two", "three"].map((text) => new Error(text));
  const { runs, said } = await runOf([...errors]);
  expect(runs).toBe(3);
  expect(said).toMatch(/^tool#1 error \| .*"flaky".* three$/);
  await expect(runOf([...errors], {}, false)).rejects.toBe(errors[2]);
});

test("an error is also retried with onError: false", async () => {
  expect((await runOf([new Error("busy")], {}, false)).said).toBe("tool#1 success | done");
});

test("a ToolError is not retried", async () => {
  const { runs, said } = await runOf([new ToolError("failed", "There is no such city.")]);
  expect(runs).toBe(1);
  expect(said).toBe("tool#1 error | There is no such city.");
});

test("only selected tools and errors are retried", async () => {
  expect((await runOf([new Error("busy")], { tools: ["another"] })).runs).toBe(1);
  expect((await runOf([new Error("busy")], { tools: ({ args }) => args["input"] === "x" })).runs).toBe(2);
  expect((await runOf([new Error("busy")], { retryOn: () => false })).runs).toBe(1);
  expect((await runOf([new Error("busy")], { maxRetries: 1 })).runs).toBe(2);
});

test("a tool that has a result does not run again, whatever fails after it", async () => {
  let runs = 0;
  const failing: Middleware = {
    async *aroundTool(run, next) {
      yield* next(run);
      throw new Error("The log cannot be written.");
    },
  };
  const agent = createAgent({
    model: answers([call("1", "pay", '{"input": ""}')]),
    tools: [tool({ name: "pay", run: () => `paid ${++runs}` })],
    middleware: [toolRetry({ clock: noTime }), failing],
  });
  await expect(agent.invoke("Pay.")).rejects.toThrow("The log");
  expect(runs).toBe(1);
});
