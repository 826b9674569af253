import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { from, type JsonPatch } from "millrace";
import { redisLog } from "millrace/redis";
import { toEventStream } from "millrace/serve";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start, type Started } from "../platforms/support/start.js";
import { describeRedis, RedisServer } from "../../serve/redis/support/server.js";
import { inChromium } from "./support/chromium.js";
import { documentOf } from "./support/page.js";
import { probeOf, showing } from "./support/site.js";
import { written } from "./support/written.js";

describeRedis("with a log in Redis", () => {
  inChromium("a page", (open) => {
    const redis = new RedisServer();
    let folder: string;
    let machine: Started | undefined;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "millrace-page-"));
      await writeFile(join(folder, "index.html"), await documentOf("recipe.ts"));
      await redis.start();
    });
    afterAll(async () => {
      await machine?.close();
      await redis.close();
      await rm(folder, { recursive: true });
    });
    const machineOn = (port = 0): Promise<Started> =>
      start("behaviour/browser/servers/redis-site.ts", {
        args: [redis.path, join(folder, "index.html"), String(port)],
      });

    test("continues on another machine when the one it reads from is killed", async () => {
      const log = redisLog(redis.ioredis(), { createToken: () => "t" });
      redis.onClose(() => log.close());
      const { patches, write, end } = written();
      toEventStream(from<JsonPatch>(patches), { log, id: "run" });
      machine = await machineOn();
      const page = await open();
      await page.goto(`${machine.url}/?retries=Infinity`);
      await showing(page, "output", "connecting: ");
      write([{ op: "replace", path: "", value: { title: "Tea", steps: [] } }]);
      await showing(page, "h1", "Tea");

      await machine.close();
      await showing(page, "output", "reconnecting: ");
      write([{ op: "append", path: "/title", value: " for two" }]);
      machine = await machineOn(Number(new URL(machine.url).port));
      await showing(page, "h1", "Tea for two");
      write([{ op: "add", path: "/steps/-", value: "boil" }]);
      end();
      await showing(page, "output", "done: ");
      expect(await page.textContent("li")).toBe("boil");
      expect((await probeOf(page)).ids).toEqual(["1-t", "2-t", "3-t"]);
    });
  });
});
