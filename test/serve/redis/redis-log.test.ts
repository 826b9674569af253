import fc from "fast-check";
import { from, type JsonPatch, type JsonValue } from "millrace";
import { redisLog, type RedisLog, type RedisLogOptions } from "millrace/redis";
import { toEventStream } from "millrace/serve";
import { manualClock } from "millrace/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { turn } from "../../client/support.js";
import { slowRuns } from "../../json/support/runs.js";
import { patches, readAll, streamLogContract } from "../support/stream-log-contract.js";
import { describeRedis, RedisServer } from "./support/server.js";

describeRedis("redisLog()", () => {
  const server = new RedisServer();
  let logs = 0;
  let clients: Record<"redis" | "ioredis", Parameters<typeof redisLog>[0]>;
  beforeAll(async () => {
    await server.start();
    clients = { redis: await server.nodeRedis(), ioredis: server.ioredis() };
  });
  afterAll(() => server.close());

  /** A log whose keys no other test uses. */
  const newLog = (client: keyof typeof clients, options?: RedisLogOptions): RedisLog => {
    const log = redisLog(clients[client], { prefix: `test-${++logs}:`, ...options });
    server.onClose(() => log.close());
    return log;
  };

  describe.each(["redis", "ioredis"] as const)("with the client of the package %s", (client) => {
    streamLogContract((options) => newLog(client, options));

    // G-wire-4
    test("keeps runs with different ids apart, for any ids", async () => {
      const [here, there] = [0, 1].map(() => redisLog(clients[client], { prefix: `ids-${client}:` }));
      server.onClose(() => Promise.all([here?.close(), there?.close()]));
      const apart = fc.asyncProperty(idPair, async ([a, b]) => {
        const writers = [await here!.create(a), await here!.create(b)] as const;
        for (const [value, writer] of writers.entries())
          await writer.append([{ op: "replace", path: "", value }]);
        expect(await Promise.all([a, b].map((id) => valueOf(there!, id)))).toEqual([0, 1]);
        expect(await there!.expire(a)).toBe(true);
        await writers[1].append([{ op: "replace", path: "", value: 2 }]);
        expect(await valueOf(there!, b)).toBe(2);
        expect(await there!.stop(b)).toBe(true);
        expect(await here!.expire(b)).toBe(true);
      });
      await fc.assert(apart, { numRuns: slowRuns(100) });
    });
  });

  test("a run with a patch that JSON cannot express ends with an error, for all readers", async () => {
    const [log, other] = [newLog("ioredis"), redisLog(clients.redis, { prefix: `test-${logs}:` })];
    server.onClose(() => other.close());
    const reported: unknown[] = [];
    const onError = (error: unknown): void => void reported.push(error);
    const wrong = from([patches[0]!, [{ op: "replace", path: "/a", value: 1n as never }]] as JsonPatch[]);
    await toEventStream(wrong, { log, id: "run", onError }).text();
    expect(reported).toEqual([expect.any(TypeError)]);
    for (const it of [log, other])
      expect((await readAll(it.read("run"))).end).toMatchObject({ type: "error", code: "run_failed" });
  });

  test("does not renew the lease of a run whose writer has left", async () => {
    const log = newLog("ioredis", { lease: 1_000, takeOverTimeout: 1_000 });
    const writer = await log.takeOver("run");
    await writer.append(patches[0]!);
    writer.leave?.();
    expect((await readAll(log.read("run"))).end).toMatchObject({ type: "error", code: "run_lost" });
  });

  // G-wire-4
  test.each(["null", "1", '"x"', "{}", '{"length":1}', '{"type":"done"}', '{"type":"error"}', "{", "[[", ""])(
    "what another program wrote to a run is the end of it: %s",
    async (text) => {
      const lost = expect.objectContaining({ name: "ServeError", code: "run_lost" }) as Error;
      const redis = server.ioredis();
      for (const kind of ["patch", "end"]) {
        if (kind === "end" && text === "") continue; // as without an end
        const prefix = `foreign-${++logs}:`;
        const [here, other] = [redisLog(redis, { prefix }), redisLog(redis, { prefix })];
        server.onClose(() => Promise.all([here.close(), other.close()]));
        const run = `${prefix}run:r`;
        const writer = await here.create("r");
        await writer.append(patches[0]!);
        if (kind === "end") await redis.hset(run, "end", text);
        else {
          await redis.xadd(`${run}:patches`, "2-0", "patch", text);
          await redis.hset(run, "length", "2");
        }
        const end = readAll(other.read("r")).then((it) => it.end);
        if (kind === "patch") await expect(end).rejects.toEqual(lost);
        else expect(await end).toMatchObject({ type: "error", code: "run_lost" });
        await expect(other.takeOver("r")).rejects.toEqual(lost);
        if (kind === "patch") continue;
        await expect(other.status("r")).rejects.toEqual(lost);
        await expect(writer.append(patches[0]!)).rejects.toEqual(lost);
        expect(writer.signal.aborted).toBe(true);
      }
    },
  );

  test("waits for Redis no longer than the lease", () => {
    const refused = { reconnectTimeout: 5_001, lease: 5_000 };
    expect(() => redisLog(clients.ioredis, refused)).toThrow(RangeError);
    expect(() => newLog("ioredis", { reconnectTimeout: 5_000, lease: 5_000 })).not.toThrow();
    expect(() => newLog("ioredis", { lease: 5_000 })).not.toThrow();
  });
});

// Redis answers at once, with an error, while it loads its data, or is still a replica.
test("asks a Redis that refuses again, until the time is over", async () => {
  const clock = manualClock();
  const call = (command: string): Promise<unknown> => {
    if (command === "SCRIPT") return Promise.resolve("hash");
    return clock.now() < 9_000 ? Promise.reject(new Error("LOADING")) : Promise.resolve("active");
  };
  const client = { call, duplicate: () => expect.fail() };
  const status = redisLog(client, { clock, random: () => 0 }).status("run");
  for (let time = 0; time < 10_000; time += 250) {
    await turn();
    clock.advance(250);
  }
  expect(await status).toBe("active");
});

test.each(["WRONGTYPE Operation against a key", "NOPERM this user has no permissions"])(
  "does not ask a Redis again that answers %s",
  async (message) => {
    const call = vi.fn(() => Promise.reject(new Error(message)));
    const log = redisLog({ call, duplicate: () => expect.fail() });
    await expect(log.status("run")).rejects.toMatchObject({ code: "log_unavailable", cause: { message } });
    expect(call).toHaveBeenCalledTimes(1);
  },
);

/** Ids of the parts of keys and channels, and of what is hard to encode. */
const id = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "v",
        "run",
        "runs",
        "patches",
        "readers",
        "producer",
        ":",
        "%",
        "%003a",
        "{",
        "}",
        "*",
        "\0",
        "é",
      ),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), // also halves of surrogate pairs
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(""));
const end = fc.constantFrom(":patches", ":readers", ":producer", ":", "\ud800", "");
const idPair = fc
  .oneof(
    fc.tuple(id, id),
    fc.tuple(id, end, end).map(([start, one, other]): [string, string] => [start + one, start + other]),
  )
  .filter(([a, b]) => a !== b);

/** The value of a run as a late reader sees it. */
async function valueOf(log: RedisLog, id: string): Promise<JsonValue | undefined> {
  for await (const entry of log.read(id)) {
    const [operation] = entry.type === "patch" ? entry.patch : [];
    return operation?.op === "replace" ? operation.value : undefined;
  }
  return undefined;
}
