/**
 * `node worker.js JOURNAL ROWS REDIS [MOMENT]`: one attempt at a run. At the moment it prints `moment` and stops until a
 * line arrives, so that it can be killed there. At the end it prints the structured response.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { readSync, writeSync } from "node:fs";
import { Redis } from "ioredis";
import { durable, fileJournal, type Journal } from "millrace/durable";
import { redisLog } from "millrace/redis";
import type { StreamLog } from "millrace/serve";
import { errandAgent } from "./errand.js";

const [folder, rows, path, wanted] = process.argv.slice(2) as [string, string, string, string?];

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
const journal = fileJournal(folder);
const run = durable(errandAgent(rows, moment), {
  journal: watched(journal),
  log: watchedLog(log),
  id: "run",
});
const { structuredResponse } = await run.invoke("Go!");
writeSync(1, `done ${JSON.stringify(structuredResponse)}\n`);
await journal.close();
await log.close();
client.disconnect();
