import { setTimeout as sleep } from "node:timers/promises";
import {
  type AssistantMessage,
  AssistantMessageAccumulator,
  AssistantTransportDecoder,
  AssistantTransportEncoder,
  DataStreamDecoder,
  DataStreamEncoder,
} from "assistant-stream";
import {
  createInMemoryResumableStreamStore,
  createResumableAssistantStreamResponse,
  createResumableStreamContext,
  createResumeAssistantStreamResponse,
  type ResumableStreamStore,
} from "assistant-stream/resumable";
import fc from "fast-check";
import { redisLog } from "millrace/redis";
import { boundedHandler, holdingLog, memoryLog, type StreamLog } from "millrace/serve";
import { assistantUiStore } from "millrace/ui";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";
import { slowRuns } from "../../json/support/runs.js";

const wires = {
  "the assistant transport": [AssistantTransportEncoder, AssistantTransportDecoder],
  "the data stream": [DataStreamEncoder, DataStreamDecoder],
} as const;
type Wire = keyof typeof wires;

async function messageIn(response: Response, wire: Wire): Promise<AssistantMessage | undefined> {
  const messages = response
    .body!.pipeThrough(new wires[wire][1]())
    .pipeThrough(new AssistantMessageAccumulator({ throttle: false }));
  let last: AssistantMessage | undefined;
  const reader = messages.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) last = next.value;
  return last;
}

// G-wire-15
test("with holdingLog(), a stream keeps the place of its request when its client hangs up", async () => {
  const log = memoryLog();
  const ends: (() => void)[] = [];
  const handle = boundedHandler(
    (_body, _request, _info, hold) =>
      createResumableAssistantStreamResponse({
        context: createResumableStreamContext({ store: assistantUiStore(holdingLog(log, hold)) }),
        streamId: crypto.randomUUID(),
        callback: (controller) => {
          controller.appendText("Tea");
          return new Promise<void>((resolve) => {
            ends.push(resolve);
          });
        },
      }),
    { maxRuns: 2 },
  );
  const post = async (): Promise<number> => {
    const headers = { "content-type": "application/json" };
    const response = await handle(new Request("http://localhost/", { method: "POST", headers, body: "{}" }));
    await response.body?.cancel();
    return response.status;
  };
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push(await post());
  expect([statuses, ends.length]).toEqual([[200, 200, 429, 429, 429], 2]);
  ends[0]?.();
  await expect.poll(post).toBe(200);
  expect(await post()).toBe(429);
});

/** Each test gets logs of its own, as two servers have them: one that produces, and one that a client resumes at. */
function storeTests(newLogs: () => readonly [producer: StreamLog, resumed: StreamLog]): void {
  for (const wire of Object.keys(wires) as Wire[]) {
    test(`over ${wire}, a client that lost its connection anywhere gets the whole message`, async () => {
      for (let left = 0; left < 6; left++) {
        const [here, there] = newLogs().map((log) =>
          createResumableStreamContext({ store: assistantUiStore(log) }),
        );
        const steps: (() => void)[] = [];
        const step = async (): Promise<void> =>
          new Promise((resolve) => {
            steps.push(resolve);
          });
        let runs = 0;
        const begin = async (): Promise<Response> =>
          createResumableAssistantStreamResponse({
            context: here!,
            streamId: "s",
            encoder: () => new wires[wire][0](),
            callback: async (controller) => {
              runs++;
              for (const piece of ["Grün ", "🍵", " for two"]) {
                controller.appendText(piece);
                await step();
              }
              const call = controller.addToolCallPart({ toolCallId: "1", toolName: "stock" });
              call.argsText.append('{"of":"tea"}');
              call.argsText.close();
              await step();
              call.setResponse({ result: 3 });
            },
          });
        const first = await begin();
        expect(first.headers.get("x-resumable-stream-id")).toBe("s");
        const reader = first.body!.getReader();
        for (let i = 0; i < left; i++) {
          const next = reader.read();
          steps.shift()?.();
          await Promise.race([next, sleep(5)]);
        }
        await reader.cancel();
        const resume = async (): Promise<Response> =>
          createResumeAssistantStreamResponse({
            context: there!,
            streamId: "s",
            encoder: () => new wires[wire][0](),
          });
        const [resumed, second] = [await resume(), await begin()].map((it) => messageIn(it, wire));
        while ((await there!.status("s")) === "streaming") {
          steps.shift()?.();
          await new Promise(setImmediate);
        }
        for (const message of [await resumed, await second, await messageIn(await resume(), wire)]) {
          expect(message?.parts).toMatchObject([
            { type: "text", text: "Grün 🍵 for two" },
            { type: "tool-call", toolName: "stock", args: { of: "tea" }, result: 3 },
          ]);
        }
        expect(runs).toBe(1);
      }
    });
  }

  test("a stream that no log knows is missing, and a deleted one too", async () => {
    const [log] = newLogs();
    const context = createResumableStreamContext({ store: assistantUiStore(log) });
    const resume = async (): Promise<Response> =>
      createResumeAssistantStreamResponse({ context, streamId: "s" });
    expect((await resume()).status).toBe(404);
    const callback = (): void => undefined;
    await (await createResumableAssistantStreamResponse({ context, streamId: "s", callback })).text();
    expect((await resume()).status).toBe(200);
    await context.delete("s");
    expect((await resume()).status).toBe(404);
  });

  test("a stopped run ends for its readers, and stops the producer", async () => {
    const [log] = newLogs();
    let cancelled = false;
    const context = createResumableStreamContext({ store: assistantUiStore(log) });
    const endless = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise(setImmediate);
        controller.enqueue(new Uint8Array([1]));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const reader = (await context.run("s", () => endless)).getReader();
    await reader.read();
    expect(await log.stop("s")).toBe(true);
    for (let next = await reader.read(); !next.done;) next = await reader.read();
    await expect.poll(() => cancelled).toBe(true);
    expect(await context.status("s")).toBe("done");
  });

  test("a failed stream is an error for its readers", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue(undefined); // the context prints what it cancels
    const [log] = newLogs();
    const context = createResumableStreamContext({ store: assistantUiStore(log) });
    const failing = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("It broke."));
      },
    });
    const stream = await context.run("s", () => failing);
    await expect(new Response(stream).text()).rejects.toThrow("It broke.");
    expect(await context.status("s")).toBe("error");
    printed.mockRestore();
  });
}

