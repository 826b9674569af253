import { join } from "node:path";
import { journalLaws } from "millrace/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../support/server-process.js";
import { temporaryFolders } from "../../durable/support/folders.js";
import { hasRedis } from "../../serve/redis/support/server.js";
import { Program } from "./support/programs.js";
import { proveCrashes, startRedis } from "./support/prove.js";
import { hasRestate, newNode, RestateServer } from "./support/restate-server.js";
import { executionsIn, type JournalUnderTest, newWorker } from "./support/trial.js";

const newFolder = temporaryFolders();
/** Then Restate pauses an invocation, and nothing continues it. */
const defaultAttempts = 70;

describe.skipIf(!hasRedis || !hasRestate)("a run on Restate", () => {
  const server = new RestateServer();
  let services = 0;
  const newService = async (): Promise<{ name: string; place: string }> => {
    const name = `errands${++services}`;
    const { ingress, admin } = server;
    return { name, place: JSON.stringify({ ingress, admin, port: await freePort(), name }) };
  };
  const journals: JournalUnderTest = {
    name: "restate",
    node: newNode,
    async place() {
      const { name, place } = await newService();
      return { place, recorded: () => server.recorded(name), close: () => Promise.resolve() };
    },
  };
  beforeAll(() => server.start(), 60_000);
  afterAll(() => server.close(), 60_000);
  const folder = newFolder();
  const undisturbed = proveCrashes(journals, folder, 3);

  test("continues when the server was killed", async () => {
    const redis = await startRedis();
    const { place } = await journals.place(folder);
    const rows = join(folder, "server-rows");
    const worker = newWorker(journals, [place, rows, redis.path, "call_8_0 has written"]);
    await worker.said("moment");
    await server.kill();
    await server.start();
    worker.goOn();
    expect(await worker.said("done")).toBeUndefined(); // its call to the server was cut
    const next = newWorker(journals, [place, rows, redis.path]);
    expect(JSON.parse((await next.said("done"))?.rest ?? "null")).toEqual(undisturbed().expected);
    expect([...executionsIn(rows).keys()].sort()).toEqual([...undisturbed().executions.keys()].sort());
    await next.exited;
    await redis.close();
  }, 60_000);

  test("continues after its worker was away for more attempts than Restate makes by default", async () => {
    const redis = await startRedis();
    const { name, place } = await newService();
    const rows = join(folder, "away-rows");
    const worker = newWorker(journals, [place, rows, redis.path, "model 3 is asked"]);
    await worker.said("moment");
    await worker.killed();
    await vi.waitUntil(async () => (await server.attempts(name)) > defaultAttempts, {
      timeout: 60_000,
      interval: 200,
    });
    const next = newWorker(journals, [place, rows, redis.path]);
    expect(JSON.parse((await next.said("done"))?.rest ?? "null")).toEqual(undisturbed().expected);
    await next.exited;
    await redis.close();
  }, 90_000);

  test("has a journal that keeps the laws", async () => {
    const { place } = await newService();
    const program = new Program("laws-restate", [place], { node: newNode });
    await program.exited;
    const found = program.lines.flatMap((line) =>
      line.startsWith("law ") ? [JSON.parse(line.slice(4)) as unknown] : [],
    );
    const laws = journalLaws({ attempt: () => Promise.reject(new Error()), maxStepSize: 1, ordered: true });
    expect(found).toEqual(laws.map(({ name }) => [name, ""]));
  }, 120_000);

  test("waits for a decision in the next attempt too, and ends when it is cancelled", async () => {
    const { place } = await newService();
    const program = new Program("engine-restate", [place], { node: newNode });
    await program.exited;
    expect(program.lines).toEqual([
      'approved ["finished",["100 €"]]',
      expect.stringMatching(/^answer .*stopped/),
      'end {"type":"done","reason":"stopped"}',
    ]);
  }, 60_000);
});
