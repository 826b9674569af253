import { randomOf } from "../../../support/random.js";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { RedisServer } from "../../../serve/redis/support/server.js";
import { type Errand, errandAgent } from "./errand.js";
import { buildPrograms } from "./programs.js";
import {
  CrashTrial,
  executionsIn,
  type JournalUnderTest,
  type Kill,
  newWorker,
  type Victim,
} from "./trial.js";

const seed = Number(process.env["MILLRACE_SEED"] ?? 1);
/** Kills of one run. Each moment is used once before any is used again. */
const perRun = 10;

export async function startRedis(): Promise<RedisServer> {
  const server = new RedisServer();
  await server.start();
  return server;
}

/** What each run must come to. */
export interface Undisturbed {
  readonly expected: Errand;
  /** The calls that write, by idempotency key, and how often each one runs. */
  readonly executions: ReadonlyMap<string, number>;
}

/**
 * Proves that runs with a journal survive: kills worker, server and reader with `kill -9` at seeded moments, and compares
 * what each run has left with an undisturbed one.
 *
 * @param few the number of kills in `npm test`. `npm run prove:durable` sets 200
 */
export function proveCrashes(journal: JournalUnderTest, folder: string, few: number): () => Undisturbed {
  const kills = Number(process.env["MILLRACE_KILLS"] ?? few);
  /** All moments of an undisturbed run, in their order. */
  let moments: string[];
  let undisturbed: Undisturbed;

  beforeAll(async () => {
    buildPrograms();
    const agent = errandAgent(join(folder, "undisturbed"), () => Promise.resolve());
    const expected = (await agent.invoke("Go!")).structuredResponse;
    const server = await startRedis();
    const place = await journal.place(join(folder, "list"));
    const args = [place.place, join(folder, "list-rows"), server.path, "list"];
    const worker = newWorker(journal, args);
    await worker.exited;
    await place.close();
    await server.close();
    moments = [...new Set(worker.lines.flatMap((line) => /^moment (.*)$/.exec(line)?.[1] ?? []))];
    expect(moments.length).toBeGreaterThan(100);
    const executions = executionsIn(join(folder, "list-rows"));
    expect([...executions.values()].sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    undisturbed = { expected, executions };
  }, 60_000);

  // G-durable-1
  test(
    `finishes by itself after ${kills} kills, as an undisturbed one: seed ${seed}`,
    async () => {
      const random = randomOf(seed);
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
        const server = await startRedis();
        const run = join(folder, `run-${round}`);
        mkdirSync(run);
        const place = await journal.place(run);
        const trial = new CrashTrial(journal, place, run, server.path);
        const { killed, response, read } = await trial.run(planned);
        await place.close();
        await server.close();
        expect(response).toEqual(undisturbed.expected);
        expect(read).toEqual(undisturbed.expected);
        // Each call has written under its one key, however often its step was repeated.
        expect([...trial.executions().keys()].sort()).toEqual([...undisturbed.executions.keys()].sort());
        for (const kill of killed) {
          victims[kill.victim]++;
          reached.add(kill.moment);
          unused.delete(moments.indexOf(kill.moment));
        }
        count += killed.length;
        expect(killed.length).toBeGreaterThan(0);
      }
      console.log(
        `${journal.name}: kill -9: ${victims.worker} workers, ${victims.server} servers, ${victims.reader} readers, at ${reached.size} of ${moments.length} moments`,
      );
    },
    300_000 + kills * 10_000,
  );

  return () => undisturbed;
}
