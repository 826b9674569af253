import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { JsonPatch, JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { redisLog, type RedisLog, type RedisLogOptions } from "millrace/redis";
import { type PatchEntry, toEventStream } from "millrace/serve";
import { spySource } from "millrace/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundledPrograms } from "../../support/bundled-programs.js";
import { turn } from "../../client/support.js";
import { complete, document, filled, patches, readAll } from "../../serve/support/stream-log-contract.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";

const half = patches.length / 2;
const halfway = patches.slice(0, half).reduce<JsonValue>((value, patch) => applyPatch(value, patch), null);

describeRedis("a producer in another process", () => {
  const server = new RedisServer();
  let program = "";
  beforeAll(async () => {
    [program = ""] = bundledPrograms(fileURLToPath(new URL("producer.ts", import.meta.url)));
    await server.start();
  });
  afterAll(() => server.close());

  /** Resolves when the producer has written the first half. */
  async function produce(prefix: string, lease: number) {
    const args = [program, server.path, prefix, String(lease), JSON.stringify(patches)];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    server.onClose(() => child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("half");
    const log = redisLog(server.ioredis(), { prefix, lease });
    server.onClose(() => log.close());
    return { child, log, lastLine: async () => (await lines.next()).value as string };
  }

  test("can be read while it writes, and to its end", async () => {
    const { child, log, lastLine } = await produce("whole:", 15_000);
    const reader = log.read("run")[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { id: string; patch: JsonPatch };
    expect(first.patch).toEqual([{ op: "replace", path: "", value: halfway }]);
    const rest = readAll({ [Symbol.asyncIterator]: () => reader }, halfway);
    child.stdin.write("\n");
    expect(await rest).toMatchObject({ value: document, end: complete });
    expect(await lastLine()).toBe("complete");
    await once(child, "exit");
  });

  test("ends at once when its run is stopped", async () => {
    const { log, lastLine } = await produce("stop:", 60_000);
    expect(await log.stop("run")).toBe(true);
    expect(await lastLine()).toBe("stopped");
  });

  // G-wire-7
  test("that is killed leaves its readers with the written patches and an error", async () => {
    const { child, log } = await produce("killed:", 1_200);
    const reader = log.read("run")[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { id: string; patch: JsonPatch };
    // Beyond the lease, which the producer has extended.
    await delay(1_500);
    child.kill("SIGKILL");
    const { value, end } = await readAll(
      { [Symbol.asyncIterator]: () => reader },
      applyPatch(null, first.patch),
    );
    const lost = { type: "error", code: "run_lost", message: expect.any(String) as string };
    expect({ value, end }).toEqual({ value: halfway, end: lost });
    expect(await readAll(log.read("run"))).toMatchObject({ value: halfway, end: lost });
    expect(await readAll(log.read("run", first.id), halfway)).toMatchObject({ ids: [], end: lost });
    expect(await log.stop("run")).toBe(false);
    await expect(log.create("run")).rejects.toMatchObject({ code: "id_taken" });
    expect(await log.expire("run")).toBe(true);
    await (await log.create("run")).end(complete);
  });
});

describeRedis("a Redis that becomes unavailable", () => {
  /** Not shorter, because a slow answer of a busy machine would count as lost. */
  const fast: RedisLogOptions = { reconnectTimeout: 1_500, lease: 60_000, random: () => 1 };

  async function withLog(
    { keep = false, kind, ...options }: RedisLogOptions & { keep?: boolean; kind: "redis" | "ioredis" },
    work: (log: RedisLog, other: RedisLog, server: RedisServer) => Promise<void>,
  ): Promise<void> {
    const server = new RedisServer({ keep });
    try {
      await server.start();
      const logs = [0, 1].map(async () => {
        const client = kind === "redis" ? await server.nodeRedis() : server.ioredis();
        return redisLog(client, options);
      });
      const [log, other] = (await Promise.all(logs)) as [RedisLog, RedisLog];
      server.onClose(() => Promise.all([log.close(), other.close()]));
      await work(log, other, server);
    } finally {
      await server.close();
    }
  }

  /** A run with a reader on another machine that has read everything so far. */
  async function begun(log: RedisLog, other: RedisLog) {
    const writer = await filled(log, "run", half);
    const reader = other.read("run")[Symbol.asyncIterator]();
    const first = (await reader.next()).value as { patch: JsonPatch };
    expect(applyPatch(null, first.patch)).toEqual(halfway);
    const here = log.read("run")[Symbol.asyncIterator]();
    await here.next();
    const rest = [reader, here].map((it) => readAll({ [Symbol.asyncIterator]: () => it }, halfway));
    return { writer, rest: Promise.all(rest) };
  }

  describe.each(["redis", "ioredis"] as const)("for the client of the package %s,", (kind) => {
    // G-wire-7
    test("and returns with its data: the run continues without a loss", async () => {
      await withLog(
        { kind, keep: true, reconnectTimeout: 20_000, lease: 60_000, random: () => 1 },
        async (log, other, server) => {
          const { writer, rest } = await begun(log, other);
          await server.kill();
          const writing = Promise.all(patches.slice(half).map((patch) => writer.append(patch)));
          const late = readAll(other.read("late"));
          late.catch(() => undefined);
          await server.start();
          await writing;
          await writer.end(complete);
          for (const read of await rest) expect(read).toMatchObject({ value: document, end: complete });
          await expect(late).rejects.toMatchObject({ code: "unknown_run" });
          expect(await readAll(other.read("run"))).toMatchObject({ value: document, end: complete });
        },
      );
    });

    test("and returns without its data: the run is lost for all", async () => {
      await withLog(
        { kind, reconnectTimeout: 20_000, lease: 20_000, random: () => 1 },
        async (log, other, server) => {
          const { writer, rest } = await begun(log, other);
          await server.kill();
          await server.start();
          await expect(writer.append(patches[half]!)).rejects.toMatchObject({ code: "run_lost" });
          expect(writer.signal.reason).toMatchObject({ code: "run_lost" });
          await writer.end(complete);
          for (const read of await rest)
            expect(read).toMatchObject({ value: halfway, end: { code: "run_lost" } });
          const again = await filled(other, "run");
          await again.end(complete);
          expect((await readAll(log.read("run"))).value).toEqual(document);
        },
      );
    });

    test("and stays away: the run ends with an error, and later calls fail", async () => {
      await withLog({ kind, ...fast, lease: 2_000 }, async (log, other, server) => {
        const { writer, rest } = await begun(log, other);
        await server.kill();
        const error = await writer.append(patches[half]!).catch((it: unknown) => it);
        expect(error).toMatchObject({ code: "log_unavailable", cause: expect.any(Error) as Error });
        expect(writer.signal.reason).toBe(error);
        await writer.end(complete);
        for (const read of await rest)
          expect(read).toMatchObject({ value: halfway, end: { type: "error", code: "log_unavailable" } });
        const unavailable = { code: "log_unavailable" };
        await Promise.all([
          expect(log.create("x")).rejects.toMatchObject(unavailable),
          expect(log.stop("x")).rejects.toMatchObject(unavailable),
          expect(readAll(log.read("x"))).rejects.toMatchObject(unavailable),
        ]);
      });
    });

    test("and hangs: calls fail after a limited time, and the run continues afterwards", async () => {
      await withLog({ kind, ...fast }, async (log, other, server) => {
        const { writer } = await begun(log, other);
        server.signal("SIGSTOP");
        try {
          await expect(writer.append(patches[half]!)).rejects.toMatchObject({ code: "log_unavailable" });
        } finally {
          server.signal("SIGCONT");
        }
        await (await filled(other, "next")).end(complete);
        expect((await readAll(log.read("next"))).value).toEqual(document);
      });
    });
  });

  test("and returns without the last patches, as after a failover: the run is lost, and its readers know at once", async () => {
    await withLog({ kind: "ioredis", ...fast }, async (log, other, server) => {
      const { writer, rest } = await begun(log, other);
      const client = server.ioredis();
      await client.xdel("millrace:run:run:patches", `${half}-0`);
      await client.hset("millrace:run:run", "length", half - 1);
      await expect(writer.append(patches[half]!)).rejects.toMatchObject({ code: "run_lost" });
      for (const read of await rest)
        expect(read).toMatchObject({ value: halfway, end: { code: "run_lost" } });
    });
  });

  test("onError gets the details, the client does not", async () => {
    await withLog({ kind: "ioredis", ...fast }, async (log, _other, server) => {
      const told: unknown[] = [];
      const source = spySource([patches[0]!, patches[1]!], {
        pace: async () => {
          if (source.pulls === 2) await server.kill();
        },
      });
      let kept: Promise<void> | undefined;
      const text = await toEventStream(source, {
        log,
        id: "run",
        onError: (error) => void told.push(error),
        waitUntil: (run) => {
          kept = run;
        },
      }).text();
      await kept;
      expect(text.trim().split("\n\n").at(-1)).toMatch(/^event: error\ndata: \{"code":"log_unavailable",/);
      expect(told).toMatchObject([{ code: "log_unavailable", cause: expect.any(Error) as Error }]);
      expect(source.returns).toBe(1);
    });
  });

  test("leaves no unhandled rejection, even if the response is not read", async () => {
    const unheard = vi.fn();
    process.on("unhandledRejection", unheard);
    try {
      await withLog({ kind: "ioredis", ...fast }, async (log, _other, server) => {
        await server.kill();
        let kept: Promise<void> | undefined;
        toEventStream(spySource<JsonPatch>([]), { log, id: "run", waitUntil: (run) => void (kept = run) });
        await kept;
        const reader = log.read("run")[Symbol.asyncIterator]();
        const waiting: Promise<IteratorResult<PatchEntry>> = reader.next();
        await reader.return?.();
        expect((await waiting).done).toBe(true);
      });
      await turn();
      expect(unheard).not.toHaveBeenCalled();
    } finally {
      process.off("unhandledRejection", unheard);
    }
  });
});
