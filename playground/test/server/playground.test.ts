import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { recipeText } from "../../src/recipe.js";
import { Playground, type PlaygroundOptions } from "../../src/server/playground.js";
import type {
  Begun,
  Chunking,
  Control,
  Refusal,
  RunRequest,
  PlaygroundSetup,
  Source,
  Trace,
} from "../../src/protocol.js";
import { last, pipe, scan, systemClock } from "millrace";
import { applyPatch } from "millrace/json";
import { fromEventStream } from "millrace/client";
import { eventStream, serve } from "../../../scripts/model-server.js";

const origin = "http://127.0.0.1:4100";
const asItComes = { playing: true, interval: 0 };
const paused = { playing: false, interval: 0 };
const errors: unknown[] = [];

let playground: Playground;
beforeEach(() => {
  errors.length = 0;
  for (const name of ["OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"]) vi.stubEnv(name, undefined);
  vi.stubEnv("ANTHROPIC_API_KEY", "sk-secret-of-the-server");
  playground = create();
});
afterEach(() => playground.close());

function create(options: Partial<PlaygroundOptions> = {}): Playground {
  return new Playground({
    files: (path) => (path === "/" ? new Response("the page") : undefined),
    recordings: new Map([["openai/hello", openAIRecording]]),
    hosts: new Set(["127.0.0.1:4100", "localhost:4100"]),
    onError: (error) => errors.push(error),
    clock: systemClock,
    ...options,
  });
}

const delta = (content: string, finish_reason?: string): string =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] });
const openAIRecording = [delta('{"hel'), delta('lo": true}', "stop")].join("\n");

