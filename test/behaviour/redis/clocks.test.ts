import { redisLog, type RedisLog } from "millrace/redis";
import { manualClock } from "millrace/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { complete, document, filled, patches, readAll } from "../../serve/support/stream-log-contract.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";

describeRedis("a clock of Redis that jumps", () => {
  const server = new RedisServer();
  let client: ReturnType<RedisServer["ioredis"]>;
  beforeAll(async () => {
    await server.start();
    client = server.ioredis();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await client.flushall();
    await jump(0);
  });

  /** Sets the clock, in seconds from now. */
  const jump = (seconds: number) => client.set("clock", Math.floor(Date.now() / 1_000) + seconds);
  /** A log whose scripts read that clock. */
  const newLog = (options: Parameters<typeof redisLog>[1] = {}): RedisLog => {
    const call = (command: string, args: string[]): Promise<unknown> =>
      client.call(
        command,
        args.map((arg) => arg.replace("redis.call('TIME')", "{ redis.call('GET', 'clock'), 0 }")),
      );
    const log = redisLog({ call, duplicate: () => client.duplicate() as never }, options);
    server.onClose(() => log.close());
    return log;
  };
  const half = patches.length / 2;

  test.each([-86_400, -3_600, -20, 5])("by %i seconds: the run continues without a loss", async (seconds) => {
    const [log, other] = [newLog(), newLog()];
    const writer = await filled(log, "run", half);
    const read = readAll(other.read("run"));
    await jump(seconds);
    for (const patch of patches.slice(half)) await writer.append(patch);
    expect(await other.status("run")).toBe("active");
    await writer.end(complete);
    expect(await read).toMatchObject({ value: document, end: complete });
    expect(await readAll(newLog().read("run"))).toMatchObject({ value: document, end: complete });
  });

  test.each([16, 3_600, 86_400])(
    "by %i seconds, beyond the lease: the run is lost for all",
    async (seconds) => {
      const [log, other] = [newLog(), newLog()];
      const writer = await filled(log, "run", half);
      const read = readAll(other.read("run"));
      await jump(seconds);
      await expect(writer.append(patches[half]!)).rejects.toMatchObject({ code: "run_lost" });
      expect(writer.signal.aborted).toBe(true);
      expect((await read).end).toMatchObject({ type: "error", code: "run_lost" });
      expect(await other.status("run")).toBe("failed");
    },
  );

  test("back, and forward within the lease: the run continues", async () => {
    const log = newLog();
    const writer = await filled(log, "run", 1);
    await jump(-3_600);
    await writer.append(patches[1]!);
    await jump(-3_600 + 10);
    for (const patch of patches.slice(2)) await writer.append(patch);
    await jump(-3_600 + 20); // the lease was renewed
    await writer.end(complete);
    expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
  });

  test("back: readers of a dead producer wait for one lease, and not until the old time", async () => {
    const dead = newLog({ clock: manualClock() }); // renews nothing
    await filled(dead, "run", half);
    await jump(-3_600);
    const other = newLog();
    expect(await other.status("run")).toBe("active");
    await jump(-3_600 + 16);
    expect(await other.status("run")).toBe("failed");
    expect((await readAll(other.read("run"))).end).toMatchObject({ code: "run_lost" });
  });

  test("back: runs that have ended still make room", async () => {
    const log = newLog({ maxRuns: 1 });
    await (await filled(log, "run", 1)).end(complete);
    await jump(-86_400);
    await (await filled(log, "next")).end(complete);
    expect(await readAll(log.read("next"))).toMatchObject({ value: document, end: complete });
  });
});
