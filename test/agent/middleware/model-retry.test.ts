import { collect, createAgent, ModelError, textOf } from "millrace";
import { modelRetry } from "millrace/agent";
import { manualClock, type ManualClock, scriptedModel, type ScriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { turn } from "../../stream/support/hand-fed.js";

const busy = new ModelError("http", "Too many requests.", { status: 429, retryable: true });

/** Fails the given number of times, then answers. */
function failing(times: number, error: unknown = busy): ScriptedModel {
  return scriptedModel(({ index }) => {
    if (index < times) throw error;
    return ["Hello."];
  });
}

/** Advances the clock whenever something waits for it, and records each wait. */
async function waits(clock: ManualClock, until: Promise<unknown>): Promise<number[]> {
  const waited: number[] = [];
  let over = false;
  until.then(
    () => (over = true),
    () => (over = true),
  );
  let since = clock.now();
  for (;;) {
    await turn();
    if (over) return waited;
    if (clock.timers === 0) continue;
    while (clock.timers > 0) clock.advance(250);
    waited.push(clock.now() - since);
    since = clock.now();
  }
}

test("a model that fails before its first chunk is called again with growing delays", async () => {
  const clock = manualClock();
  const model = failing(3);
  const retry = modelRetry({ maxRetries: 3, clock, random: () => 0 });
  const run = createAgent({ model, middleware: [retry] }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([500, 1_000, 2_000]);
  expect((await run).messages.map(textOf)).toEqual(["Hi", "Hello."]);
  expect(model.calls).toHaveLength(4);
});

test("jitter shortens the delay by up to half", async () => {
  const clock = manualClock();
  const run = createAgent({
    model: failing(1),
    middleware: [modelRetry({ clock, random: () => 1 })],
  }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([250]);
});

test("the delay that the server asks for is used", async () => {
  const clock = manualClock();
  const model = failing(1, new ModelError("http", "Later.", { retryable: true, retryAfter: 3_000 }));
  const run = createAgent({ model, middleware: [modelRetry({ clock })] }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([3_000]);
});

test("after the last attempt, the run ends with the error unchanged", async () => {
  const clock = manualClock();
  const model = failing(9);
  const run = createAgent({ model, middleware: [modelRetry({ clock })] }).invoke("Hi");
  await waits(clock, run);
  await expect(run).rejects.toBe(busy);
  expect(model.calls).toHaveLength(3);
});

test("a model is never called again after its first chunk", async () => {
  const model = scriptedModel(async function* () {
    yield "Hel";
    throw busy;
  });
  const run = createAgent({ model, middleware: [modelRetry()], maxRetries: 0 }).invoke("Hi");
  await expect(run).rejects.toBe(busy);
  expect(model.calls).toHaveLength(1);
});

test("only retryable errors are retried, unless retryOn selects others", async () => {
  const refused = new ModelError("http", "No.", { status: 401 });
  const model = failing(1, refused);
  await expect(createAgent({ model, middleware: [modelRetry()] }).invoke("Hi")).rejects.toBe(refused);

  const clock = manualClock();
  const again = failing(1, refused);
  const retry = modelRetry({ clock, retryOn: (error) => error === refused });
  const run = createAgent({ model: again, middleware: [retry] }).invoke("Hi");
  await waits(clock, run);
  expect((await run).messages.map(textOf)).toEqual(["Hi", "Hello."]);
});

test("a run that is aborted between two attempts ends at once without a pending timer", async () => {
  const clock = manualClock();
  const controller = new AbortController();
  const model = failing(9);
  const agent = createAgent({ model, middleware: [modelRetry({ clock })] });
  const run = collect(agent.stream("Hi", { signal: controller.signal }));
  while (clock.timers === 0) await turn();
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(run).rejects.toBe(reason);
  await turn();
  expect(clock.timers).toBe(0);
  expect(model.calls).toHaveLength(1);
});

test("the abort of a run is not retried", async () => {
  const clock = manualClock();
  const controller = new AbortController();
  const model = scriptedModel(async function* () {
    yield await new Promise<never>(() => {});
  });
  const retry = modelRetry({ clock, retryOn: () => true });
  const run = collect(
    createAgent({ model, middleware: [retry] }).stream("Hi", { signal: controller.signal }),
  );
  await turn();
  controller.abort();
  await expect(run).rejects.toBe(controller.signal.reason);
  await turn();
  expect(clock.timers).toBe(0);
  expect(model.calls).toHaveLength(1);
});

test("rejects an invalid maxRetries", () => {
  expect(() => modelRetry({ maxRetries: 0 })).toThrow(RangeError);
});