function get(path: string, headers: Record<string, string> = {}, base = origin): Promise<Response> {
  return playground.handle(new Request(base + path, { headers }));
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return playground.handle(
    new Request(origin + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

function text(it: string, chunking: Chunking = { by: "characters", size: 4 }): Source {
  return { kind: "text", text: it, chunking };
}

async function begin(request: Partial<RunRequest>): Promise<string> {
  const response = await post("/api/runs", { pace: asItComes, ...request });
  expect(response.status).toBe(201);
  return ((await response.json()) as Begun).id;
}

/** The last value of a part. */
async function final<T = unknown>(id: string, part: "document" | "trace" = "document"): Promise<T> {
  const patches = fromEventStream(await get(`/api/runs/${id}/${part}`));
  return (await last(
    pipe(
      patches,
      scan((value: unknown, patch) => applyPatch(value as never, patch), undefined),
    ),
  )) as T;
}

/** The trace of a run that is read to its end. */
async function traced(request: Partial<RunRequest>): Promise<Trace> {
  const id = await begin(request);
  await (await get(`/api/runs/${id}/document`)).text();
  return final<Trace>(id, "trace");
}

async function control(id: string, order: Control): Promise<void> {
  expect((await post(`/api/runs/${id}/control`, order)).status).toBe(200);
}

describe("requests", () => {
  const refused: readonly [what: string, ask: () => Promise<Response>, status: number, code: string][] = [
    [
      "another host name of this machine",
      () => get("/", {}, "http://rebound.example:4100"),
      403,
      "forbidden_origin",
    ],
    ["another port", () => get("/", {}, "http://127.0.0.1:4101"), 403, "forbidden_origin"],
    [
      "a page of another origin",
      () => get("/api/setup", { origin: "https://evil.example" }),
      403,
      "forbidden_origin",
    ],
    ["a page with the origin null", () => post("/api/runs", {}, { origin: "null" }), 403, "forbidden_origin"],
    [
      "an HTML form",
      () => post("/api/runs", "{}", { "content-type": "text/plain" }),
      415,
      "unsupported_media_type",
    ],
    ["a body that is not JSON", () => post("/api/runs", "{"), 400, "invalid_body"],
    [
      "a body that is not a request",
      () => post("/api/runs", { source: { kind: "text" } }),
      400,
      "invalid_input",
    ],
    ["an unknown path", () => get("/../../package.json"), 404, "not_found"],
    ["an unknown run", () => get("/api/runs/none/document"), 404, "not_found"],
    [
      "another method",
      async () => playground.handle(new Request(origin, { method: "PUT" })),
      404,
      "not_found",
    ],
  ];
  test.each(refused)("rejects %s", async (_, ask, status, code) => {
    const response = await ask();
    expect([response.status, ((await response.json()) as Refusal).code]).toEqual([status, code]);
    expect(errors).toEqual([]);
  });

  test("accepts its own page", async () => {
    expect(await (await get("/", { origin })).text()).toBe("the page");
    expect((await get("/", {}, "http://localhost:4100")).status).toBe(200);
  });

  test("limits the size of a body", async () => {
    playground = create({ maxBody: 1_000 });
    const response = await post("/api/runs", { source: text("x".repeat(1_000)), pace: asItComes });
    expect([response.status, ((await response.json()) as Refusal).code]).toEqual([413, "too_large"]);
  });
});

describe("a run", () => {
  test("ends with the document, and has statistics", async () => {
    const id = await begin({ source: text(`Here you are:\n${recipeText}`, { by: "tokens", seed: 3 }) });
    expect(await final(id)).toEqual(JSON.parse(recipeText));
    const trace = await final<Trace>(id, "trace");
    const point = trace.points.at(-1);
    expect(trace.end).toEqual({ kind: "complete" });
    expect(trace.text.replaceAll("\u001e", "")).toBe(`Here you are:\n${recipeText}`);
    expect(trace.text.split("\u001e")).toHaveLength((point?.chunks ?? 0) + 1);
    expect([point?.characters, trace.total]).toEqual([recipeText.length + 14, recipeText.length + 14]);
    expect(point?.append).toBeLessThan(point?.replace ?? 0);
    expect(point?.replace).toBeLessThan(point?.snapshot ?? 0);
  });

  test("waits for its first reader, which gets every event", async () => {
    const id = await begin({ source: text('{"a": [1, 2, 3], "b": "some text"}') });
    await setTimeout(50);
    const events = await (await get(`/api/runs/${id}/document`)).text();
    const ids = [...events.matchAll(/^id: (\d+)-/gm)].map(([, number]) => Number(number));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
    expect(ids.length).toBeGreaterThan(5);
  });

  test("stops at the character that violates the schema, and reports its place", async () => {
    const { end, points } = await traced({
      source: text('{"stars": 11, "more": "that is never read"}'),
      schema: '{"properties": {"stars": {"maximum": 5}}}',
    });
    expect(end).toMatchObject({ kind: "failed", code: "schema", issues: [{ pointer: "/stars" }] });
    expect(points.at(-1)?.characters).toBeLessThan(20);
  });

  test("reports each repair with its place; strict mode makes none", async () => {
    const source = text("{a: 1,}");
    const trace = await traced({ source });
    expect(trace.repairs).toMatchObject([
      { kind: "unquoted_key", offset: 1, near: expect.stringContaining("a") as string },
      { kind: "trailing_comma", offset: 6 },
    ]);
    const strict = await traced({ source, strict: true });
    expect(strict.end).toMatchObject({ kind: "failed", code: "invalid", offset: 1 });
    expect(strict.repairs).toEqual([]);
  });

  test("builds an interface from lines, and reports a repair and a line that it took back", async () => {
    const lines = [
      '{"op":"add","path":"/root","value":"a"}',
      '{"op":"add","path":"/elements/a","value":{"type":"Card","props":{"title":"Tea",},"children":["b"]}}',
      '{"op":"add","path":"/elements/b","value":{"type":"Card","props":{"title":"Two"}}}',
      '{"op":"add","path":"/elements/b","value":{"type":"Gauge"}}',
    ].join("\n");
    const Card = { type: "object", properties: { title: { type: "string" } }, additionalProperties: false };
    const request = { source: text(lines), format: "spec", schema: JSON.stringify({ Card }) } as const;
    const id = await begin(request);
    const a = { type: "Card", props: { title: "Tea" }, children: ["b"] };
    const b = { type: "Card", props: { title: "Two" } };
    expect(await final(id)).toEqual({ root: "a", elements: { a, b } });
    const trace = await final<Trace>(id, "trace");
    expect(trace.repairs.map(({ kind }) => kind)).toContain("trailing_comma");
    expect(trace.refused).toMatchObject([{ code: "schema", offset: lines.lastIndexOf('{"op') }]);
    expect(trace.points.at(-1)?.ahead).toBeGreaterThan(10);
    expect(trace.end).toEqual({ kind: "complete" });

    const strict = await traced({ ...request, strict: true });
    expect([strict.repairs, strict.refused.map(({ code }) => code)]).toEqual([[], ["invalid", "schema"]]);
    expect(await final(await begin({ source: text(lines), format: "spec" }))).toMatchObject({
      elements: { b: { type: "Gauge" } },
    });
  });

  test("plays a recording", async () => {
    const recorded = await begin({ source: { kind: "recording", name: "openai/hello" } });
    expect(await final(recorded)).toEqual({ hello: true });
    const own = await begin({ source: { kind: "lines", text: openAIRecording } });
    expect(await final(own)).toEqual({ hello: true });
  });

  test("pauses until the next step", async () => {
    const id = await begin({ source: text("[1, 2, 3, 4, 5, 6]"), pace: paused });
    const document = fromEventStream(await get(`/api/runs/${id}/document`))[Symbol.asyncIterator]();
    await control(id, { action: "step" });
    expect((await document.next()).value).toEqual([{ op: "replace", path: "", value: [1] }]);
    let gone = false;
    const next = document.next().then((result) => {
      gone = true;
      return result;
    });
    await setTimeout(60);
    expect(gone).toBe(false);
    await control(id, { action: "step" });
    expect((await next).value).toEqual([{ op: "add", path: "/1", value: 2 }]);
    await control(id, { action: "pace", ...asItComes });
    expect(await final(id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("continues when its connections are cut, and the readers reconnect", async () => {
    const id = await begin({ source: text(recipeText), pace: { playing: true, interval: 2 } });
    const kinds: string[] = [];
    let cut = false;
    const patches = fromEventStream(`/api/runs/${id}/document`, {
      fetch: (url, init) => playground.handle(new Request(origin + String(url), init)),
      random: () => 0,
      onEvent: ({ type }) => {
        if (type !== "patch") kinds.push(type);
      },
    });
    let value: unknown;
    for await (const patch of patches) {
      value = applyPatch(value as never, patch);
      if (!cut && JSON.stringify(value).length > 200) {
        cut = true;
        await control(id, { action: "cut" });
      }
    }
    expect(kinds).toEqual(["open", "retry", "open", "done"]);
    expect(value).toEqual(JSON.parse(recipeText));
  });

  test("can be stopped", async () => {
    const id = await begin({ source: text(recipeText), pace: { playing: true, interval: 1_000 } });
    const document = (await get(`/api/runs/${id}/document`)).text();
    const trace = final<Trace>(id, "trace");
    await control(id, { action: "stop" });
    expect(await document).toContain('event: done\ndata: {"reason":"stopped"}');
    expect((await trace).end).toEqual({ kind: "stopped" });
  });

  test("is stopped for a new run when there are too many", async () => {
    playground = create({ maxRuns: 1 });
    const first = await begin({ source: text("[1, 2]"), pace: paused });
    const document = (await get(`/api/runs/${first}/document`)).text();
    const second = await begin({ source: text("[3]") });
    expect(await document).toContain('"stopped"');
    expect((await get(`/api/runs/${first}/document`)).status).toBe(404);
    expect(await final(second)).toEqual([3]);
  });
});

describe("a run is rejected for", () => {
  const wrong: readonly [what: string, request: object, message: RegExp][] = [
    ["a schema that is not JSON", { source: text("1"), schema: "{" }, /schema/],
    ["a schema that is not an object", { source: text("1"), schema: "[]" }, /object/],
    ["a schema with an unresolved $ref", { source: text("1"), schema: '{"$ref": "#/none"}' }, /schema/],
    [
      "components without schemas",
      { source: text("1"), format: "spec", schema: '{"Card": 1}' },
      /must be an object/,
    ],
    [
      "components with an unresolved $ref",
      { source: text("1"), format: "spec", schema: '{"Card": {"$ref": "#/none"}}' },
      /schema/,
    ],
    ["an unknown format", { source: text("1"), format: "yaml" }, /format/],
    ["an unknown recording", { source: { kind: "recording", name: "../../etc" } }, /recording/],
    ["lines that are not a recording", { source: { kind: "lines", text: '{"x": 1}' } }, /payload/],
    ["an unknown provider", { source: { kind: "model", model: "acme:1", prompt: "Hi" } }, /"acme"/],
    [
      "a model without its key",
      { source: { kind: "model", model: "openai:gpt-6.1-terra", prompt: "Hi" } },
      /OPENAI_API_KEY/,
    ],
  ];
  test.each(wrong)("%s", async (_, request, message) => {
    const response = await post("/api/runs", { pace: asItComes, ...request });
    expect(response.status).toBe(400);
    expect(((await response.json()) as Refusal).message).toMatch(message);
    expect(errors).toEqual([]);
  });
});

test("calls a model with the server's environment, and closes the request when the run is stopped", async () => {
  const server = await serve((response) => {
    eventStream(response).write(`data: ${delta('{"name": "Ada", "more": "')}\n\n`); // without an end
  });
  try {
    vi.stubEnv("OPENAI_API_KEY", "the key");
    vi.stubEnv("OPENAI_BASE_URL", server.baseURL);
    const source: Source = { kind: "model", model: "openai:one", prompt: "Who was first?" };
    const id = await begin({ source });
    const document = await get(`/api/runs/${id}/document`);
    await expect.poll(() => server.requests.length).toBe(1);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer the key");
    expect(JSON.stringify(server.requests[0]?.body)).toContain("Who was first?");
    await control(id, { action: "stop" });
    expect(await document.text()).toContain('"stopped"');
    await expect.poll(server.left).toBe(1);
  } finally {
    await server.stop();
  }
});

test("asks a model for an interface of the components", async () => {
  const line = '{"op":"add","path":"/root","value":"a"}';
  const server = await serve((response) => {
    eventStream(response).end(`data: ${delta(line, "stop")}\n\ndata: [DONE]\n\n`);
  });
  try {
    vi.stubEnv("OPENAI_API_KEY", "the key");
    vi.stubEnv("OPENAI_BASE_URL", server.baseURL);
    const source: Source = { kind: "model", model: "openai:one", prompt: "A dashboard." };
    const schema = '{"Gauge": {"type": "object"}}';
    expect(await final(await begin({ source, format: "spec", schema }))).toEqual({ root: "a" });
    const body = JSON.stringify(server.requests[0]?.body);
    for (const asked of ["A dashboard.", "JSON Patch", "The props of Gauge"]) expect(body).toContain(asked);
  } finally {
    await server.stop();
  }
});

test("keys stay on the server", async () => {
  const setup = await (await get("/api/setup")).text();
  expect(setup).not.toContain("sk-secret");
  const { providers } = JSON.parse(setup) as PlaygroundSetup;
  expect(providers.filter(({ missing }) => missing === undefined).map(({ name }) => name)).toEqual([
    "anthropic",
    "ollama",
  ]);
});

test("internal errors are shown in the terminal only", async () => {
  playground = create({
    files: () => {
      throw new Error("/home/somebody/secret");
    },
  });
  const response = await get("/");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
  expect(String(errors[0])).toContain("secret");
});
