import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { from, type JsonPatch, jsonParser, pipe } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import {
  type EventStreamOptions,
  memoryLog,
  type StreamLog,
  toEventStream,
  toNodeResponse,
} from "millrace/serve";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { breakAfter, crumbled, cut } from "./broken-connections.js";
import { followCompact } from "./compact-client.js";
import { followRun, type Get } from "./wire-client.js";

/** docs/protocols/compact-wire.md is enough to write a client: compact-client.ts was written from it. */

const document = {
  title: "Tee ☕ 𝄞",
  steps: ["boil", "pour", { text: "wait\n\nlong" }],
  "a/b~c": [1, [2, []], { d: {} }],
  __proto: null,
  7: "seven",
};
const text = JSON.stringify(document).replace("__proto", "__proto__");
const whole = JSON.parse(text) as unknown;

const patches = (size = 3): AsyncIterable<JsonPatch> =>
  pipe(from([...fixedSizes(text, [size])].flat()), jsonParser(undefined, { append: true }).patches);

const each = { flush: "patch" } as const;

/** A server that answers in the form that the client accepts. */
const answering =
  (source: () => AsyncIterable<readonly AnyPatchOperation[]>, options: EventStreamOptions = each): Get =>
  async ({ accept }) =>
    toEventStream(source(), { ...options, accept });

async function logged(log: StreamLog = memoryLog(), size?: number): Promise<StreamLog> {
  await toEventStream(patches(size), { log, id: "run", ...each }).text();
  return log;
}

const reading =
  (log: StreamLog): Get =>
  async ({ accept, "last-event-id": lastEventId }) =>
    toEventStream(undefined, { log, id: "run", lastEventId, accept });

const eventStream = (body: string): Response =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

// G-wire-1
test("the client imports only the client of the wire protocol", () => {
  const source = readFileSync(join(import.meta.dirname, "compact-client.ts"), "utf8");
  expect([...source.matchAll(/\bfrom "(.*)"|\bimport\(|\brequire\(/g)].map(([, name]) => name)).toEqual([
    "./wire-client.js",
  ]);
});

describe("a client written from the page", () => {
  test("ends with the document", async () => {
    const bodies: string[] = [];
    const result = await followCompact(async (headers) => {
      bodies.push(await (await answering(patches)(headers)).text());
      return eventStream(bodies[0] ?? "");
    });
    expect(result).toMatchObject({ value: whole, end: { kind: "done", reason: "complete" }, requests: 1 });
    expect(Object.keys(result.value as object)).toContain("__proto__");
    expect(result.ids).toEqual(result.ids.map((_, index) => `${index + 1}`));
    expect(bodies[0]).not.toContain("data: [");
  });

  test("ends with the document if lines are joined", async () => {
    const result = await followCompact(answering(patches, {}));
    expect(result.value).toEqual(whole);
    expect(result.ids.length).toBeLessThan(10);
  });

  test("ends with the document if the server knows only server-sent events", async () => {
    const result = await followCompact(async () => toEventStream(patches()));
    const asked = await followRun(async () => toEventStream(patches()));
    expect(result).toEqual(asked);
    expect(result.value).toEqual(whole);
  });

  test("reads single bytes, and any line breaks", async () => {
    const body = await (await answering(patches)({ accept: "text/event-stream;compact=1" })).text();
    for (const end of ["\n", "\r", "\r\n"]) {
      const { value } = await followCompact(async () => crumbled(eventStream(body.replaceAll("\n", end))));
      expect(value).toEqual(whole);
    }
  });

  // G-wire-1
  test("resumes from Last-Event-ID after a cut at every byte: no patch is lost or repeated", async () => {
    const log = await logged(memoryLog({ createToken: () => "t" }), 5);
    const read = reading(log);
    const accept = "text/event-stream;compact=1";
    const first = (): Promise<Response> => read({ accept, "last-event-id": "0-t" });
    const bytes = (await (await first()).arrayBuffer()).byteLength;
    let resumed = 0;
    for (let at = 0; at < bytes; at++) {
      const asked: (string | undefined)[] = [];
      const { value, end, ids } = await followCompact(async (headers) => {
        asked.push(headers["last-event-id"]);
        return asked.length > 1 ? read(headers) : cut(await first(), at);
      });
      expect(value).toEqual(whole);
      expect(end).toEqual({ kind: "done", reason: "complete" });
      const numbers = ids.map((id) => Number(id.split("-")[0]));
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
      if (asked[1] === undefined) continue; // no patch was complete, so the second answer is the whole value
      expect(ids).toContain(asked[1]);
      expect(numbers[0]).toBe(1);
      resumed++;
    }
    expect(resumed).toBeGreaterThan(bytes / 2);
  });

  test("gets exactly the rest of a run from each event, and the whole value for an unknown id", async () => {
    const log = await logged(memoryLog({ createToken: () => "t" }));
    const values: unknown[] = [];
    const all = await followCompact(reading(log), { after: "0-t" });
    for (let count = 1; count <= all.ids.length; count++) {
      const some = await followRun(async () => {
        const body = await (
          await reading(log)({ accept: "text/event-stream", "last-event-id": "0-t" })
        ).text();
        return eventStream(
          `${body
            .split("\n\n")
            .slice(0, count + 1)
            .join("\n\n")}\n\nevent: done\ndata: {}\n\n`,
        );
      });
      values.push(some.value);
    }
    for (const [index, value] of values.entries()) {
      const rest = await followCompact(reading(log), { after: `${index + 1}-t`, value });
      expect(rest.value).toEqual(whole);
      expect(rest.ids).toEqual(all.ids.slice(index + 1));
    }
    const late = await followCompact(reading(log), { after: "1-other", value: "stale" });
    expect(late).toMatchObject({ value: whole, ids: [all.ids.at(-1)] });
  });

  test("gets errors, stops and values that are taken back", async () => {
    async function* failing(): AsyncGenerator<readonly AnyPatchOperation[]> {
      yield [{ op: "replace", path: "", value: ["a", { b: 1 }] }];
      yield [{ op: "add", path: "/0", value: 0 }];
      yield [{ op: "replace", path: "", value: null }];
      yield [{ op: "replace", path: "", value: { again: [] } }];
      yield [
        { op: "add", path: "/again/0", value: "" },
        { op: "append", path: "/again/0", value: "x" },
      ];
      throw new Error("secret");
    }
    expect(await followCompact(answering(failing))).toMatchObject({
      value: { again: ["x"] },
      end: { kind: "error", code: "run_failed", message: "The run failed." },
      requests: 1,
    });
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: [1] }]);
    await log.stop("run");
    expect(await followCompact(reading(log))).toMatchObject({
      value: [1],
      end: { kind: "done", reason: "stopped" },
    });
  });
});

test("ends with the document over real HTTP, with destroyed sockets", async () => {
  const log = await logged(memoryLog({ createToken: () => "t" }));
  let requests = 0;
  const server = createServer(({ headers }, response) => {
    const isFirst = requests++ === 0;
    const lastEventId = isFirst ? "0-t" : (headers["last-event-id"] as string);
    const answer = toEventStream(undefined, { log, id: "run", lastEventId, accept: headers.accept });
    if (isFirst) breakAfter(8, response);
    toNodeResponse(answer, response).catch(() => undefined);
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const result = await followCompact(async (headers) => fetch(url, { headers }));
    expect(result).toMatchObject({ value: whole, requests: 2, end: { kind: "done", reason: "complete" } });
    expect(result.ids.length).toBeGreaterThan(7);
    expect(new Set(result.ids).size).toBe(result.ids.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
