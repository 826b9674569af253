import { type AgentEvent, collect, createAgent, tool, ToolError } from "millrace";
import { type Middleware, toolRetry, type ToolRetryOptions } from "millrace/agent";
import { expect, test } from "vitest";
import { inShort } from "../support/conversation.js";
import { noTime } from "../support/no-time.js";
import { answers, call, ofType } from "../support/script.js";

/** A run in which the tool is called once, and fails each time with the next of the errors, then never again. */
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
  /** What the model was told of the tool. */
  readonly said: string | undefined;
}

test("a tool that fails is run again, and only what came of the last run is told", async () => {
  const { runs, events, said } = await runOf([new Error("busy"), new Error("busy")]);
  expect(runs).toBe(3);
  expect(said).toBe("tool#1 success | done");
  expect(ofType(events, "tool_error")).toEqual([]);
  expect(ofType(events, "tool_progress").map(({ value }) => value)).toEqual(["run 1", "run 2", "run 3"]);
});

test("the error of the last attempt is told to the model, or thrown where it is not to be told", async () => {
  const errors = ["one", "two", "three"].map((text) => new Error(text));
  const { runs, said } = await runOf([...errors]);
  expect(runs).toBe(3);
  expect(said).toBe('tool#1 error | The tool "flaky" failed: three');
  await expect(runOf([...errors], {}, false)).rejects.toBe(errors[2]);
});

test("where an error is thrown and not told, there is another attempt all the same", async () => {
  expect((await runOf([new Error("busy")], {}, false)).said).toBe("tool#1 success | done");
});

test("what a tool means for the model is no reason to run it again", async () => {
  const { runs, said } = await runOf([new ToolError("failed", "There is no such city.")]);
  expect(runs).toBe(1);
  expect(said).toBe("tool#1 error | There is no such city.");
});

test("only the tools that are chosen are run again, and only after the errors that are", async () => {
  expect((await runOf([new Error("busy")], { tools: ["another"] })).runs).toBe(1);
  expect((await runOf([new Error("busy")], { tools: ({ args }) => args["input"] === "x" })).runs).toBe(2);
  expect((await runOf([new Error("busy")], { retryOn: () => false })).runs).toBe(1);
  expect((await runOf([new Error("busy")], { maxRetries: 1 })).runs).toBe(2);
});
