import { collect, createAgent, ModelError, textOf } from "millrace";
import { modelRetry } from "millrace/agent";
import { manualClock, type ManualClock, scriptedModel, type ScriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { turn } from "../../stream/support/hand-fed.js";

const busy = new ModelError("http", "Too many requests.", { status: 429, retryable: true });

/** Fails so often, then answers. */
function failing(times: number, error: unknown = busy): ScriptedModel {
  return scriptedModel(({ index }) => {
    if (index < times) throw error;
    return ["Hello."];
  });
}

/** Moves the clock on as soon as something waits for it, and says how long it waited each time. */
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

test("a model that fails before its first chunk is asked again, later each time", async () => {
  const clock = manualClock();
  const model = failing(3);
  const retry = modelRetry({ maxRetries: 3, clock, random: () => 0 });
  const run = createAgent({ model, middleware: [retry] }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([500, 1_000, 2_000]);
  expect((await run).messages.map(textOf)).toEqual(["Hi", "Hello."]);
  expect(model.calls).toHaveLength(4);
});

test("chance takes up to half of the wait away", async () => {
  const clock = manualClock();
  const run = createAgent({
    model: failing(1),
    middleware: [modelRetry({ clock, random: () => 1 })],
  }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([250]);
});

test("the server's own wish is the wait", async () => {
  const clock = manualClock();
  const model = failing(1, new ModelError("http", "Later.", { retryable: true, retryAfter: 3_000 }));
  const run = createAgent({ model, middleware: [modelRetry({ clock })] }).invoke("Hi");
  expect(await waits(clock, run)).toEqual([3_000]);
});

test("after the last attempt the run ends with the error as it came", async () => {
  const clock = manualClock();
  const model = failing(9);
  const run = createAgent({ model, middleware: [modelRetry({ clock })] }).invoke("Hi");
  await waits(clock, run);
  await expect(run).rejects.toBe(busy);
  expect(model.calls).toHaveLength(3);
});

test("after its first chunk a model is never asked again", async () => {
  const model = scriptedModel(async function* () {
    yield "Hel";
    throw busy;
  });
  const run = createAgent({ model, middleware: [modelRetry()] }).invoke("Hi");
  await expect(run).rejects.toBe(busy);
  expect(model.calls).toHaveLength(1);
});

test("only errors that may pass are worth another attempt, unless retryOn says which", async () => {
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

test("a run that is aborted between two attempts ends at once, and leaves no timer", async () => {
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

test("the end of an aborted run is no failure to be tried again", async () => {
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

test("a number of attempts that is none is refused", () => {
  expect(() => modelRetry({ maxRetries: 0 })).toThrow(RangeError);
});
