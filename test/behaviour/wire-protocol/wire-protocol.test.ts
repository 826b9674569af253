import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAgent, from, type JsonPatch, jsonParser, pipe } from "millrace";
import { toolStrategy } from "millrace/agent";
import {
  type EventStreamOptions,
  memoryLog,
  type StreamLog,
  toEventStream,
  toNodeResponse,
} from "millrace/serve";
import { fixedSizes, manualClock, scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { turn } from "../../client/support.js";
import { breakAfter, crumbled, cut } from "./broken-connections.js";
import { applied, followRun, type Get, type WireResult } from "./wire-client.js";

/**
 * docs/protocols/wire-protocol.md is enough to write a client: wire-client.ts was written from it alone, and reads the output of
 * toEventStream(). It shares no code with the package.
 */

const document = {
  title: "Tee ☕ 𝄞",
  steps: ["boil", "pour", { text: "wait\n\nlong" }],
  "a/b~c": [1, [2, []]],
  __proto: null,
};
const text = JSON.stringify(document).replace("__proto", "__proto__");
const whole = JSON.parse(text) as unknown;

const patches = (append = true, size = 3): AsyncIterable<JsonPatch> =>
  pipe(from([...fixedSizes(text, [size])].flat()), jsonParser(undefined, { append }).patches);

/** A log with the whole run. */
async function logged(log: StreamLog = memoryLog(), size?: number): Promise<StreamLog> {
  await toEventStream(patches(true, size), { log, id: "run" }).text();
  return log;
}

const reading =
  (log: StreamLog, options?: Partial<EventStreamOptions>): Get =>
  async (headers) =>
    toEventStream(undefined, { log, id: "run", lastEventId: headers["last-event-id"], ...options });

/** A client that has its first patch, and its result. */
async function begun(get: Get): Promise<{ readonly result: Promise<WireResult> }> {
  let onPatch = (): void => {};
  const first = new Promise<void>((resolve) => {
    onPatch = resolve;
  });
  const result = followRun(get, { onPatch });
  await first;
  return { result };
}

const eventStream = (body: string): Response =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

// G-wire-1
test("the client imports nothing", () => {
  const source = readFileSync(join(import.meta.dirname, "wire-client.ts"), "utf8");
  expect(source).not.toMatch(/^\s*(import|export .* from)\b|\bimport\(|\brequire\(/m);
});

describe("a client written from the page", () => {
  test.each([true, false])("ends with the document (append: %s)", async (append) => {
    const stream = await toEventStream(patches(append)).text();
    expect(stream.includes('"op":"append"')).toBe(append);
    const result = await followRun(async () => eventStream(stream));
    expect(result.value).toEqual(whole);
    expect(Object.keys(result.value as object)).toContain("__proto__");
    expect(result.end).toEqual({ kind: "done", reason: "complete" });
    expect(result.ids).toEqual(result.ids.map((_, index) => `${index + 1}`));
  });

  test("reads single bytes, and any line breaks", async () => {
    const stream = await toEventStream(patches()).text();
    for (const end of ["\n", "\r", "\r\n"]) {
      const { value } = await followRun(async () => crumbled(eventStream(stream.replaceAll("\n", end))));
      expect(value).toEqual(whole);
    }
  });

  // G-wire-1
  test("resumes from Last-Event-ID after a cut at every byte: no patch is lost or repeated", async () => {
    const log = await logged(memoryLog({ createToken: () => "t" }), 15);
    // Without a Last-Event-ID, the log sends every patch of the run.
    const first = reading(log, { lastEventId: "0-t" });
    const bytes = (await (await first({})).arrayBuffer()).byteLength;
    let resumed = 0;
    for (let at = 0; at < bytes; at++) {
      const asked: (string | undefined)[] = [];
      const { value, end, ids } = await followRun(async (headers) => {
        asked.push(headers["last-event-id"]);
        return asked.length > 1 ? reading(log)(headers) : cut(await first({}), at);
      });
      expect(value).toEqual(whole);
      expect(end).toEqual({ kind: "done", reason: "complete" });
      const numbers = ids.map((id) => Number(id.split("-")[0]));
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
      expect(asked).toHaveLength(2);
      if (asked[1] === undefined) continue; // no event was complete, so the second answer is the whole value
      expect(ids).toContain(asked[1]);
      expect(numbers[0]).toBe(1);
      resumed++;
    }
    expect(resumed).toBeGreaterThan(bytes / 2);
  });

  test("gets exactly the rest of a run, from each event", async () => {
    const log = await logged(memoryLog({ createToken: () => "t" }));
    const first = await followRun(async () => toEventStream(patches()));
    let value: unknown;
    const perEvent = (await toEventStream(patches()).text()).match(/^data: \[.*$/gm) ?? [];
    expect(perEvent).toHaveLength(first.ids.length);
    for (const [index, data] of perEvent.entries()) {
      value = applied(value, JSON.parse(data.slice("data: ".length)));
      const rest = await followRun(reading(log), { after: `${index + 1}-t`, value });
      expect(rest.value).toEqual(whole);
      expect(rest.ids).toEqual(first.ids.slice(index + 1).map((id) => `${id}-t`));
    }
  });

  test("gets the whole value for an unknown id, and for one beyond the log's window", async () => {
    const log = await logged(memoryLog({ createToken: () => "t", window: 2 }));
    const count = (await followRun(async () => toEventStream(patches()))).ids.length;
    for (const after of [
      undefined,
      "",
      "1",
      "1-t",
      "1-other",
      `${count + 1}-t`,
      "99999999999999999-t",
      "x",
    ]) {
      const late = await followRun(reading(log), { ...(after !== undefined && { after }), value: "stale" });
      expect(late.value).toEqual(whole);
      expect(late.ids).toEqual([`${count}-t`]);
    }
    const nothing = await followRun(reading(log), { after: `${count}-t`, value: whole });
    expect(nothing).toEqual({
      value: whole,
      end: { kind: "done", reason: "complete" },
      ids: [],
      requests: 1,
    });
  });

  test("gets the error expired during a run, and then unknown_run, and does not retry", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: { title: "Te" } }]);
    const following = await begun(reading(log));
    expect(await log.expire("run")).toBe(true);
    expect(await following.result).toMatchObject({
      value: { title: "Te" },
      end: { kind: "error", code: "expired" },
      requests: 1,
    });
    expect(await followRun(reading(log), { after: "1-t" })).toMatchObject({
      end: { kind: "error", code: "unknown_run" },
      requests: 1,
    });
  });

  test("keeps its value before an error, which has no details", async () => {
    async function* failing(): AsyncGenerator<JsonPatch> {
      yield [{ op: "replace", path: "", value: ["a"] }];
      throw new Error("secret");
    }
    const result = await followRun(async () => toEventStream(failing()));
    expect(result).toMatchObject({ value: ["a"], requests: 1 });
    expect(result.end).toEqual({ kind: "error", code: "run_failed", message: "The run failed." });
  });

  test("gets the reason stopped when the run is stopped", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: [1] }]);
    const following = await begun(reading(log));
    await log.stop("run");
    expect(await following.result).toMatchObject({ value: [1], end: { kind: "done", reason: "stopped" } });
  });

  test("resets the value when an answer of the model is repeated", async () => {
    const schema = z.object({ stars: z.int().max(5), text: z.string() }).meta({ title: "Review" });
    const call = (
      args: string,
    ): { content: [{ type: "tool_call_chunk"; id: string; name: string; args: string }] } => ({
      content: [{ type: "tool_call_chunk", id: args, name: "Review", args }],
    });
    const model = scriptedModel(({ index }) => [
      call(index === 0 ? '{"text": "Great", "stars": 9' : '{"text": "Good", "stars": 5}'),
    ]);
    const agent = createAgent({ model, responseFormat: toolStrategy(schema) });
    const stream = await toEventStream(agent.patches("10 of 10!")).text();
    expect(stream.match(/"op":"replace","path":"","value":[^ ]{4}/g)).toEqual([
      '"op":"replace","path":"","value":{"te',
      '"op":"replace","path":"","value":null',
      '"op":"replace","path":"","value":{"te',
    ]);
    const { value } = await followRun(async () => eventStream(stream));
    expect(value).toEqual({ text: "Good", stars: 5 });
  });

  test("ignores heartbeats", async () => {
    const clock = manualClock();
    async function* slow(): AsyncGenerator<JsonPatch> {
      yield [{ op: "replace", path: "", value: 1 }];
      for (let beat = 0; beat < 3; beat++) {
        clock.advance(8_000);
        await turn();
      }
    }
    const response = toEventStream(slow(), { clock });
    const [one, two] = response.body!.tee();
    const stream = await new Response(one).text();
    expect(stream.match(/^:$/gm)!.length).toBeGreaterThan(1);
    const { value } = await followRun(async () => new Response(two, response));
    expect(value).toBe(1);
  });

  test("ignores unknown events and fields, and drops an event without its empty line", async () => {
    const first =
      'id: 1\r\nevent: news\r\ndata: {}\r\n\r\n:x\nretry: 5\nid:2\ndata: [{"op":"replace",\ndata:"path":"","value":7}]\n\n';
    const answers = [
      eventStream(`\uFEFF${first}id: 3\ndata: [{"op":"replace","path":"","value":8}]\n`),
      eventStream('event: done\ndata: {"reason":"complete","new":1}\n\n'),
    ];
    const asked: (string | undefined)[] = [];
    const result = await followRun(async (headers) => {
      asked.push(headers["last-event-id"]);
      return answers.shift() ?? eventStream("");
    });
    expect(result).toMatchObject({ value: 7, ids: ["2"], end: { kind: "done", reason: "complete" } });
    expect(asked).toEqual([undefined, "2"]);
  });

  test("retries after 503, but not after 404", async () => {
    const answers = [new Response(null, { status: 503 }), toEventStream(patches())];
    expect(await followRun(async () => answers.shift()!)).toMatchObject({ value: whole, requests: 2 });
    expect(await followRun(async () => new Response(null, { status: 404 }))).toMatchObject({
      end: { kind: "status", status: 404 },
      requests: 1,
    });
  });
});

