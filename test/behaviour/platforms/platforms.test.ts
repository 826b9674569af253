import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPatchStore, fromEventStream } from "millrace/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RawClient, rawClient, rawPost } from "../../serve/http/raw-client.js";
import { hasty } from "../browser/pages/hasty.js";
import { length, type Report } from "./support/run.js";
import { start, type Started } from "./support/start.js";

/** A platform: a server of one handler, and a client. */

const root = join(import.meta.dirname, "../../..");

interface Platform {
  readonly name: string;
  /** The path in `servers`. */
  readonly program: string;
  readonly command: string;
  readonly flags?: readonly string[];
}

const bin = (name: string): string => join(root, "node_modules/.bin", name);
const platforms: readonly Platform[] = [
  { name: "node:http", program: "node-http", command: process.execPath },
  { name: "Express", program: "express", command: process.execPath },
  { name: "Hono on Node", program: "hono", command: process.execPath },
  { name: "Bun.serve", program: "bun", command: bin("bun") },
  { name: "Deno.serve", program: "deno", command: bin("deno"), flags: ["run", "--allow-net=127.0.0.1"] },
];

const text = Array.from({ length }, (_, i) => `${i} ☕ `).join("");

for (const platform of platforms) {
  const { name, program, command } = platform;
  const isThere = existsSync(command);
  if (!isThere) console.log(`Skipped: there is no ${command}, so nothing shows that ${name} works`);

  describe.skipIf(!isThere)(name, () => {
    let server: Started | undefined;
    beforeAll(async () => {
      server = await start(`behaviour/platforms/servers/${program}.ts`, platform);
    });
    afterAll(() => server?.close());
    const at = (path: string): string => `${(server as Started).url}${path}`;

    const report = async (): Promise<Report> => (await (await fetch(at("/report"))).json()) as Report;

    test("sends a run while it is made, and keeps it for later readers", async () => {
      const url = at("/runs/whole");
      let patches = 0;
      const store = createPatchStore({ schedule: (show) => show() });
      await store.connect(await fetch(url, { method: "POST" }), {
        onEvent: ({ type }) => (patches += type === "patch" ? 1 : 0),
      });
      expect(store.getState()).toEqual({ value: { text }, status: "done", error: undefined });
      expect(patches).toBe(1 + length);

      const late = createPatchStore();
      await late.connect(url);
      expect(late.getSnapshot()).toEqual({ text });
    });

    test("resumes a cut stream, patch by patch", async () => {
      const url = at("/runs/cut");
      const ids: string[] = [];
      let requests = 0;
      const store = createPatchStore({ schedule: (show) => show() });
      await store.connect(url, {
        onEvent: (event) => {
          if (event.type === "patch") ids.push(event.id);
        },
        fetch: async (to, init) => {
          const response = await fetch(to, { ...init, method: requests++ === 0 ? "POST" : "GET" });
          return requests <= 3 ? cutAfter(response, 700 + requests) : response;
        },
        clock: hasty(50),
      });
      expect(store.getState()).toEqual({ value: { text }, status: "done", error: undefined });
      expect(requests).toBe(4);
      expect(ids.map((id) => Number.parseInt(id))).toEqual(
        Array.from({ length: 1 + length }, (_, i) => i + 1),
      );
    });

    test("stops a run for all readers", async () => {
      const url = at("/runs/endless");
      const store = createPatchStore({ schedule: (show) => show() });
      const shown = store.connect(await fetch(url, { method: "POST" }));
      for await (const patch of fromEventStream(url)) {
        expect(patch).not.toEqual([]);
        break; // leaving does not stop the run
      }
      expect(store.status).toBe("streaming");
      expect(await (await fetch(url, { method: "DELETE" })).json()).toEqual({ stopped: true });
      await shown;
      expect(store.status).toBe("stopped");
    });

    // G-wire-2
    test("closes the run of a client that leaves, even while the run is silent", async () => {
      for await (const patch of fromEventStream(at("/silent"))) {
        expect(patch).toEqual([{ op: "replace", path: "", value: 1 }]);
        break;
      }
      while ((await report()).closed === 0) await sleep(5);
      expect((await report()).closed).toBe(1);
    });

    // G-wire-2
    test("makes patches at the pace of the client", async () => {
      const reader = (await fetch(at("/flood"))).body!.getReader();
      await reader.read();
      let [before, { made }] = [-1, await report()];
      while (before !== made && made < 1000) {
        before = made;
        await sleep(100);
        ({ made } = await report());
      }
      // The buffers of the kernel hold at most 10 MB of 64 KB patches (5 MB were measured).
      expect(made).toBeLessThan(160);
      await reader.cancel();
    });

    const post = (body: string): Promise<Response> =>
      fetch(at("/bounded"), { method: "POST", headers: { "content-type": "application/json" }, body });
    const raw = (body: string, length: number): Promise<RawClient> =>
      rawClient(at("/"), rawPost(body, { length, target: "/bounded" }));

    // G-wire-15
    test("frees the place of a client that never reads", async () => {
      const { socket, until } = await raw('"flood"', 7);
      await until("\r\n\r\n");
      socket.pause();
      expect((await post("1")).status).toBe(429);
      await expect.poll(async () => (await post("1")).status).toBe(200);
      socket.destroy();
    });

    // G-wire-15
    test("answers a client that never completes its body, and keeps nobody out meanwhile", async () => {
      const late = await raw('"', 9);
      expect(await late.until("body_timeout")).toMatch(/^HTTP\/1\.1 408 /);
      const half = await raw('"', 9);
      expect((await post("1")).status).toBe(200);
      half.socket.destroy();
      late.socket.destroy();
    });
  });
}

/** The response, whose connection is lost after this number of bytes. */
function cutAfter(response: Response, bytes: number): Response {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError("terminated"));
    },
  });
  return new Response(response.body?.pipeThrough(cut), response);
}
