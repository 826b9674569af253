import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "millrace/durable";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolders } from "../../durable/support/folders.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";
import { type Errand, errandAgent } from "./support/errand.js";
import { buildPrograms, Program } from "./support/programs.js";
import { CrashTrial, type Kill, type Victim } from "./support/trial.js";

/** `npm run prove:durable` sets 200. */
const kills = Number(process.env["MILLRACE_KILLS"] ?? 10);
const seed = Number(process.env["MILLRACE_SEED"] ?? 1);
/** Kills of one run. Each moment is used once before any is used again. */
const perRun = 10;

const newFolder = temporaryFolders();

/** Mulberry32. */
function randomFrom(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describeRedis("a durable run in processes that are killed with kill -9", () => {
  const folder = newFolder();
  const redis = async (): Promise<RedisServer> => {
    const server = new RedisServer();
    await server.start();
    return server;
  };
  let expected: Errand;
  /** All moments of an undisturbed run, in their order. */
  let moments: string[];
  /** The idempotency keys of all calls that write. */
  let keys: string[];

  beforeAll(async () => {
    buildPrograms();
    const agent = errandAgent(join(folder, "undisturbed"), () => Promise.resolve());
    expected = (await agent.invoke("Go!")).structuredResponse;
    const server = await redis();
    const args = [join(folder, "list"), join(folder, "list-rows"), server.path, "list"];
    const worker = new Program("worker", args);
    await worker.exited;
    await server.close();
    moments = [...new Set(worker.lines.flatMap((line) => /^moment (.*)$/.exec(line)?.[1] ?? []))];
    expect(moments.length).toBeGreaterThan(100);
    const rows = readFileSync(join(folder, "list-rows"), "utf8").trim().split("\n");
    keys = rows.map((row) => (JSON.parse(row) as [string])[0]).sort();
    expect(new Set(keys).size).toBe(10);
  }, 60_000);

  // G-durable-1
  test(
    `finishes by itself after ${kills} kills, as an undisturbed one: seed ${seed}`,
    async () => {
      const random = randomFrom(seed);
      const unused = new Set(moments.keys());
      const reached = new Set<string>();
      const victims: Record<Victim, number> = { worker: 0, server: 0, reader: 0 };
      // With enough kills, rounds go on until each moment was reached.
      const wanted = kills >= moments.length ? moments.length : 1;
      for (let count = 0, round = 0; count < kills || reached.size < wanted; round++) {
        if (unused.size === 0) for (const at of moments.keys()) unused.add(at);
        const most = count < kills ? Math.min(perRun, kills - count) : perRun;
        const chosen = [...unused].sort(() => random() - 0.5).slice(0, most);
        const planned = chosen
          .sort((a, b) => a - b)
          .map((at): Kill => {
            const number = random();
            const victim = number < 0.7 ? "worker" : number < 0.85 ? "server" : "reader";
            return { moment: moments[at] ?? "", victim };
          });
        const server = await redis();
        const run = join(folder, `run-${round}`);
        mkdirSync(run);
        const trial = new CrashTrial(run, server.path);
        const { killed, response, read } = await trial.run(planned);
        await server.close();
        expect(response).toEqual(expected);
        expect(read).toEqual(expected);
        // Each call has written under its one key, however often its step was repeated.
        expect([...trial.executions().keys()].sort()).toEqual(keys);
        for (const kill of killed) {
          victims[kill.victim]++;
          reached.add(kill.moment);
          unused.delete(moments.indexOf(kill.moment));
        }
        count += killed.length;
        expect(killed.length).toBeGreaterThan(0);
      }
      console.log(
        `kill -9: ${victims.worker} workers, ${victims.server} servers, ${victims.reader} readers, at ${reached.size} of ${moments.length} moments`,
      );
    },
    Math.max(120_000, kills * 10_000),
  );

  // G-durable-4
  test("a worker that sleeps owns its run, and the next one owns it after kill -9", async () => {
    const server = await redis();
    const [journal, rows] = [join(folder, "asleep"), join(folder, "asleep-rows")];
    const sleeper = new Program("worker", [journal, rows, server.path, "model 3 is asked"]);
    await sleeper.said("moment");
    sleeper.signal("SIGSTOP");
    const others = Array.from({ length: 5 }, () => fileJournal(journal));
    for (const other of others) {
      await expect(other.step("model 3", () => Promise.resolve(""))).rejects.toMatchObject({ code: "owned" });
    }
    await sleeper.killed();
    // Of many that start at once, one gets it.
    const next = Array.from({ length: 5 }, () => new Program("worker", [journal, rows, server.path]));
    const done = await Promise.all(next.map((it) => it.said("done")));
    const responses = done.filter((it) => it !== undefined).map(({ rest }) => JSON.parse(rest) as Errand);
    expect(responses.length).toBeGreaterThan(0);
    for (const response of responses) expect(response).toEqual(expected);
    const counts = new Map<string, number>();
    for (const row of readFileSync(rows, "utf8").trim().split("\n")) {
      const [key] = JSON.parse(row) as [string];
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    // Nothing ran twice: the sleeper died while a model was asked.
    expect(counts).toEqual(new Map(keys.map((key) => [key, 1])));
    await server.close();
  });

  test("a run goes on after its disk was full", async () => {
    const server = await redis();
    const [journal, rows] = [join(folder, "full"), join(folder, "full-rows")];
    const args = [journal, rows, server.path];
    const first = new Program("worker", args, 2);
    expect(await first.said("done")).toBeUndefined();
    expect(readFileSync(join(journal, "journal.ndjson")).length).toBeLessThanOrEqual(2_048);
    const second = new Program("worker", args);
    const done = await second.said("done");
    expect(JSON.parse(done?.rest ?? "null")).toEqual(expected);
    await second.exited;
    await server.close();
  });
});
