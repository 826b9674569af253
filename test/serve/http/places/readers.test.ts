import { from } from "millrace";
import {
  boundedHandler,
  keepResponse,
  memoryLog,
  type ReadBounds,
  readHandler,
  resumeResponse,
  runHandler,
  type StreamLog,
  toEventStream,
} from "millrace/serve";
import { manualClock } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { turn } from "../../../client/support.js";

const url = "http://localhost/?run=a";
const post = (): Request =>
  new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body: "1" });
const get = (user = "ada"): Request => new Request(url, { headers: { "x-user": user } });
const clientId = ({ headers }: Request): string | null => headers.get("x-user");

/** A log with a run whose value is a text. */
async function logWith(value: string): Promise<StreamLog> {
  const log = memoryLog();
  const writer = await log.create("a");
  await writer.append([{ op: "replace", path: "", value }]);
  return log;
}

const handlers: readonly [
  name: string,
  (log: StreamLog, options: ReadBounds) => (request: Request) => Promise<Response>,
][] = [
  ["runHandler()", (log, options) => runHandler(() => new Response(), { log, ...options })],
  ["readHandler()", (log, options) => readHandler(() => toEventStream(undefined, { log, id: "a" }), options)],
];

// G-wire-15
describe.each(handlers)("the readers of %s", (_, handlerOf) => {
  test("have a number of places, and leave theirs when they leave", async () => {
    const handle = handlerOf(await logWith("tea"), { maxReaders: 2, clock: manualClock() });
    const [first] = [await handle(get()), await handle(get())];
    const refused = await handle(get());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toEqual({
      code: "too_many_readers",
      message: "Too many readers are active. Try again later.",
    });
    await first.body?.cancel();
    expect((await handle(get())).status).toBe(200);
    expect((await handle(get())).status).toBe(429);
  });

  test("of one client have a number of places", async () => {
    const handle = handlerOf(await logWith("tea"), { maxReadersPerClient: 1, clientId });
    await handle(get());
    expect(await (await handle(get())).json()).toMatchObject({ code: "too_many_readers_per_client" });
    expect((await handle(get("bob"))).status).toBe(200);
  });

  test("that do not read lose their place after a time, and it is free after as long again", async () => {
    const clock = manualClock();
    const handle = handlerOf(await logWith("tea"), { maxReaders: 1, timeouts: { write: 1_000 }, clock });
    const reader = (await handle(get())).body?.getReader();
    await reader?.read();
    clock.advance(999);
    expect((await handle(get())).status).toBe(429);
    clock.advance(1);
    await expect(reader?.read()).rejects.toThrow("The client does not read the response.");
    clock.advance(999);
    expect((await handle(get())).status).toBe(429);
    clock.advance(1);
    expect((await handle(get())).status).toBe(200);
  });

  test("that have read all and wait for more leave their place at once", async () => {
    const clock = manualClock();
    const handle = handlerOf(await logWith("tea"), { maxReaders: 1, clock });
    const reader = (await handle(get())).body?.getReader();
    for (let chunk = 0; chunk < 2; chunk++) await reader?.read();
    void reader?.read().catch(() => undefined);
    await turn();
    clock.advance(5_000);
    await reader?.cancel();
    expect((await handle(get())).status).toBe(200);
  });
});

test("a response that nobody reads has a place after its run has ended", async () => {
  const log = memoryLog();
  const start = (): Response => toEventStream(from([[]]), { log, id: crypto.randomUUID() });
  for (const handle of [
    runHandler(start, { log, maxReaders: 1, maxRuns: 10 }),
    boundedHandler(() => keepResponse(start(), { log, id: crypto.randomUUID() }), {
      maxReaders: 1,
      maxRuns: 10,
    }),
  ]) {
    const first = await handle(post());
    await vi.waitFor(() => expect(first.status).toBe(200));
    expect(await (await handle(post())).json()).toMatchObject({ code: "too_many_readers" });
    await first.text();
    expect((await handle(post())).status).toBe(200);
  }
});

test("readHandler() limits the readers of a kept response", async () => {
  const log = memoryLog();
  await (await keepResponse(new Response("Hello"), { log, id: "a" })).text();
  const handle = readHandler(
    async () => (await resumeResponse({ log, id: "a" })) ?? new Response(null, { status: 204 }),
    { maxReaders: 1 },
  );
  const first = await handle(get());
  expect((await handle(get())).status).toBe(429);
  expect(await first.text()).toBe("Hello");
  expect((await handle(post())).status).toBe(405);
  expect(await (await handle(get())).text()).toBe("Hello");
  await log.expire("a");
  expect((await handle(get())).status).toBe(204);
  expect((await handle(get())).status).toBe(204);
});

test("a reader that does not read holds only a piece of a long value", async () => {
  const value = "x".repeat(4_000_000);
  const handle = readHandler(
    (
      (log) => () =>
        toEventStream(undefined, { log, id: "a" })
    )(await logWith(value)),
  );
  const encode = vi.spyOn(TextEncoder.prototype, "encode");
  try {
    const reader = (await handle(get())).body?.getReader();
    for (let chunk = 0; chunk < 2; chunk++) await reader?.read();
    const encoded = encode.mock.calls.reduce((sum, [text]) => sum + (text?.length ?? 0), 0);
    expect(encoded).toBeLessThan(70_000);
    await reader?.cancel();
  } finally {
    encode.mockRestore();
  }
});

test.each([0, 1, 2])(
  "a long text arrives as it is, also where %i characters move its pairs",
  async (moved) => {
    const text = "·".repeat(moved) + "🍵".repeat(50_000);
    const bounded = boundedHandler(() => keepResponse(new Response(text), { log: memoryLog(), id: "a" }));
    expect(await (await bounded(post())).text()).toBe(text);
    const written = readHandler(
      (
        (log) => () =>
          toEventStream(undefined, { log, id: "a", format: "json-patch" })
      )(await logWith(text)),
    );
    const reader = (await written(get())).body
      ?.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))
      .getReader();
    let read = "";
    while (!read.endsWith("}")) read += (await reader?.read())?.value ?? "";
    expect(JSON.parse(`${read}]`)).toEqual([{ op: "replace", path: "", value: text }]);
    await reader?.cancel();
  },
);
