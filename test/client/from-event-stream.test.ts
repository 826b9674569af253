import { inspect } from "node:util";
import { collect, from, systemClock, type JsonPatch, type JsonValue } from "millrace";
import { applyPatch, type AnyPatchOperation } from "millrace/json";
import { type ClientEvent, fromEventStream, type FromEventStreamOptions } from "millrace/client";
import { memoryLog, toEventStream } from "millrace/serve";
import { manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { bytesOf, document, patches, responseOf, turn } from "./support.js";

const none: JsonValue | undefined = undefined;
const valueOf = (some: readonly (readonly AnyPatchOperation[])[]): JsonValue | undefined =>
  some.reduce<JsonValue | undefined>((value, patch) => applyPatch(value, patch), none);

/** Retries without delays. */
const noWait: FromEventStreamOptions = {
  random: () => 0,
  timeouts: { idle: Infinity },
  clock: {
    now: () => 0,
    setTimeout: (callback) => setTimeout(callback),
    clearTimeout: (handle) => {
      clearTimeout(handle as number);
    },
  },
};

describe("one response", () => {
  test("yields its patches, for every split of its bytes", async () => {
    const bytes = await bytesOf(patches.slice(0, 6));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const response = responseOf([bytes.slice(0, cut), bytes.slice(cut)]);
      expect(await collect(fromEventStream(response))).toEqual(patches.slice(0, 6));
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await collect(fromEventStream(responseOf(single)))).toEqual(patches.slice(0, 6));
  });

  test("that is cut yields its complete patches, then an error, for every cut", async () => {
    const bytes = await bytesOf(patches.slice(0, 3));
    for (const lost of [false, true]) {
      for (let cut = 0; cut < bytes.length; cut += 3) {
        const seen: (readonly AnyPatchOperation[])[] = [];
        const read = async (): Promise<void> => {
          for await (const patch of fromEventStream(responseOf([bytes.slice(0, cut)], lost)))
            seen.push(patch);
        };
        await expect(read()).rejects.toMatchObject({ name: "ClientError", code: "cut" });
        expect(seen).toEqual(patches.slice(0, seen.length));
      }
    }
  });

  test.each([
    [new Response("{}", { headers: { "content-type": "application/json" } }), { code: "protocol" }],
    [new Response("", { headers: { "content-type": "text/event-streaming" } }), { code: "protocol" }],
    [new Response(null, { headers: { "content-type": "text/event-stream" } }), { code: "protocol" }],
    [new Response("no", { status: 404 }), { code: "http", status: 404 }],
  ])("that is not a stream of patches is an error, without a retry", async (response, error) => {
    await expect(collect(fromEventStream(response, { resume: "/again" }))).rejects.toMatchObject(error);
  });

  test.each(["{}", "1", "[1", "", "event: done\ndata: []", "event: error\ndata: null"])(
    "with the invalid event %j is an error",
    async (data) => {
      const text = `${data.startsWith("event") ? data : `data: ${data}`}\n\n`;
      const read = collect(fromEventStream(responseOf([new TextEncoder().encode(text)])));
      await expect(read).rejects.toMatchObject({ code: "protocol" });
    },
  );

  test.each(["Text/Event-Stream", "text/event-stream ;charset=utf-8"])(
    "may have the type %s",
    async (type) => {
      const { body } = responseOf([await bytesOf()]);
      expect(
        await collect(fromEventStream(new Response(body, { headers: { "content-type": type } }))),
      ).toEqual(patches);
    },
  );

  test("may have unknown events", async () => {
    const text = 'event: later\ndata: ?\n\ndata: []\n\nevent: done\ndata: {"reason":"complete"}\n\n';
    expect(await collect(fromEventStream(responseOf([new TextEncoder().encode(text)])))).toEqual([[]]);
  });

  test("has a limit for the size of an event", async () => {
    const [piece] = [new TextEncoder().encode(`data: ${"x".repeat(50)}`)];
    const read = collect(fromEventStream(responseOf([piece]), { maxBuffer: 50 }));
    await expect(read).rejects.toMatchObject({ code: "protocol" });
  });

  test("with an error event ends with its code, without a retry", async () => {
    const events: ClientEvent[] = [];
    const response = toEventStream(undefined, { log: memoryLog(), id: "x" });
    const read = collect(fromEventStream(response, { resume: "/x", onEvent: (event) => events.push(event) }));
    await expect(read).rejects.toMatchObject({ code: "run", reason: "unknown_run" });
    expect(events.map(({ type }) => type)).toEqual(["open", "error"]);
  });

  test("is closed when its consumer leaves or aborts, even during a pull", async () => {
    const closed: string[] = [];
    const silent = (name: string): Response =>
      new Response(new ReadableStream({ cancel: () => void closed.push(name) }), {
        headers: { "content-type": "text/event-stream" },
      });
    const iterator = fromEventStream(silent("left"))[Symbol.asyncIterator]();
    const next = iterator.next();
    await turn();
    await iterator.return!();
    expect([await next, closed]).toEqual([{ done: true, value: undefined }, ["left"]]);

    const controller = new AbortController();
    const read = collect(fromEventStream(silent("aborted"), { signal: controller.signal }));
    await turn();
    controller.abort(new Error("enough"));
    await expect(read).rejects.toBe(controller.signal.reason);
    expect(closed).toEqual(["left", "aborted"]);

    const { signal } = controller;
    await expect(collect(fromEventStream(silent("late"), { signal }))).rejects.toBe(signal.reason);
    const onEvent = (): void => {
      throw new Error("of the page");
    };
    await expect(collect(fromEventStream(silent("failed"), { onEvent }))).rejects.toThrow("of the page");
    await turn();
    expect(closed).toEqual(["left", "aborted", "late", "failed"]);

    await fromEventStream(silent("unread"))[Symbol.asyncIterator]().return!();
    expect(closed.at(-1)).toBe("unread");
  });
});

