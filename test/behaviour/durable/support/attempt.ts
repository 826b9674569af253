import { setTimeout as sleep } from "node:timers/promises";
import { readSync, writeSync } from "node:fs";
import { Redis } from "ioredis";
import { durable, type Journal } from "millrace/durable";
import { redisLog } from "millrace/redis";
import type { StreamLog } from "millrace/serve";
import { type Errand, errandAgent } from "./errand.js";

/**
 * The arguments of every worker: where its journal is, the file for rows, the socket of Redis, and perhaps a moment. At
 * the moment it prints `moment` and stops until a line arrives, so that it can be killed there.
 */
const [journalPlace, rows, path, wanted] = process.argv.slice(2) as [string, string, string, string?];
/** Where the journal is. */
export const place: string = journalPlace;

/** The clock of each worker may be another one. */
const shift = Number(process.env["MILLRACE_CLOCK"] ?? 0);
const now = Date.now.bind(Date);
Date.now = () => now() + shift;

let passed = false;
/** Blocks the whole process, also its timers and other steps. */
function stopAt(name: string): void {
  if (wanted === "list") writeSync(1, `moment ${name}\n`);
  if (name !== wanted || passed) return;
  passed = true;
  writeSync(1, `moment ${name}\n`);
  readSync(0, Buffer.alloc(1));
}
const moment = async (name: string): Promise<void> => {
  stopAt(name);
  await sleep(1);
};

/** The same journal and log, with moments around what they write. */
function watched(journal: Journal): Journal {
  return {
    ...journal,
    async step(name, run) {
      stopAt(`${name} is looked up`);
      const value = await journal.step(name, async (attempt) => {
        stopAt(`${name} runs`);
        const result = await run(attempt);
        stopAt(`${name} is not recorded yet`);
        return result;
      });
      stopAt(`${name} is recorded`);
      return value;
    },
  };
}

function watchedLog(log: StreamLog): StreamLog {
  return {
    ...log,
    async takeOver(id) {
      const writer = await log.takeOver(id);
      stopAt("the log is taken over");
      let count = 0;
      return {
        ...writer,
        async append(patch) {
          stopAt(`patch ${++count} is not shown yet`);
          await writer.append(patch);
          stopAt(`patch ${count} is shown`);
        },
        async end(end) {
          stopAt("the log is not ended yet");
          await writer.end(end);
          stopAt("the log is ended");
        },
      };
    },
  };
}

const client = new Redis({ path });
const log = redisLog(client);

/** One attempt at the run. */
export async function attempt(journal: Journal, signal?: AbortSignal): Promise<Errand> {
  const options = { journal: watched(journal), log: watchedLog(log), id: "run" };
  const run = durable(errandAgent(rows, moment), options);
  return (await run.invoke("Go!", { ...(signal !== undefined && { signal }) })).structuredResponse;
}

/** Prints the response, and closes what the attempt has opened. */
export async function finish(response: Errand): Promise<void> {
  writeSync(1, `done ${JSON.stringify(response)}\n`);
  await log.close();
  client.disconnect();
}
