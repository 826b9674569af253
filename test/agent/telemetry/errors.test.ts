import { createAgent, tool } from "millrace";
import { logging, type Middleware, type OpenTelemetryApi, telemetry } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { call } from "../support/script.js";

const thrown = new Error("the tracer failed");

/** Telemetry whose tracer, spans, meters and contexts throw at one of their calls. */
function throwing(at: number): { readonly middleware: Middleware; readonly calls: () => number } {
  let calls = 0;
  const count = <T>(result: T): T => {
    if (++calls === at) throw thrown;
    return result;
  };
  const context = { getValue: () => undefined, setValue: () => context, deleteValue: () => context };
  const span = {
    setAttributes: () => count(undefined),
    setStatus: () => count(undefined),
    addEvent: () => count(undefined),
    end: () => count(undefined),
  };
  const api: OpenTelemetryApi = {
    context: { active: () => count(context), with: (_, work) => count(work)() },
    trace: { getTracer: () => ({ startSpan: () => count(span) }), setSpan: () => count(context) },
    metrics: { getMeter: () => ({ createHistogram: () => ({ record: () => count(undefined) }) }) },
  };
  return { middleware: telemetry({ api, captureContent: true }), calls: () => calls };
}

/** The error of a run with a tool call, and how many streams of the model stayed open. */
async function errorOf(
  middleware: Middleware,
  last: () => string[],
): Promise<[error: unknown, open: number]> {
  let open = 0;
  const model = scriptedModel(async function* ({ messages }) {
    open++;
    try {
      yield* messages.length === 1 ? call("1", "look", '{"input":""}') : last();
    } finally {
      open--;
    }
  });
  const agent = createAgent({
    model,
    tools: [tool({ name: "look", run: () => "seen" })],
    middleware: [middleware],
  });
  const error: unknown = await agent.invoke("Hi").then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return [error, open];
}

test("a tracer that throws ends the run with its error, and closes what is open", async () => {
  const counting = throwing(0);
  expect(await errorOf(counting.middleware, () => ["Done."])).toEqual([undefined, 0]);
  expect(counting.calls()).toBeGreaterThan(40);
  for (let at = 1; at <= counting.calls(); at++) {
    const [error, open] = await errorOf(throwing(at).middleware, () => ["Done."]);
    expect([at, error, open]).toEqual([at, thrown, 0]);
  }
});

test("a tracer or log that throws about a failure does not hide it", async () => {
  const failure = new Error("the model failed");
  const fail = (): never => {
    throw failure;
  };
  const counting = throwing(0);
  let before = 0;
  const failLater = (): never => {
    before = counting.calls();
    throw failure;
  };
  expect(await errorOf(counting.middleware, failLater)).toEqual([failure, 0]);
  expect(counting.calls()).toBeGreaterThan(before + 5);
  for (let at = before + 1; at <= counting.calls(); at++) {
    const [error, open] = await errorOf(throwing(at).middleware, fail);
    expect([at, error, open]).toEqual([at, failure, 0]);
  }
  const log = logging({
    log: (line) => {
      if (line.includes("failed after")) throw thrown;
    },
  });
  expect((await errorOf(log, fail))[0]).toBe(failure);
});
