import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileJournal } from "millrace/durable";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../durable/support/folders.js";
import { describeRedis } from "../../serve/redis/support/server.js";
import type { Errand } from "./support/errand.js";
import { Program } from "./support/programs.js";
import { proveCrashes, startRedis } from "./support/prove.js";
import { executionsIn, type JournalUnderTest } from "./support/trial.js";

const newFolder = temporaryFolders();

const journals: JournalUnderTest = {
  name: "file",
  place(folder) {
    const file = join(folder, "journal", "journal.ndjson");
    return Promise.resolve({
      place: join(folder, "journal"),
      recorded() {
        const text = existsSync(file) ? readFileSync(file, "utf8") : "";
        return Promise.resolve([...text.matchAll(/\["([^"]+)",/g)].map(([, name = ""]) => name));
      },
      close: () => Promise.resolve(),
    });
  },
};

describeRedis("a run with a file journal, in processes that are killed with kill -9,", () => {
  const folder = newFolder();
  const undisturbed = proveCrashes(journals, folder, 10);

  // G-durable-4
  test("a worker that sleeps owns its run, and the next one owns it after kill -9", async () => {
    const server = await startRedis();
    const [journal, rows] = [join(folder, "asleep"), join(folder, "asleep-rows")];
    const sleeper = new Program("worker-file", [journal, rows, server.path, "model 3 is asked"]);
    await sleeper.said("moment");
    sleeper.signal("SIGSTOP");
    const others = Array.from({ length: 5 }, () => fileJournal(journal));
    for (const other of others) {
      await expect(other.step("model 3", () => Promise.resolve(""))).rejects.toMatchObject({ code: "owned" });
    }
    await sleeper.killed();
    // Of many that start at once, one gets it.
    const next = Array.from({ length: 5 }, () => new Program("worker-file", [journal, rows, server.path]));
    const done = await Promise.all(next.map((it) => it.said("done")));
    const responses = done.filter((it) => it !== undefined).map(({ rest }) => JSON.parse(rest) as Errand);
    expect(responses.length).toBeGreaterThan(0);
    for (const response of responses) expect(response).toEqual(undisturbed().expected);
    // Nothing ran twice: the sleeper died while a model was asked.
    expect(executionsIn(rows)).toEqual(undisturbed().executions);
    await server.close();
  });

  test("a run goes on after its disk was full", async () => {
    const server = await startRedis();
    const [journal, rows] = [join(folder, "full"), join(folder, "full-rows")];
    const args = [journal, rows, server.path];
    const first = new Program("worker-file", args, { maxFileSize: 2 });
    expect(await first.said("done")).toBeUndefined();
    expect(readFileSync(join(journal, "journal.ndjson")).length).toBeLessThanOrEqual(2_048);
    const second = new Program("worker-file", args);
    const done = await second.said("done");
    expect(JSON.parse(done?.rest ?? "null")).toEqual(undisturbed().expected);
    await second.exited;
    await server.close();
  });
});
