import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe } from "vitest";
import { slowRuns } from "../../json/support/runs.js";
import { hasRedis, RedisServer } from "../../serve/redis/support/server.js";
import { test } from "../examples/support/program.js";
import { DocServerProcess, docServers } from "./support/doc-servers.js";
import { expectAnswers } from "./support/exchange.js";
import { rawRequests } from "./support/raw-requests.js";

/** Sends arbitrary bytes to every server of the docs. None may end its process, be silent, or fail. */

const numRuns = slowRuns(60);
const timeout = 60_000 + 20 * numRuns;
let seeds = Number(process.env["MILLRACE_SEED"] ?? 1);
/** Each server gets other bytes, so that together they show many to the code that reads requests for all of them. */
const nextSeed = (): number => (seeds += 1_000_000);
const noModel = "http://127.0.0.1:9"; // the discard port: nobody listens

describe("servers of the docs", () => {
  const servers = docServers()
    .map((server) => ({ ...server, seed: nextSeed() }))
    .filter(({ needsRedis }) => hasRedis || !needsRedis);
  const redis = new RedisServer();
  const program = new DocServerProcess(servers, {
    REDIS_PATH: redis.path,
    OPENAI_BASE_URL: noModel,
    ANTHROPIC_BASE_URL: noModel,
    ANTHROPIC_API_KEY: "none",
  });
  beforeAll(async () => {
    if (hasRedis) await redis.start();
  });
  afterAll(async () => {
    await program.close();
    await redis.close();
  });

  // G-wire-14
  test.for(servers)("$name survives any bytes", { timeout }, async ({ name, seed }) => {
    const property = fc.asyncProperty(rawRequests(), async (requests) => {
      const port = await program.portOf(name);
      await expectAnswers(port, requests).catch(async (error: unknown) => {
        await sleep(200); // for the end of the process, so that a smaller input meets a new one
        throw new Error(program.end ?? "The process runs.", { cause: error });
      });
    });
    await fc.assert(property, { numRuns, seed });
  });
});

// G-wire-14
test.for(["ag-ui/main.ts", "hono-react/main.ts"].map((name) => ({ name, seed: nextSeed() })))(
  "docs/examples/$name survives any bytes",
  { timeout },
  async ({ name, seed }, { start }) => {
    const { stdout } = await start(name, ["--port", "0"]);
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(await stdout.like(/127\.0\.0\.1:\d+\//)) ?? [];
    const property = fc.asyncProperty(rawRequests(), (requests) => expectAnswers(Number(port), requests));
    await fc.assert(property, { numRuns, seed });
  },
);
