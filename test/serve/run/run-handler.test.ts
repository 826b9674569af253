import { type JsonPatch, streamObject } from "millrace";
import { createObjectStore } from "millrace/client";
import { memoryLog, RequestError, runHandler, toEventStream } from "millrace/serve";
import { manualClock, scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const schema = z.object({ title: z.string() });
const url = "http://localhost/recipe?run=1";

const request = (method: string, more: RequestInit = {}, target = url): Request =>
  new Request(target, { method, ...more });
const post = (body: unknown, target = url): Request =>
  request("POST", { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }, target);

describe("a handler of runs", () => {
  test("serves an object store: it starts, resumes and stops runs", async () => {
    const log = memoryLog();
    let left = 0;
    let text: ReadableStreamDefaultController<string> | undefined;
    const inputs: unknown[] = [];
    const handle = runHandler(
      (input, run) => {
        inputs.push(input);
        const stream = new ReadableStream<string>({
          start: (controller) => {
            text = controller;
          },
          cancel: () => {
            left++;
          },
        });
        return streamObject({ model: scriptedModel(() => stream), schema, prompt: "" }).toResponse(run);
      },
      { log },
    );
    const methods: string[] = [];
    const store = createObjectStore({
      api: "http://localhost/recipe",
      schema,
      fetch: async (target, init) => {
        methods.push(init.method ?? "GET");
        const response = await handle(new Request(target, init));
        if (methods.length > 1) return response;
        text?.enqueue('{"title": "Te');
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
        const [piece] = [await response.body?.getReader().read()];
        return new Response(piece?.value ?? "", response); // the connection is cut
      },
      clock: {
        now: () => 0,
        setTimeout: (callback) => setTimeout(callback),
        clearTimeout: (handle) => {
          clearTimeout(handle as number);
        },
      },
      timeouts: { idle: Infinity },
    });
    store.subscribe(() => {});
    store.submit({ dish: "tea" });
    await expect.poll(() => store.getState().object, { interval: 1 }).toEqual({ title: "Te" });
    expect([inputs, methods]).toEqual([[{ dish: "tea" }], ["POST", "GET"]]);
    store.stop();
    await expect.poll(() => left, { interval: 1 }).toBe(1);
    expect(methods).toEqual(["POST", "GET", "DELETE"]);
  });

  // A page that was reloaded has forgotten that its POST is not answered.
  test("reads and stops a run that is just being started", async () => {
    let start = (): void => {};
    const isReady = new Promise<void>((resolve) => {
      start = resolve;
    });
    const handle = runHandler(
      async (_input, run) => {
        await isReady;
        const model = scriptedModel(() => new ReadableStream<string>());
        return streamObject({ model, schema, prompt: "" }).toResponse(run);
      },
      { log: memoryLog() },
    );
    const answers = [post("tea"), request("GET"), request("DELETE")].map((it) => handle(it));
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    start();
    const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
    const stopped = ':\n\nevent: done\ndata: {"reason":"stopped"}\n\n';
    expect(texts).toEqual([stopped, stopped, '{"stopped":true}']);
  });

  test("does not start a run whose DELETE arrived first, but one with the same id after that", async () => {
    const log = memoryLog();
    let starts = 0;
    const handle = runHandler(
      (_input, run) => {
        starts++;
        return streamObject({ model: scriptedModel(['{"title": "Tea"}']), schema, prompt: "" }).toResponse(
          run,
        );
      },
      { log },
    );
    expect(await (await handle(request("DELETE"))).json()).toEqual({ stopped: false });
    const texts = [await (await handle(post("tea"))).text()];
    expect([starts, await log.status("1")]).toEqual([0, "unknown"]);
    texts.push(await (await handle(post("tea"))).text());
    expect(texts.map((text) => /"reason":"(.*)"/.exec(text)?.[1])).toEqual(["stopped", "complete"]);
    expect((await handle(post("tea", "http://localhost/recipe?run=2"))).status).toBe(200);
    expect(starts).toBe(2);
  });

  test("a DELETE of a run that has ended leaves its id as it is", async () => {
    const clock = manualClock();
    const handle = runHandler(
      (_input, run) =>
        streamObject({ model: scriptedModel(['{"title": "Tea"}']), schema, prompt: "" }).toResponse(run),
      { log: memoryLog({ clock }) },
    );
    await (await handle(post("tea"))).text();
    await handle(request("DELETE"));
    clock.advance(300_000); // the log has forgotten the run
    expect(await (await handle(post("tea"))).text()).toContain("complete");
  });

  test("waits for each POST of a run, also if a second one is refused meanwhile", async () => {
    let start = (): void => {};
    const isReady = new Promise<void>((resolve) => {
      start = resolve;
    });
    const handle = runHandler(
      async (input, run) => {
        if (input === "again") throw new RequestError("invalid_input", "Once is enough.");
        await isReady;
        return streamObject({ model: scriptedModel(['{"title": "Tea"}']), schema, prompt: "" }).toResponse(
          run,
        );
      },
      { log: memoryLog() },
    );
    const first = handle(post("tea"));
    expect((await handle(post("again"))).status).toBe(400);
    const reading = handle(request("GET")).then((response) => response.text());
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    start();
    await (await first).text();
    expect(await reading).toContain('{"title":"Tea"}');
  });

  test("refuses other methods, inputs that start refuses, bodies that are no JSON, and ids that are missing or long", async () => {
    const errors: unknown[] = [];
    const handle = runHandler(
      (input) => {
        if (input === "unknown dish") throw new RequestError("invalid_input", "Choose another dish.");
        throw new Error("secret");
      },
      { log: memoryLog(), onError: (error) => errors.push(error) },
    );
    const statusOf = async (asked: Request): Promise<readonly [number, unknown]> => {
      const response = await handle(asked);
      return [response.status, ((await response.json()) as { code?: unknown }).code];
    };
    expect(await statusOf(request("PUT"))).toEqual([405, "method_not_allowed"]);
    expect((await handle(request("PUT"))).headers.get("allow")).toBe("GET, POST, DELETE");
    expect(await statusOf(post("unknown dish"))).toEqual([400, "invalid_input"]);
    expect(await statusOf(post("tea"))).toEqual([500, "failed"]);
    expect(errors).toEqual([new Error("secret")]);
    expect(await statusOf(request("POST", { body: "tea" }))).toEqual([415, "unsupported_media_type"]);
    for (const target of [
      "http://localhost/",
      "http://localhost/?run=",
      `http://localhost/?run=${"x".repeat(201)}`,
    ]) {
      expect(await statusOf(request("GET", {}, target))).toEqual([400, "invalid_request"]);
      expect(await statusOf(request("DELETE", {}, target))).toEqual([400, "invalid_request"]);
      expect(await statusOf(post("tea", target))).toEqual([400, "invalid_request"]);
    }
    const foreign = { headers: { origin: "https://evil.example" } };
    expect(await statusOf(request("GET", foreign))).toEqual([403, "forbidden_origin"]);
    expect(await statusOf(request("DELETE", foreign))).toEqual([403, "forbidden_origin"]);
  });

  test("allows a page of another origin to stop its run", async () => {
    const origin = "https://app.example";
    const handle = runHandler(() => new Response(), { log: memoryLog(), origins: [origin] });
    const preflight = await handle(request("OPTIONS", { headers: { origin } }));
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE");
    const stopped = await handle(request("DELETE", { headers: { origin } }));
    expect(stopped.headers.get("access-control-allow-origin")).toBe(origin);
    expect(await stopped.json()).toEqual({ stopped: false });
  });

  test("reports the error of a run to onError, and passes the second argument on", async () => {
    const errors: unknown[] = [];
    const handle = runHandler(
      (_input, run, _request, info: { readonly user: string }) => {
        const patches = new ReadableStream<JsonPatch>({
          start: (controller) => controller.error(new Error(info.user)),
        });
        return toEventStream(patches as unknown as AsyncIterable<JsonPatch>, run);
      },
      { log: memoryLog(), onError: (error) => errors.push(error) },
    );
    const text = await (await handle(post("tea"), { user: "ada" })).text();
    expect(text).toContain("run_failed");
    expect(errors).toEqual([new Error("ada")]);
  });

  // An unhandled rejection fails the run of vitest.
  test("answers if onError rejects", async () => {
    const onError = (() => Promise.reject(new Error("The database is away."))) as () => void;
    const failing = new ReadableStream<JsonPatch>({
      start: (controller) => controller.error(new Error("x")),
    });
    const handle = runHandler(
      (input, run) => {
        if (input === "none") throw new Error("x");
        return toEventStream(failing as unknown as AsyncIterable<JsonPatch>, run);
      },
      { log: memoryLog(), onError },
    );
    expect((await handle(post("none"))).status).toBe(500);
    expect(await (await handle(post("tea"))).text()).toContain("run_failed");
  });
});