describe("a log as the store of assistant-ui's resumable streams, used by its own context", () => {
  storeTests(() => {
    const log = memoryLog({ window: 2 });
    return [log, log];
  });

  test("has the type of a store", () => {
    const store: ResumableStreamStore = assistantUiStore(memoryLog());
    expect(store).toBeDefined();
  });

  test("refuses ids that a client made up", async () => {
    const store = assistantUiStore(memoryLog());
    for (const id of ["", "a b", "x".repeat(257), "é"]) {
      await expect(store.acquire(id)).rejects.toMatchObject({ code: "invalid_request" });
      await expect(store.status(id)).rejects.toMatchObject({ code: "invalid_request" });
    }
  });

  test("behaves like the package's own store in memory, for any sequence of calls", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 5 });
    const call = fc.record({ kind: fc.nat(5), id: fc.constantFrom("a", "b"), bytes, old: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 14 }), async (calls) => {
        const stores = [
          assistantUiStore(memoryLog({ window: 2 })),
          createInMemoryResumableStreamStore(),
        ] as const;
        const results = await Promise.all(
          stores.map(async (store: ResumableStreamStore) => {
            const leases = new Map<string, { token: string }[]>();
            const results: unknown[] = [];
            for (const { kind, id, bytes, old } of calls) {
              const known = leases.get(id) ?? [];
              const lease = old ? known[0] : known.at(-1);
              try {
                if (kind === 0) {
                  const acquired = await store.acquireLease!(id);
                  if (acquired.role === "producer") leases.set(id, [...known, acquired.lease]);
                  results.push(acquired.role);
                } else if (kind === 1 || kind === 2) {
                  await store.append(id, bytes, lease);
                  results.push("appended");
                } else if (kind === 3)
                  results.push((await store.finalize(id, "done", undefined, lease)) === true);
                else if (kind === 4) await store.delete(id);
                else results.push(await store.status(id));
              } catch {
                results.push(kind === 3 ? false : "error");
              }
            }
            for (const id of ["a", "b"]) {
              if ((await store.status(id)) === "missing") continue;
              await store.finalize(id, "done");
              const read = async (cursor: string): Promise<{ cursors: string[]; bytes: number[] }> => {
                const cursors: string[] = [];
                const bytes: number[] = [];
                for await (const entry of store.read(id, cursor, new AbortController().signal)) {
                  cursors.push(entry.cursor);
                  bytes.push(...entry.chunk);
                }
                return { cursors, bytes };
              };
              const all = await read("");
              results.push(all.bytes, (await read(all.cursors.at(-1) ?? "")).bytes);
            }
            return results;
          }),
        );
        expect(results[0]).toEqual(results[1]);
      }),
      { numRuns: slowRuns(300) },
    );
  });

  test("reads on after any cursor", async () => {
    const store = assistantUiStore(memoryLog({ window: 2 }));
    await store.acquire("s");
    const all = Array.from({ length: 9 }, (_, i) => i);
    for (const byte of all) await store.append("s", Uint8Array.of(byte));
    await store.finalize("s", "done");
    for (const at of ["", ...all.map(String), "9", "99", "no number"]) {
      const read: number[] = [];
      for await (const { chunk } of store.read("s", at, new AbortController().signal)) read.push(...chunk);
      expect(read).toEqual(all.slice(Number(at) || 0));
    }
  });
});

describeRedis("a log in Redis as that store, on two machines", () => {
  const server = new RedisServer();
  let logs = 0;
  beforeAll(() => server.start());
  afterAll(() => server.close());
  storeTests(() => {
    const prefix = `store-${++logs}:`;
    const [here, there] = [0, 1].map(() => redisLog(server.ioredis(), { prefix, window: 2 }));
    server.onClose(() => Promise.all([here!.close(), there!.close()]));
    return [here!, there!];
  });
});
