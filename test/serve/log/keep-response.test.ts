import { from } from "millrace";
import { keepResponse, memoryLog, resumeResponse, type StreamLog } from "millrace/serve";
import { everyCut, manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { deferred } from "../../models/support/deferred.js";

const text = "data: Grün 🍵\n\n";
const bytes = new TextEncoder().encode(text);

/** A response whose body arrives in these pieces, each after `go()`. */
function paced(pieces: readonly Uint8Array<ArrayBuffer>[], headers?: Record<string, string>) {
  const left = [...pieces];
  let wake = deferred();
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        await wake.promise;
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
        wake = deferred();
      },
      cancel(reason) {
        cancelled = reason ?? true;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    response: new Response(body, { headers: headers ?? {} }),
    go: () => {
      wake.resolve();
    },
    get cancelled() {
      return cancelled;
    },
  };
}

async function readBytes(response: Response | undefined): Promise<Uint8Array> {
  return new Uint8Array(await (response as Response).arrayBuffer());
}

async function kept(
  log: StreamLog,
  chunks: readonly Uint8Array<ArrayBuffer>[],
  id = "run",
): Promise<Response> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return keepResponse(new Response(body), { log, id });
}

describe("keepResponse()", () => {
  test("passes the bytes on, and they can be read again, for each partition of the body", async () => {
    let runs = 0;
    for (const chunks of everyCut(bytes)) {
      const log = memoryLog({ window: 1 + (runs++ % 3) });
      expect(await readBytes(await kept(log, chunks))).toEqual(bytes);
      expect(await readBytes(await resumeResponse({ log, id: "run" }))).toEqual(bytes);
    }
    const every = Uint8Array.from({ length: 20_000 }, (_, i) => i);
    const log = memoryLog();
    expect(await readBytes(await kept(log, [every]))).toEqual(every);
    expect(await readBytes(await resumeResponse({ log, id: "run" }))).toEqual(every);
  });

  test("goes on when its reader leaves, and gives another one all bytes from the start", async () => {
    const pieces = Array.from(bytes, (_, i) => bytes.slice(i, i + 1));
    for (const at of [0, 1, 7, bytes.length]) {
      const log = memoryLog({ window: 2 });
      const source = paced(pieces);
      let run: Promise<void> | undefined;
      const waitUntil = (it: Promise<void>): void => {
        run = it;
      };
      const reader = (await keepResponse(source.response, { log, id: "run", waitUntil })).body!.getReader();
      let read = 0;
      const first = reader.read();
      source.go();
      await first;
      for (; read < at; read++) {
        const next = reader.read();
        source.go();
        await next;
      }
      await reader.cancel();
      expect(source.cancelled).toBeUndefined();
      const resumed = readBytes(await resumeResponse({ log, id: "run" }));
      let over = false;
      void run?.then(() => (over = true));
      while (!over) {
        source.go();
        await new Promise(setImmediate);
      }
      expect(await resumed).toEqual(bytes);
    }
  });

  test("keeps status and headers, but no cookies", async () => {
    const log = memoryLog();
    const headers = { "x-test": "1", "content-type": "text/event-stream", "set-cookie": "a=1" };
    const one = await keepResponse(new Response("x", { status: 201, headers }), { log, id: "run" });
    const again = await resumeResponse({ log, id: "run" });
    for (const response of [one, again]) {
      expect(response?.status).toBe(201);
      expect(Object.fromEntries(response!.headers)).toEqual({
        "x-test": "1",
        "content-type": "text/event-stream",
      });
    }
  });

  test("returns a refusal and a response without a body unchanged, and keeps nothing", async () => {
    const log = memoryLog();
    for (const response of [new Response("no", { status: 400 }), new Response(null, { status: 204 })]) {
      expect(await keepResponse(response, { log, id: "run" })).toBe(response);
    }
    expect(await log.status("run")).toBe("unknown");
  });

  test("is rejected for an id that is taken, and cancels the second body", async () => {
    const log = memoryLog();
    const first = paced([bytes]);
    const second = paced([bytes]);
    await keepResponse(first.response, { log, id: "run" });
    await expect(keepResponse(second.response, { log, id: "run" })).rejects.toMatchObject({
      code: "id_taken",
    });
    expect([first.cancelled, second.cancelled !== undefined]).toEqual([undefined, true]);
  });

  test("closes its source when the run is stopped, and its readers end", async () => {
    const log = memoryLog();
    const source = paced([bytes, bytes]);
    const response = await keepResponse(source.response, { log, id: "run" });
    const reading = readBytes(response);
    source.go();
    await expect.poll(async () => (await resumeResponse({ log, id: "run" }))?.status).toBe(200);
    expect(await log.stop("run")).toBe(true);
    expect(await reading).toEqual(bytes);
    await expect.poll(() => source.cancelled).toBeDefined();
    expect(await log.status("run")).toBe("stopped");
  });

  test("cuts the body for all readers when its source fails, without details", async () => {
    const log = memoryLog();
    const failing = new ReadableStream({
      pull(controller) {
        controller.error(new Error("secret"));
      },
    });
    const errors: unknown[] = [];
    const onError = (error: unknown): undefined => void errors.push(error);
    const response = await keepResponse(new Response(failing), { log, id: "run", onError });
    await expect(response.text()).rejects.toMatchObject({ code: "run_failed" });
    expect(errors).toEqual([expect.objectContaining({ message: "secret" })]);
    expect(await log.status("run")).toBe("failed");
  });
});