describe("a lost connection", () => {
  // G-wire-9
  test("is opened again until the value is complete, for any cut", async () => {
    const log = memoryLog();
    await toEventStream(from(patches), { log, id: "run" }).text();
    const seen = async (cuts: number): Promise<number> => {
      const ids: (string | null)[] = [];
      const fetch = async (_: string | URL, init: RequestInit): Promise<Response> => {
        const lastEventId = new Headers(init.headers).get("last-event-id");
        ids.push(lastEventId);
        const response = toEventStream(undefined, { log, id: "run", lastEventId });
        if (ids.length > cuts) return response;
        const bytes = new Uint8Array(await response.arrayBuffer());
        return responseOf(
          [bytes.slice(0, Math.floor((bytes.length * ids.length) / (cuts + 1)))],
          ids.length % 2 === 0,
        );
      };
      const got = await collect(fromEventStream("/runs/run", { ...noWait, fetch, maxRetries: 1_000 }));
      expect(valueOf(got)).toEqual(document);
      return ids.length;
    };
    for (let cuts = 0; cuts <= 10; cuts++) expect(await seen(cuts)).toBe(cuts + 1);
  });

  // G-wire-9
  test("is resumed at ten positions of a running response: every patch arrives exactly once", async () => {
    const log = memoryLog();
    const { readable, writable } = new TransformStream<JsonPatch, JsonPatch>();
    const writer = writable.getWriter();
    void toEventStream(from(readable), { log, id: "run" }).body!.cancel();
    let cut = (): void => {};
    let connections = 0;
    const fetch = async (_: string | URL, init: RequestInit): Promise<Response> => {
      connections++;
      const lastEventId = new Headers(init.headers).get("last-event-id");
      const controller = new AbortController();
      cut = () => {
        controller.abort(new TypeError("terminated"));
      };
      return toEventStream(undefined, { log, id: "run", lastEventId, signal: controller.signal });
    };
    const got = collect(fromEventStream("/run", { ...noWait, fetch }));
    for (const [index, patch] of patches.entries()) {
      await writer.write(patch);
      await turn();
      if (index < 10) {
        cut();
        await turn();
        await turn();
      }
    }
    await writer.close();
    expect(await got).toEqual(patches);
    expect(connections).toBe(11);
  });

  test("fails after maxRetries attempts in a row, with growing delays", async () => {
    const waits: number[] = [];
    const fetch = async (): Promise<Response> => {
      throw new TypeError("refused");
    };
    const onEvent = (event: ClientEvent): void => {
      if (event.type === "retry") waits.push(event.delay);
    };
    const read = collect(fromEventStream("/run", { ...noWait, fetch, onEvent, maxRetries: 6 }));
    await expect(read).rejects.toMatchObject({ code: "cut", cause: new TypeError("refused") });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  });

  test("does not wait for another attempt if onEvent aborts it", async () => {
    const controller = new AbortController();
    const clock = { ...systemClock, setTimeout: () => expect.fail("a timer was set") };
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("refused"));
    const onEvent = ({ type }: ClientEvent): void => {
      if (type === "retry") controller.abort(new Error("enough"));
    };
    const read = collect(
      fromEventStream("/run", {
        clock,
        fetch,
        onEvent,
        signal: controller.signal,
        timeouts: { idle: Infinity },
      }),
    );
    await expect(read).rejects.toThrow("enough");
  });

  test.each([
    [503, 3],
    [429, 3],
    [404, 1],
    [401, 1],
  ])("with status %i leads to %i requests", async (status, times) => {
    let asked = 0;
    const fetch = async (): Promise<Response> => {
      asked++;
      return new Response(null, { status });
    };
    const read = collect(fromEventStream("/run", { ...noWait, fetch, maxRetries: 2 }));
    await expect(read).rejects.toMatchObject({ code: "http", status });
    expect(asked).toBe(times);
  });

  const silence = responseOf([]).headers;
  test.each<[string, (signal: AbortSignal) => Promise<Response>]>([
    ["its silence", async () => new Response(new ReadableStream(), { headers: silence })],
    ["the absence of headers, if fetch ignores the signal", () => new Promise(() => {})],
    [
      "the absence of headers",
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    ],
  ])("is detected by %s", async (_, first) => {
    const clock = manualClock();
    const bytes = await bytesOf();
    let asked = 0;
    const fetch = async (_: string | URL, { signal }: RequestInit): Promise<Response> =>
      ++asked === 1 ? first(signal!) : responseOf([bytes]);
    const read = collect(fromEventStream("/run", { fetch, clock, timeouts: { idle: 100 }, random: () => 0 }));
    await turn();
    clock.advance(99);
    await turn();
    expect([asked, clock.timers]).toEqual([1, 1]);
    clock.advance(1);
    await turn();
    clock.advance(500);
    expect(valueOf(await read)).toEqual(document);
    expect([asked, clock.timers]).toEqual([2, 0]);
  });

  test.each(["1-€", "a\0", "x".repeat(100_000)])(
    "after an id that cannot be a header is read again from its start",
    async (id) => {
      const sent: unknown[] = [];
      const bytes = await bytesOf();
      const fetch = async (_: string | URL, { headers }: RequestInit): Promise<Response> => {
        sent.push(new Headers(headers).get("last-event-id"));
        const first = `id: ${id}\ndata: ${JSON.stringify(patches[0])}\n\n`;
        return responseOf([sent.length === 1 ? new TextEncoder().encode(first) : bytes]);
      };
      expect(valueOf(await collect(fromEventStream("/run", { ...noWait, fetch })))).toEqual(document);
      expect(sent).toEqual([null, null]);
    },
  );

  test("is not opened again when the consumer leaves", async () => {
    const clock = manualClock();
    const fetch = async (): Promise<Response> => new Response(null, { status: 503 });
    const iterator = fromEventStream("/run", { fetch, clock })[Symbol.asyncIterator]();
    const next = iterator.next();
    await turn();
    expect(clock.timers).toBe(1);
    await iterator.return!();
    expect([(await next).done, clock.timers]).toEqual([true, 0]);
  });

  // A timer would keep the process alive.
  test.each(["leaving the loop", "aborting the signal"])(
    "ends with %s, if fetch ignores its signal",
    async (how) => {
      const clock = manualClock();
      const controller = new AbortController();
      let answer: (response: Response) => void = () => {};
      const fetch = (): Promise<Response> =>
        new Promise((resolve) => {
          answer = resolve;
        });
      const iterator = fromEventStream("/run", { fetch, clock, signal: controller.signal })[
        Symbol.asyncIterator
      ]();
      const next = iterator.next();
      await turn();
      if (how === "aborting the signal") {
        controller.abort(new Error("enough"));
        await expect(next).rejects.toThrow("enough");
      } else {
        await iterator.return!();
        expect((await next).done).toBe(true);
      }
      expect(clock.timers).toBe(0);
      let cancelled = false;
      answer(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
      await turn();
      expect(cancelled).toBe(true);
    },
  );

  test("is not confused with an error of a callback", async () => {
    const own = new Error("mine");
    const onEvent = (): void => {
      throw own;
    };
    const read = collect(fromEventStream(responseOf([await bytesOf()]), { onEvent, resume: "/x" }));
    await expect(read).rejects.toBe(own);
  });

  test("is opened with the headers of the options", async () => {
    const asked: unknown[] = [];
    const fetch = async (url: string | URL, { headers }: RequestInit): Promise<Response> => {
      asked.push(url, headers);
      return responseOf([await bytesOf()]);
    };
    await collect(fromEventStream(new URL("http://a/b"), { fetch, headers: { authorization: "x" } }));
    const accept = "text/event-stream;compact=1, text/event-stream";
    expect(asked).toEqual([new URL("http://a/b"), { accept, authorization: "x" }]);
  });
});

