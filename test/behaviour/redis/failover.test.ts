import { once } from "node:events";
import { renameSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { redisLog, type RedisLog } from "millrace/redis";
import { expect, test } from "vitest";
import { complete, document, filled, patches, readAll } from "../../serve/support/stream-log-contract.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";
import { freePort } from "../../support/server-process.js";

/** A server for connections to another port, on a port of its own. */
async function forward(to: number): Promise<{ readonly port: number; readonly stop: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const other = connect(to, "127.0.0.1");
    for (const it of [socket, other]) it.on("error", () => undefined);
    sockets.push(socket, other);
    socket.pipe(other).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

describeRedis("a Redis that fails, with a replica in its place", () => {
  /**
   * @param lease after which readers know that a run is lost
   * @param work gets a log, the log of another machine, and what makes the replica late and the first server fail
   */
  async function withReplica(
    lease: number,
    work: (log: RedisLog, other: RedisLog, servers: Servers) => Promise<void>,
  ): Promise<void> {
    const port = await freePort();
    const between = await forward(port);
    const [primary, replica] = [new RedisServer({ port }), new RedisServer({ replicaOf: between.port })];
    try {
      await primary.start();
      await replica.start();
      const options = { reconnectTimeout: lease / 2, lease, random: () => 1 };
      const [log, other] = [redisLog(primary.ioredis(), options), redisLog(primary.ioredis(), options)];
      primary.onClose(() => Promise.all([log.close(), other.close()]));
      const control = primary.ioredis();
      await work(log, other, {
        copied: async () => {
          await control.set("last", "1"); // "wait" waits for the writes of its own connection
          expect(await control.call("wait", "1", "10000")).toBe(1);
        },
        stopCopying: between.stop,
        fail: async () => {
          await primary.kill();
          await replica.ioredis().call("replicaof", "no", "one");
          renameSync(replica.path, primary.path); // what a sentinel or a name server does
        },
      });
    } finally {
      between.stop();
      await primary.close();
      await replica.close();
    }
  }
  interface Servers {
    /** Waits until the replica has all that was written. */
    readonly copied: () => Promise<void>;
    readonly stopCopying: () => void;
    readonly fail: () => Promise<void>;
  }
  const half = patches.length / 2;
  /** The values that the run has had. */
  const states = patches.map((_, count) =>
    patches.slice(0, count + 1).reduce<JsonValue>((value, patch) => applyPatch(value, patch), null),
  );

  // G-wire-7
  test("that has all patches: the run continues without a loss", async () => {
    await withReplica(60_000, async (log, other, { copied, fail }) => {
      const writer = await filled(log, "run", half);
      const read = readAll(other.read("run"));
      await copied();
      await fail();
      for (const patch of patches.slice(half)) await writer.append(patch);
      await writer.end(complete);
      expect(await read).toMatchObject({ value: document, end: complete });
      expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
    });
  });

  // G-wire-7
  test.each([1, 5])(
    "that lacks %i patches: the run is lost, and no reader has a wrong value",
    async (missing) => {
      await withReplica(600_000, async (log, other, { copied, stopCopying, fail }) => {
        const writer = await filled(log, "run", half - missing);
        const read = readAll(other.read("run"));
        await copied();
        stopCopying();
        for (const patch of patches.slice(half - missing, half)) await writer.append(patch);
        await fail();
        await expect(writer.append(patches[half]!)).rejects.toMatchObject({ code: "run_lost" });
        await writer.end(complete);
        const { value, end } = await read;
        expect(states).toContainEqual(value);
        expect(end).toMatchObject({ type: "error", code: "run_lost" });
        await other.expire("run");
        await (await filled(other, "run")).end(complete);
        expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
      });
    },
  );
});