describe("resumeResponse()", () => {
  test("is undefined for an unknown run and an expired one", async () => {
    const clock = manualClock();
    const log = memoryLog({ ttl: 100, clock });
    expect(await resumeResponse({ log, id: "run" })).toBeUndefined();
    await (await kept(log, [bytes])).text();
    expect(await resumeResponse({ log, id: "run" })).toBeDefined();
    clock.advance(100);
    expect(await resumeResponse({ log, id: "run" })).toBeUndefined();
  });

  test("is undefined for a run that expires after its status was read", async () => {
    const log = memoryLog();
    await (await kept(log, [bytes])).text();
    const status: StreamLog["status"] = async (id) => {
      const found = await log.status(id);
      await log.expire(id);
      return found;
    };
    expect(await resumeResponse({ log: { ...log, status }, id: "run" })).toBeUndefined();
  });

  test("with activeOnly is undefined after the end of the run", async () => {
    const log = memoryLog();
    const source = paced([bytes]);
    const response = await keepResponse(source.response, { log, id: "run" });
    const reading = response.text();
    source.go();
    await expect.poll(async () => log.status("run")).toBe("active");
    expect(await resumeResponse({ log, id: "run", activeOnly: true })).toBeDefined();
    await expect
      .poll(async () => {
        source.go();
        return log.status("run");
      })
      .toBe("complete");
    await reading;
    expect(await resumeResponse({ log, id: "run", activeOnly: true })).toBeUndefined();
  });

  test("refuses a run that is no response", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: { title: "Tea" } }]);
    await expect(resumeResponse({ log, id: "run" })).rejects.toThrow(TypeError);
  });

  test("keeps a long body in small pieces, beyond the window of the log", async () => {
    const log = memoryLog({ window: 100 });
    const piece = new TextEncoder().encode("data: x\n\n");
    const many = from(Array.from({ length: 3_000 }, () => piece));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async start(controller) {
        for await (const each of many) controller.enqueue(each);
        controller.close();
      },
    });
    await (await keepResponse(new Response(body), { log, id: "run" })).text();
    expect((await readBytes(await resumeResponse({ log, id: "run" }))).length).toBe(3_000 * piece.length);
  });

  // G-wire-15
  test("readers that do not read hold no copy of a long body", async () => {
    const log = memoryLog();
    await (await keepResponse(new Response("x".repeat(4_000_000)), { log, id: "run" })).text();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 20; i++) {
      const reader = (await resumeResponse({ log, id: "run" }))?.body?.getReader();
      expect((await reader?.read())?.value?.length).toBe(65_536);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
  });
});
