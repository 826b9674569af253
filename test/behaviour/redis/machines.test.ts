import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { from, type JsonPatch, type JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { createPatchStore, fromEventStream } from "millrace/client";
import { type RedisLog, redisLog, type RedisLogOptions } from "millrace/redis";
import { toEventStream, toNodeResponse } from "millrace/serve";
import { manualClock, spySource } from "millrace/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deferred } from "../../models/support/deferred.js";
import { complete, document, filled, patches, readAll } from "../../serve/support/stream-log-contract.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";

describeRedis("two machines with one Redis", () => {
  const server = new RedisServer();
  let prefixes = 0;
  let redis: Awaited<ReturnType<RedisServer["nodeRedis"]>>;
  let ioredis: ReturnType<RedisServer["ioredis"]>;
  beforeAll(async () => {
    await server.start();
    redis = await server.nodeRedis();
    ioredis = server.ioredis();
  });
  afterAll(() => server.close());

  /** A log for each client, with keys that no other test uses. */
  const machines = (options?: RedisLogOptions): { a: RedisLog; b: RedisLog; prefix: string } => {
    const prefix = `machines-${++prefixes}:`;
    const [a, b] = [redis, ioredis].map((client) => redisLog(client, { prefix, ...options })) as [
      RedisLog,
      RedisLog,
    ];
    server.onClose(() => Promise.all([a.close(), b.close()]));
    return { a, b, prefix };
  };
  const keysOf = (prefix: string): Promise<string[]> => ioredis.keys(`${prefix}*`);

  // G-wire-6
  test("a reader that is cut ten times and resumes on the other machine gets exactly the rest", async () => {
    const { a, b } = machines();
    const writer = await a.create("run");
    const size = Math.floor(patches.length / 11);
    const ids: string[] = [];
    let value: JsonValue | undefined;
    for (let cut = 1; cut <= 10; cut++) {
      const reading = (async () => {
        for await (const entry of (cut % 2 === 0 ? a : b).read("run", ids.at(-1))) {
          if (entry.type !== "patch") break;
          value = applyPatch(value, entry.patch);
          ids.push(entry.id);
          if (Number.parseInt(entry.id, 10) === cut * size) break;
        }
      })();
      // The first reader has no event to resume from, so it would get the value so far in one event.
      for (const patch of patches.slice((cut - 1) * size, cut * size)) await writer.append(patch);
      await reading;
      const state = patches
        .slice(0, cut * size)
        .reduce<JsonValue>((it, patch) => applyPatch(it, patch), null);
      expect(value).toEqual(state);
    }
    for (const patch of patches.slice(10 * size)) await writer.append(patch);
    await writer.end(complete);
    const rest = await readAll(b.read("run", ids.at(-1)), value);
    expect(rest).toMatchObject({ value: document, end: complete });
    const numbers = [...ids, ...rest.ids].map((id) => Number.parseInt(id, 10));
    const [first = 0] = numbers;
    expect(first).toBeLessThanOrEqual(size);
    expect(numbers).toEqual(numbers.map((_, i) => first + i));
    expect(numbers.at(-1)).toBe(patches.length);
  });

  test("a late reader gets the whole value, then patches", async () => {
    const { a, b, prefix } = machines({ window: 4 });
    const writer = await filled(a, "run", 20);
    expect(await ioredis.xlen(`${prefix}run:run:patches`)).toBeLessThanOrEqual(8);
    const reader = b.read("run")[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { id: string; patch: JsonPatch };
    expect(first.id).toMatch(/^20-/);
    expect(first.patch).toHaveLength(1);
    const rest = readAll({ [Symbol.asyncIterator]: () => reader }, applyPatch(null, first.patch));
    for (const patch of patches.slice(20)) await writer.append(patch);
    await writer.end(complete);
    expect(await rest).toMatchObject({ value: document, end: complete });
    expect(await ioredis.xlen(`${prefix}run:run:patches`)).toBeLessThanOrEqual(9);
    // From every event: exactly the rest, or the whole value.
    let value: JsonValue | undefined;
    const token = first.id.slice(3);
    for (const [index, patch] of patches.entries()) {
      value = applyPatch(value, patch);
      const { value: read, ids } = await readAll(b.read("run", `${index + 1}-${token}`), value);
      expect(read).toEqual(document);
      const exact = patches.slice(index + 1).map((_, i) => `${index + i + 2}-${token}`);
      expect([exact, [`${patches.length}-${token}`]]).toContainEqual(ids);
    }
  });

  test("stopping a run on the other machine closes its source, and ends all readers", async () => {
    const { a, b } = machines();
    const source = spySource([patches[0]!], { then: "hang" });
    const produced = toEventStream(source, { log: a, id: "run" }).text();
    await expect.poll(() => source.pulls).toBe(2);
    const read = readAll(b.read("run"));
    expect(await b.stop("run")).toBe(true);
    expect(await produced).toContain('event: done\ndata: {"reason":"stopped"}');
    expect((await read).end).toEqual({ type: "done", reason: "stopped" });
    await expect.poll(() => source.returns).toBe(1);
    expect([await a.stop("run"), await b.stop("run")]).toEqual([false, false]);
  });

  test("a run that was taken over outlives its machine: readers of both continue on the other one", async () => {
    const { a, b } = machines({ lease: 3_000, reconnectTimeout: 1_500 });
    const first = await a.takeOver("run");
    for (const patch of patches.slice(0, 5)) await first.append(patch);
    const reads = [a, b].map((log) => readAll(log.read("run", first.origin)));
    const second = await b.takeOver("run");
    expect(second.value).toEqual(
      patches.slice(0, 5).reduce<JsonValue>((it, patch) => applyPatch(it, patch), null),
    );
    await expect(first.append(patches[5]!)).rejects.toMatchObject({ code: "taken_over" });
    for (const patch of patches.slice(5)) await second.append(patch);
    await second.end(complete);
    for (const read of await Promise.all(reads))
      expect(read).toMatchObject({ value: document, end: complete });
  });

  test("closing the log of its writer does not end a run that was taken over", async () => {
    const { a, b } = machines();
    const first = await a.takeOver("run");
    await first.append(patches[0]!);
    const read = readAll(b.read("run"));
    await a.close();
    await expect(first.append(patches[1]!)).resolves.toBeUndefined();
    expect(first.signal.reason).toMatchObject({ code: "log_unavailable" });
    const second = await b.takeOver("run");
    for (const patch of patches.slice(1)) await second.append(patch);
    await second.end(complete);
    expect(await read).toMatchObject({ value: document, end: complete });
  });

  test("expiring a run on the other machine and starting a new one keeps both apart", async () => {
    const { a, b } = machines();
    const old = await filled(a, "run", 2);
    const readers = [a, b].map((log) => log.read("run")[Symbol.asyncIterator]());
    for (const reader of readers) await reader.next();
    const ends = readers.map((reader) => readAll({ [Symbol.asyncIterator]: () => reader }));
    expect(await b.expire("run")).toBe(true);
    const next = await filled(b, "run", 1);
    for (const read of await Promise.all(ends)) expect(read.end).toMatchObject({ code: "expired" });
    await expect.poll(() => old.signal.aborted).toBe(true);
    await old.append(patches[2]!);
    await old.end(complete);
    for (const patch of patches.slice(1)) await next.append(patch);
    await next.end(complete);
    expect(await readAll(a.read("run"))).toMatchObject({ value: document, end: complete });
  });

  // G-wire-4
  test("only one of two concurrent producers gets an id", async () => {
    const { a, b } = machines();
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? a : b).create("run")),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of all)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "id_taken" });
  });

  test("maxRuns is shared, and the run that ended first is evicted", async () => {
    const { a, b } = machines({ maxRuns: 2 });
    // Runs that end in the same millisecond are ordered by id.
    const [second, first] = [await a.create("run-2"), await b.create("run-1")];
    await expect(a.create("run-3")).rejects.toMatchObject({ code: "too_many_runs" });
    await first.end(complete);
    await second.end(complete);
    await a.create("run-3");
    await expect(readAll(a.read("run-1"))).rejects.toMatchObject({ code: "unknown_run" });
    expect((await readAll(b.read("run-2"))).end).toEqual(complete);
  });

  test.each([false, true])("a lost subscriber connection loses no patch (swapped: %s)", async (swapped) => {
    // The lease is so long that no reader polls during the test.
    const both = machines({ window: 3, lease: 600_000 });
    const [here, there] = swapped ? [both.b, both.a] : [both.a, both.b];
    const writer = await filled(here, "run", 1);
    const reader = there.read("run")[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { patch: JsonPatch };
    const rest = readAll({ [Symbol.asyncIterator]: () => reader }, applyPatch(null, first.patch));
    await ioredis.call("CLIENT", "KILL", "TYPE", "pubsub");
    for (const patch of patches.slice(1)) await writer.append(patch);
    await ioredis.call("CLIENT", "KILL", "TYPE", "pubsub");
    expect(await there.stop("run")).toBe(true);
    expect(await rest).toMatchObject({ value: document, end: { reason: "stopped" } });
    await expect.poll(() => writer.signal.aborted).toBe(true);
  });

  test("a reader gets patches that are written while it subscribes", async () => {
    const { a, prefix } = machines();
    const { promise: gate, resolve: open } = deferred();
    let held = false;
    const slow = redisLog(
      {
        call: (name, args) => ioredis.call(name, args),
        duplicate: (override?: object) => {
          const own = ioredis.duplicate(override);
          const subscribe = own.subscribe.bind(own) as (...channels: string[]) => Promise<unknown>;
          return Object.assign(own, {
            subscribe: async (...channels: string[]) => {
              if (held) await gate;
              return subscribe(...channels);
            },
          });
        },
      },
      { prefix, lease: 600_000 },
    );
    server.onClose(() => slow.close());
    await (await slow.create("other")).end(complete); // opens the subscriber connection
    const writer = await filled(a, "run", 1);
    held = true;
    const read = readAll(slow.read("run"));
    await expect.poll(() => ioredis.hget(`${prefix}run:run`, "length")).toBe("1");
    for (const patch of patches.slice(1)) await writer.append(patch);
    await writer.end(complete);
    open();
    expect(await read).toMatchObject({ value: document, end: complete });
  });

  // G-wire-6
  test("a command that is sent again after a lost answer writes nothing twice", async () => {
    const { b, prefix } = machines();
    let sent = 0;
    const lossy = redisLog(
      {
        call: async (name, args) => {
          const answer = await ioredis.call(name, args);
          if (name === "EVALSHA" && ++sent % 2 === 1) throw new Error("Connection is closed.");
          return answer;
        },
        duplicate: (override?: object) => ioredis.duplicate(override),
      },
      { prefix, random: () => 1 },
    );
    server.onClose(() => lossy.close());
    const writer = await lossy.create("run");
    await Promise.all(patches.map((patch) => writer.append(patch)));
    await writer.end(complete);
    expect(sent).toBe(6);
    expect(await ioredis.xlen(`${prefix}run:run:patches`)).toBe(patches.length);
    expect(await readAll(b.read("run"))).toMatchObject({ value: document, end: complete });
  });

  test("a run that is stopped while it is taken over has ended for its next writer", async () => {
    const { a, prefix } = machines();
    for (const at of [1, 2]) {
      let sent = 0;
      await a.takeOver(`run ${at}`);
      const slow = redisLog(
        {
          call: async (name, args) => {
            const answer = await ioredis.call(name, args);
            if (name !== "EVALSHA" || ++sent !== at) return answer;
            await a.stop(`run ${at}`);
            await delay(100); // the message arrives before the answer
            return answer;
          },
          duplicate: (override?: object) => ioredis.duplicate(override),
        },
        { prefix },
      );
      server.onClose(() => slow.close());
      expect((await slow.takeOver(`run ${at}`)).ended, `command ${at}`).toMatchObject({ reason: "stopped" });
    }
  });

  test("a producer whose run was lost cannot write into the next run of that id", async () => {
    const { a, b, prefix } = machines();
    const old = await filled(a, "run", 2);
    await ioredis.del(`${prefix}run:run`, `${prefix}run:run:patches`);
    const next = await filled(b, "run", 2);
    await expect(old.append(patches[2]!)).rejects.toMatchObject({ code: "run_lost" });
    for (const patch of patches.slice(2)) await next.append(patch);
    await next.end(complete);
    expect(await readAll(b.read("run"))).toMatchObject({ value: document, end: complete });
  });

  // G-wire-6
  test("all keys expire, and none remains after the end", async () => {
    const { a, prefix } = machines({ ttl: 200, lease: 60_000, window: 2 });
    const writer = await filled(a, "run");
    const lives = async (): Promise<number[]> =>
      Promise.all((await keysOf(prefix)).map((key) => ioredis.pttl(key)));
    expect((await lives()).map((ms) => ms > 1_000 && ms <= 60_200)).toEqual([true, true, true]);
    await writer.end(complete);
    const [run] = await Promise.all([ioredis.pttl(`${prefix}run:run`)]);
    expect(run).toBeLessThanOrEqual(200);
    await expect.poll(() => ioredis.exists(`${prefix}run:run`, `${prefix}run:run:patches`)).toBe(0);
    await expect(readAll(a.read("run"))).rejects.toMatchObject({ code: "unknown_run" });
    await a.create("run");
  });

  test("a producer cannot write after its lease has expired", async () => {
    const clock = manualClock(); // does not move, so the lease is not renewed
    const { a, prefix } = machines({ lease: 1_000, clock });
    const b = redisLog(ioredis, { prefix });
    server.onClose(() => b.close());
    const writer = await filled(a, "run", 1);
    expect((await readAll(b.read("run"))).end).toMatchObject({ code: "run_lost" });
    await expect(writer.append(patches[1]!)).rejects.toMatchObject({ code: "run_lost" });
    expect(await readAll(b.read("run"))).toMatchObject({
      ids: [expect.stringMatching(/^1-/)],
      end: { code: "run_lost" },
    });
  });

  test.each(["redis", "ioredis"])(
    "with %s, a reader that comes when the last one leaves gets each patch",
    async (kind) => {
      const { a, b } = machines({ lease: 600_000 });
      const [here, there] = kind === "redis" ? [a, b] : [b, a];
      const writer = await filled(there, "run", 1);
      const first = here.read("run")[Symbol.asyncIterator]();
      await first.next();
      const leaving = first.return?.();
      const second = here.read("run")[Symbol.asyncIterator]();
      await Promise.all([leaving, second.next()]);
      await writer.append(patches[1]!);
      expect((await second.next()).value).toMatchObject({ patch: patches[1] });
      await second.return?.();
    },
  );

  test("a channel is closed with its last reader, and the connection with the log", async () => {
    const { a, b, prefix } = machines();
    const listening = async (): Promise<number> =>
      ((await ioredis.pubsub("CHANNELS", `${prefix}*`)) as string[]).length;
    const writer = await filled(a, "run", 1);
    const readers = [1, 2, 3].map(() => b.read("run")[Symbol.asyncIterator]());
    for (const reader of readers) await reader.next();
    expect(await listening()).toBe(2); // one of the producer, one of all readers
    const waiting = readers.map((reader) => reader.next());
    for (const reader of readers) await reader.return?.();
    for (const result of await Promise.all(waiting)) expect(result.done).toBe(true);
    await expect.poll(listening).toBe(1);
    await writer.end(complete);
    await expect.poll(listening).toBe(0);
    const names = async (): Promise<number> =>
      Number(/connected_clients:(\d+)/.exec(await ioredis.info("clients"))?.[1]);
    const before = await names();
    await Promise.all([a.close(), b.close()]);
    await expect.poll(names).toBe(before - 2);
  });

  test("closing a log ends its own runs and readers only", async () => {
    const { a, b } = machines();
    const writer = await filled(a, "run", 1);
    const here = a.read("run")[Symbol.asyncIterator]();
    await here.next();
    const there = readAll(b.read("run"));
    await a.close();
    expect((await here.next()).value).toMatchObject({ code: "run_lost" });
    expect((await there).end).toMatchObject({ code: "run_lost" });
    expect(writer.signal.reason).toMatchObject({ code: "run_lost" });
    for (const refused of [() => a.create("x"), () => a.stop("x"), () => readAll(a.read("run"))])
      await expect(refused()).rejects.toMatchObject({ code: "log_unavailable" });
    const reader = b.read("none-yet")[Symbol.asyncIterator]();
    await expect(reader.next()).rejects.toMatchObject({ code: "unknown_run" });
  });

  test("a run over HTTP is produced on one machine, and resumed on the other", async () => {
    const { a, b } = machines();
    const servers = await Promise.all(
      [a, b].map(async (log) => {
        const http = createServer((request, response) => {
          const lastEventId = request.headers["last-event-id"] as string | undefined;
          const source = request.method === "POST" ? from(patches) : undefined;
          void toNodeResponse(toEventStream(source, { log, id: "run", lastEventId }), response);
        });
        await once(http.listen(0, "127.0.0.1"), "listening");
        server.onClose(() => http.close());
        return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
      }),
    );
    const [one, two] = servers as [string, string];
    const store = createPatchStore({
      schedule: (show) => {
        show();
      },
    });
    await store.connect(fromEventStream(await fetch(one, { method: "POST" })));
    expect(store.getSnapshot()).toEqual(document);
    let value: JsonValue | undefined;
    for await (const patch of fromEventStream(two)) value = applyPatch(value, patch);
    expect(value).toEqual(document);
  });

  test("works with a client that has its own key prefix", async () => {
    const prefixed = server.ioredis({ keyPrefix: "own:" });
    const [a, b] = [redisLog(prefixed), redisLog(prefixed)];
    server.onClose(() => Promise.all([a.close(), b.close()]));
    const writer = await filled(a, "run", 1);
    const read = readAll(b.read("run"));
    for (const patch of patches.slice(1)) await writer.append(patch);
    await writer.end(complete);
    expect(await read).toMatchObject({ value: document, end: complete });
    expect((await keysOf("own:")).sort()).toEqual(
      ["own:millrace:run:run", "own:millrace:run:run:patches", "own:millrace:runs"].sort(),
    );
  });
});