describe("a URL with a user", () => {
  const password = "p4ssw0rd";
  test.each([
    `http://me:${password}@localhost/run`,
    `//me:${password}@localhost/run`,
    `http://${password}@localhost`,
  ])("%s is refused before a request, and the error does not show it", async (address) => {
    let requests = 0;
    const fetch = (): Promise<Response> => {
      requests++;
      return Promise.resolve(new Response());
    };
    const error: unknown = await collect(fromEventStream(address, { fetch })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain(password);
    expect(requests).toBe(0);
  });

  test.each(["/run?by=//a@b", "http://localhost/@me", "run@home", "http://localhost?q=a@b"])(
    "%s has none",
    async (address) => {
      const asked: unknown[] = [];
      const fetch = async (url: string | URL): Promise<Response> => {
        asked.push(url);
        return responseOf([await bytesOf(patches.slice(0, 1))]);
      };
      await collect(fromEventStream(address, { fetch })).catch(() => {});
      expect(asked[0]).toBe(address);
    },
  );
});

test.each(["1", '{"toString":0}', "[".repeat(50_000) + "]".repeat(50_000)])(
  "an error event whose fields are no texts is an error of the run",
  async (field) => {
    const bytes = new TextEncoder().encode(`event: error\ndata: {"code":${field},"message":${field}}\n\n`);
    await expect(collect(fromEventStream(responseOf([bytes])))).rejects.toMatchObject({
      code: "run",
      reason: "",
    });
  },
);
