import { collect, type JsonPatch } from "millrace";
import { createPatchStore, fromEventStream } from "millrace/client";
import { describe, expect, test } from "vitest";
import { manualClock } from "millrace/testing";
import { bytesOf, patches, responseOf, turn } from "./support.js";

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

describe("a refused request", () => {
  test.each([
    [
      401,
      { code: "no_session", message: "Your session has ended." },
      "no_session",
      "Your session has ended.",
    ],
    [402, { error: { code: "no_credit", message: "Add a card first." } }, "no_credit", "Add a card first."],
    [429, { error: "Three a day are enough." }, undefined, "Three a day are enough."],
    [500, { code: 7, message: [] }, undefined, /./],
    [403, "no object", undefined, /./],
    [400, { code: "empty", message: "" }, "empty", /./],
    [409, null, undefined, /./],
  ])("with status %i has the code and the message of its body", async (status, body, reason, message) => {
    const store = createPatchStore();
    const asked: unknown[] = [];
    const fetch = async (url: unknown): Promise<Response> => {
      asked.push(url);
      return json(404, {});
    };
    await store.connect(json(status, body), { resume: "/runs/1", fetch });
    expect(store.error).toMatchObject({
      name: "ClientError",
      code: "http",
      status,
      ...(reason !== undefined && { reason }),
    });
    expect((store.error as Error).message).toMatch(message);
    expect(asked).toEqual([]); // it began no run to reconnect to
  });

  test("without a readable body has words of its own for each status", async () => {
    const messages = new Set<string>();
    for (const status of [400, 401, 402, 403, 404, 429, 500]) {
      const error: unknown = await collect(fromEventStream(new Response("<h1>no</h1>", { status }))).catch(
        (failure: unknown) => failure,
      );
      expect(error).toMatchObject({ code: "http", status });
      messages.add((error as Error).message);
    }
    expect(messages.size).toBe(7);
  });

  test("with a body that is endless or never ends is an error all the same", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(1000))),
    });
    await expect(collect(fromEventStream(new Response(endless, { status: 401 })))).rejects.toMatchObject({
      status: 401,
    });
    const clock = manualClock();
    const silent = new Response(new ReadableStream(), { status: 402 });
    const reading = collect(fromEventStream(silent, { clock }));
    reading.catch(() => {});
    await turn();
    clock.advance(3_000);
    await expect(reading).rejects.toMatchObject({ status: 402 });
  });

  test("after the run began is tried again", async () => {
    const whole = await bytesOf();
    const answers = [json(503, {}), responseOf([whole])];
    const fetch = async (): Promise<Response> => answers.shift() as Response;
    const clock = manualClock();
    const reading = collect(
      fromEventStream(responseOf([whole.slice(0, 20)]), { resume: "/run", fetch, clock, random: () => 0 }),
    );
    for (let i = 0; i < 4; i++) {
      await turn();
      clock.advance(10_000);
    }
    expect((await reading).length).toBeGreaterThan(1);
  });
});

describe("the value of the run before", () => {
  const before: JsonPatch = [{ op: "replace", path: "", value: { title: "Old" } }];
  const filled = (): ReturnType<typeof createPatchStore> => {
    const store = createPatchStore({ schedule: (show) => show() });
    store.apply(before);
    return store;
  };
  async function* silent(): AsyncGenerator<JsonPatch> {
    yield await new Promise<JsonPatch>(() => {});
  }

  test("disappears when another begins", () => {
    const store = filled();
    void store.connect(silent());
    expect(store.getState()).toEqual({ value: undefined, status: "connecting", error: undefined });
    expect(store.isComplete("/title")).toBe(false);
  });

  test("stays until the first patch with keepValue", () => {
    const store = filled();
    void store.connect(silent(), { keepValue: true });
    expect(store.getState()).toEqual({ value: { title: "Old" }, status: "connecting", error: undefined });
  });

  test("disappears with reset(), which disconnects", () => {
    const store = filled();
    void store.connect(silent());
    store.reset();
    expect(store.getState()).toEqual({ value: undefined, status: "idle", error: undefined });
    store.stop();
    expect(store.status).toBe("idle");
  });
});

describe("what is no response", () => {
  const type = { headers: new Headers({ "content-type": "text/event-stream" }) };
  const used = responseOf([]);
  void used.text();
  test.each<[what: string, answer: unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a text", "<html>"],
    ["an object", {}],
    ["an object with a status", { ok: false, status: 500 }],
    ["a body that is a text", { ok: true, status: 200, ...type, body: "data: []" }],
    ["no body", { ok: true, status: 200, ...type }],
    ["a refusal with a body that is a text", { ok: false, status: 500, ...type, body: "data: []" }],
    ["a response that was read", used],
  ])("ends with a ClientError: %s", async (_, answer) => {
    const fetch = async (): Promise<Response> => answer as Response;
    await expect(collect(fromEventStream("/run", { fetch }))).rejects.toMatchObject({
      name: "ClientError",
      code: "protocol",
    });
    const store = createPatchStore();
    await store.connect("/run", { fetch });
    expect(store.error).toMatchObject({ name: "ClientError", code: "protocol" });
  });

  test("is a body of texts, which counts as lost", async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue("data: []\n\n");
        controller.close();
      },
    });
    await expect(
      collect(fromEventStream({ ok: true, status: 200, ...type, body } as Response)),
    ).rejects.toMatchObject({ name: "ClientError", code: "cut" });
  });

  test("is what a fetch that returns no promise returns, or throws", async () => {
    const clock = manualClock();
    const unreachable = async (fetch: () => unknown): Promise<unknown> =>
      collect(fromEventStream("/run", { clock, maxRetries: 0, fetch: fetch as never })).catch(
        (error: unknown) => error,
      );
    expect(await unreachable(() => undefined)).toMatchObject({ name: "ClientError", code: "protocol" });
    const thrown = new Error("no network");
    const throws = (): never => {
      throw thrown;
    };
    expect(await unreachable(throws)).toMatchObject({ name: "ClientError", code: "cut", cause: thrown });
    clock.advance(24_000); // the time for an answer, which was given up
    const whole = await bytesOf();
    expect(await unreachable(() => responseOf([whole]))).toHaveLength(patches.length);
  });
});
