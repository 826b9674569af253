import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonPatch, JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { boundedHandler, memoryLog, nodeHandler, toEventStream } from "millrace/serve";
import { manualClock } from "millrace/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { turn } from "../../client/support.js";
import { rawClient, rawPost, statusesIn } from "./raw-client.js";
import { post } from "./request-server.js";

/** A body without an end, as fast as it is read. */
function endless(onCancel: (reason: unknown) => void = () => {}): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    { pull: (controller) => controller.enqueue(new Uint8Array(65_536)), cancel: onCancel },
    { highWaterMark: 0 },
  );
}

describe("boundedHandler(), by a manual clock", () => {
  const headers = { "content-type": "application/json" };

  test("gives up a response that nobody reads, and frees its slot", async () => {
    const clock = manualClock();
    const cancelled: unknown[] = [];
    const body = (): ReadableStream<Uint8Array> => endless((reason) => cancelled.push(reason));
    const handle = boundedHandler(() => new Response(body()), {
      maxRuns: 1,
      timeouts: { write: 100 },
      clock,
    });
    const unread = await handle(post("{}"));
    clock.advance(99);
    expect((await handle(post("{}"))).status).toBe(429);
    clock.advance(1);
    expect(cancelled).toMatchObject([{ name: "TimeoutError" }]);
    await expect(unread.text()).rejects.toMatchObject({ name: "TimeoutError" });

    const read = (await handle(post("{}"))).body!.getReader();
    for (let i = 0; i < 5; i++) {
      await read.read();
      clock.advance(99);
    }
    expect(cancelled).toHaveLength(1);
    clock.advance(1);
    expect(cancelled).toHaveLength(2);
    await expect(read.read()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("waits for a silent model without end", async () => {
    const clock = manualClock();
    const handle = boundedHandler(() => new Response(new ReadableStream()), {
      timeouts: { write: 100 },
      clock,
    });
    const reading = (await handle(post("{}"))).body!.getReader().read();
    clock.advance(1_000_000);
    expect(await Promise.race([reading, turn().then(() => "waits")])).toBe("waits");
  });

  test("divides long chunks, so that a slow client makes progress", async () => {
    const chunk = new Uint8Array(200_000).map((_, i) => i);
    const handle = boundedHandler(() => new Response(chunk));
    const sizes: number[] = [];
    const bytes: Uint8Array[] = [];
    for await (const piece of (await handle(post("{}"))).body!) {
      sizes.push(piece.byteLength);
      bytes.push(piece);
    }
    expect(sizes).toEqual([65_536, 65_536, 65_536, 3_392]);
    expect(Buffer.concat(bytes).equals(chunk)).toBe(true);
  });

  test("refuses a body that does not arrive in time, or an older one if all slots are taken", async () => {
    const clock = manualClock();
    const handle = boundedHandler((body) => Response.json(body), {
      maxRuns: 2,
      timeouts: { body: 100 },
      clock,
    });
    const half = () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const init = { method: "POST", headers, body: readable, duplex: "half" };
      const writer = writable.getWriter();
      writer.write(new TextEncoder().encode('"a')).catch(() => {});
      return { writer, response: handle(new Request("http://localhost/", init)) };
    };
    const [first, second] = [half(), half()];
    await turn();
    expect(await (await handle(post("{}"))).text()).toBe("{}");
    const refused = await first.response;
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    clock.advance(99);
    const third = half();
    await turn();
    clock.advance(1);
    const late = await second.response;
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([408, "body_timeout"]);
    expect(late.headers.get("connection")).toBe("close");
    await third.writer.write(new TextEncoder().encode('"'));
    await third.writer.close();
    expect(await (await third.response).text()).toBe('"a"');
    clock.advance(1_000);
  });

  test("refuses limits that are none", () => {
    for (const options of [
      { maxRunsPerClient: 0 },
      { timeouts: { body: -1 } },
      { timeouts: { write: NaN } },
    ]) {
      expect(() => boundedHandler(() => new Response(), options)).toThrow(RangeError);
    }
  });
});

describe("boundedHandler() over sockets", () => {
  async function serve(onRequest: RequestListener): Promise<{ url: string; server: Server }> {
    const server = createServer(onRequest);
    await once(server.listen(0, "127.0.0.1", 4_096), "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
  }
  const connections = (server: Server): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  const many = (url: string, count: number, text: string) =>
    Promise.all(Array.from({ length: count }, () => rawClient(url, text)));
  const ask = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" };
    const response = await fetch(url, init);
    await response.body?.cancel();
    return response.status;
  };

  // G-wire-15
  test("60 clients that never read free their 50 slots", async () => {
    let cancelled = 0;
    const handle = boundedHandler(() => new Response(endless(() => cancelled++)), {
      maxRuns: 50,
      timeouts: { write: 500 },
    });
    const { url, server } = await serve(nodeHandler(handle, { timeouts: { write: 60_000 } }));
    const clients = await many(url, 60, rawPost("{}"));
    for (const { socket } of clients) socket.pause();
    await expect.poll(() => cancelled).toBeGreaterThanOrEqual(50);
    expect(await ask(url)).toBe(200);
    for (const { socket } of clients) socket.destroy();
    await expect.poll(() => connections(server)).toBeLessThanOrEqual(1); // of fetch()
  });

  // G-wire-15
  test("300 half-sent bodies keep nobody out, and are closed", async () => {
    const handle = boundedHandler((body) => Response.json(body), { maxRuns: 50, timeouts: { body: 1_000 } });
    const { url, server } = await serve(nodeHandler(handle));
    server.keepAliveTimeout = 500; // also of a connection whose request was refused before its body is complete
    const clients = await many(url, 300, rawPost('{"a":', { length: 100 }));
    expect(await Promise.all([1, 2, 3].map(() => ask(url)))).toEqual([200, 200, 200]);
    const statuses = (await Promise.all(clients.map(({ closed }) => closed))).flatMap(statusesIn);
    expect(statuses).toHaveLength(300);
    expect(new Set(statuses)).toEqual(new Set([408, 429]));
    await expect.poll(() => connections(server)).toBeLessThanOrEqual(3);
  });

  test("one client has so many runs, and the others theirs", async () => {
    const silent = (): Response =>
      new Response(new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) }));
    const handle = boundedHandler(silent, {
      maxRunsPerClient: 2,
      clientId: (request, { socket }: IncomingMessage) =>
        request.headers.get("x-anyone") === null
          ? `${socket.remoteAddress} ${request.headers.get("x-user")}`
          : null,
    });
    const { url } = await serve(nodeHandler(handle));
    const ofAda = await many(url, 2, rawPost("{}", { headers: "X-User: ada\r\n" }));
    const half = await rawClient(url, rawPost("{", { length: 9, headers: "X-User: bob\r\n" }));
    for (const client of ofAda) await client.until("200 OK");
    const refused = await rawClient(url, rawPost("{}", { headers: "X-User: ada\r\n" }));
    expect((await refused.until("\r\n\r\n")).toLowerCase()).toMatch(/^http\/1.1 429 .*\nretry-after: 1\r\n/s);
    expect(await refused.until("}")).toContain('"too_many_runs_per_client"');
    expect(await ask(url, { "x-user": "bob" })).toBe(200);
    for (let i = 0; i < 3; i++) expect(await ask(url, { "x-anyone": "1" })).toBe(200);
    ofAda[0]?.socket.destroy();
    await expect.poll(() => ask(url, { "x-user": "ada" })).toBe(200);
    half.socket.destroy();
  });

  // G-wire-15
  test(
    "2,000 readers of one run get all of it, beside 60 that do not read",
    { timeout: 120_000 },
    async () => {
      const log = memoryLog({ window: 20 });
      const patches = Array.from({ length: 12 }, (_, i): JsonPatch => [
        i === 0
          ? { op: "replace", path: "", value: { text: "" } }
          : { op: "append", path: "/text", value: `${i} ☕`.padEnd(1_000, ".") },
      ]);
      const document = patches.reduce<JsonValue>((value, patch) => applyPatch(value, patch), null);
      const writer = await log.create("run");
      const handle = ({ url }: Request): Response =>
        url.endsWith("/flood") ? new Response(endless()) : toEventStream(undefined, { log, id: "run" });
      const { url, server } = await serve(nodeHandler(handle, { timeouts: { write: 1_000 } }));
      const stalled = await many(url, 60, "GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n");
      for (const { socket } of stalled) socket.pause();
      const readers = [];
      while (readers.length < 2_000) {
        readers.push(...(await many(url, 100, "GET / HTTP/1.0\r\n\r\n")));
      }
      for (const patch of patches) {
        await writer.append(patch);
        await turn();
      }
      await writer.end({ type: "done", reason: "complete" });
      for (const { closed } of readers) expect(valueIn(await closed)).toEqual(document);
      await expect.poll(() => connections(server)).toBe(0);
    },
  );
});

/** The value at the end of a response with an event stream, without chunks of HTTP. Throws unless it is complete. */
function valueIn(text: string): JsonValue {
  const [, body = ""] = Buffer.from(text, "latin1")
    .toString()
    .split(/\r\n\r\n(.*)/s);
  expect(body.trim().split("\n\n").at(-1)).toBe('event: done\ndata: {"reason":"complete"}');
  const patches = [...body.matchAll(/^data: (\[.*)$/gm)].flatMap(
    ([, json = ""]) => JSON.parse(json) as JsonPatch,
  );
  return applyPatch(null, patches);
}