test("ends with the document over real HTTP, with destroyed sockets", async () => {
  const log = await logged(memoryLog({ createToken: () => "t" }));
  let requests = 0;
  const server = createServer((request, response) => {
    const isFirst = requests++ === 0;
    const lastEventId = isFirst ? "0-t" : (request.headers["last-event-id"] as string);
    const answer = toEventStream(undefined, { log, id: "run", lastEventId });
    if (isFirst) breakAfter(8, response);
    toNodeResponse(answer, response).catch(() => undefined);
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const result = await followRun(async (headers) => fetch(url, { headers }));
    expect(result).toMatchObject({ value: whole, requests: 2, end: { kind: "done", reason: "complete" } });
    expect(result.ids.length).toBeGreaterThan(7);
    expect(new Set(result.ids).size).toBe(result.ids.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe("in the other formats", () => {
  test("NDJSON has the same events", async () => {
    const log = await logged(memoryLog({ createToken: () => "t" }));
    const response = await reading(log, { format: "ndjson", lastEventId: "1-t" })({});
    expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    const first = JSON.parse(/^data: (.*)$/m.exec(await toEventStream(patches()).text())![1]!) as unknown;
    let value = applied(undefined, first);
    const types: string[] = [];
    for (const line of (await response.text()).split("\n")) {
      if (line === "") continue;
      const event = JSON.parse(line) as { type: string; patch?: unknown; reason?: string };
      types.push(event.type);
      if (event.type === "patch") value = applied(value, event.patch);
    }
    expect(value).toEqual(whole);
    expect(types.at(-1)).toBe("done");
    expect(types.slice(0, -1).every((type) => type === "patch")).toBe(true);
  });

  test("JSON Patch is one array without append, and is cut if the run fails", async () => {
    const log = await logged();
    const response = toEventStream(patches(), { format: "json-patch" });
    expect(response.headers.get("content-type")).toBe("application/json-patch+json");
    const operations = (await response.json()) as readonly { op: string }[];
    expect(operations.map(({ op }) => op)).not.toContain("append");
    expect(applied(undefined, operations)).toEqual(whole);
    await log.expire("run");
    await expect((await reading(log, { format: "json-patch" })({})).json()).rejects.toThrow();
  });
});
