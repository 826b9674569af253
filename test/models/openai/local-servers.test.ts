import {
  type AgentEvent,
  collect,
  createAgent,
  generateObject,
  type Clock,
  type JsonObject,
  ModelError,
  tool,
} from "millrace";
import { toolStrategy } from "millrace/agent";
import { type LocalServer, openai, type OpenAIOptions } from "millrace/openai";
import { schemaOf } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { grammarTakes } from "../support/grammar.js";
import { errorOf, modelAt, serving } from "../support/models.js";
import { type Fields, fieldsIn, listIn } from "../support/refusals.js";
import {
  type Answer,
  content,
  delta,
  finish,
  hello,
  status,
  stream,
  type TestServer,
} from "../support/server.js";

const grammarServers = ["llama.cpp", "lmstudio", "ollama"] as const satisfies LocalServer[];
const localServers = [...grammarServers, "vllm"] as const satisfies LocalServer[];

const review = z.object({
  name: z.string().min(2).max(20),
  code: z.string().regex(/^\d{3}-\w+$/),
  stars: z.int().min(1).max(5),
  tags: z.array(z.string()).min(1).max(3),
  note: z.string().optional(),
  pair: z.tuple([z.string(), z.int()]),
  more: z.record(z.string(), z.number()),
});
const good = {
  ...{ name: "Sencha", code: "123-abc", stars: 5, tags: ["green"], pair: ["a", 1] as const, more: { b: 2 } },
};

const local = (server: TestServer, kind: LocalServer, options: Partial<OpenAIOptions> = {}) =>
  modelAt(server, { server: kind, ...options });

const bodyOf = ({ requests }: TestServer, index = 0): Fields => requests[index]?.body as Fields;

function formatIn(body: Fields): JsonObject {
  return fieldsIn(body, "response_format", "json_schema")["schema"] as JsonObject;
}

const isFunction = (body: Fields, index = 0): Fields =>
  fieldsIn(listIn(body, "tools")[index] ?? {}, "function");

describe.each(localServers)("a model at %s", (kind) => {
  test("enforces a schema by a grammar, and tools without it", () => {
    expect(openai({ model: "m", server: kind }).profile).toMatchObject({
      ...{ structuredOutput: true, structuredOutputWithTools: false, toolCalling: true },
    });
    expect(openai({ model: "m", server: kind, profile: { structuredOutput: false } }).profile).toMatchObject({
      structuredOutput: false,
    });
  });

  test("gets an object of a schema that strict mode refuses, with its limits, in one request", async () => {
    const server = await serving(stream(content(JSON.stringify(good)), finish()));
    const { object } = await generateObject({ model: local(server, kind), schema: review, prompt: "Tea" });
    expect(object).toEqual(good);
    expect(server.requests).toHaveLength(1);
    const schema = formatIn(bodyOf(server));
    const properties = schema["properties"] as Record<string, JsonObject>;
    expect(properties["name"]).toMatchObject({ minLength: 2, maxLength: 20 });
    expect(properties["tags"]).toMatchObject({ minItems: 1, maxItems: 3 });
    expect(properties["stars"]).toMatchObject({ minimum: 1, maximum: 5 });
    expect(schema["required"]).not.toContain("note");
  });

  test("gets one call at a time, and no schema beside tools", async () => {
    const server = await serving(
      stream(
        delta({
          tool_calls: [{ index: 0, id: "c", function: { name: "tea", arguments: '{"hot": true}' } }],
        }),
        finish("tool_calls"),
      ),
    );
    const tea = z.object({ hot: z.boolean() }).meta({ title: "tea" });
    const add = tool({ name: "add", schema: z.object({ a: z.int() }), run: () => "" });
    const model = local(server, kind);
    await createAgent({ model, tools: [add], responseFormat: tea }).invoke("Tea");
    await createAgent({ model, responseFormat: toolStrategy(tea) }).invoke("Tea");
    await createAgent({
      model,
      responseFormat: toolStrategy(tea),
      callOptions: { parallelToolCalls: true },
    }).invoke("T");
    const bodies = server.requests.map(({ body }) => body as Fields);
    expect(bodies.map((body) => body["parallel_tool_calls"])).toEqual([false, false, true]);
    expect(bodies.every((body) => body["response_format"] === undefined)).toBe(true);
  });

  test("refuses a schema beside tools, which would never be called", async () => {
    const server = await serving(hello);
    const call = {
      responseFormat: { name: "a", schema: { type: "object" } },
      tools: [{ name: "t", parameters: { type: "object" } }],
    };
    expect(await errorOf(local(server, kind).stream("Hi", call))).toMatchObject({ code: "invalid_request" });
    await collect(local(server, kind).stream("Hi", { ...call, toolChoice: "none" }));
    expect(server.requests).toHaveLength(1);
  });

  test("reads the environment like any other, and has an address of its own", async () => {
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return Response.json({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
    };
    await openai({ model: "m", server: kind, fetch }).invoke("Hi");
    expect(urls).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/)]);
  });
});

test.each(grammarServers)("%s gets what its grammar reads, also as a tool", async (kind) => {
  const server = await serving(hello);
  const model = local(server, kind);
  const { jsonSchema } = schemaOf(review);
  await collect(model.stream("Hi", { responseFormat: { name: "r", schema: jsonSchema } }));
  await collect(model.stream("Hi", { tools: [{ name: "r", parameters: jsonSchema }] }));
  for (const schema of [
    formatIn(bodyOf(server)),
    isFunction(bodyOf(server, 1))["parameters"] as JsonObject,
  ]) {
    expect(grammarTakes(schema, good as unknown as JsonObject)).toBe(true);
    for (const wrong of [
      { stars: 6 },
      { code: "12-a" },
      { name: "S" },
      { tags: [] },
      { pair: ["a"] },
      { more: 1 },
    ]) {
      expect(grammarTakes(schema, { ...good, ...wrong } as unknown as JsonObject)).toBe(false);
    }
  }
});

test("vLLM gets the schema as it is", async () => {
  const server = await serving(hello);
  const schema = {
    type: "object",
    properties: { a: { type: "string", pattern: "\\d" } },
    not: { required: ["b"] },
  };
  await collect(local(server, "vllm").stream("Hi", { responseFormat: { name: "r", schema } }));
  expect(formatIn(bodyOf(server))).toEqual(schema);
});

describe("a forced call", () => {
  const tools = ["a", "b"].map((name) => ({ name, parameters: { type: "object" } }));

  test.each([
    ["llama.cpp", ["b"], "required"],
    ["lmstudio", ["b"], "required"],
    ["vllm", ["a", "b"], { type: "function", function: { name: "b" } }],
  ] as const)("of one tool at %s", async (kind, names, choice) => {
    const server = await serving(hello);
    await collect(local(server, kind).stream("Hi", { tools, toolChoice: { name: "b" } }));
    const body = bodyOf(server);
    expect(listIn(body, "tools").map((_, index) => isFunction(body, index)["name"])).toEqual(names);
    expect(body["tool_choice"]).toEqual(choice);
  });

  test("at Ollama is refused, and an agent asks without it", async () => {
    const server = await serving(hello);
    const model = local(server, "ollama");
    for (const toolChoice of ["required", { name: "a" }] as const)
      expect(await errorOf(model.stream("Hi", { tools, toolChoice }))).toMatchObject({
        code: "invalid_request",
      });
    expect(model.profile.forcedToolChoice).toBe(false);
  });
});

describe("the Responses API", () => {
  test("of llama.cpp, which ignores a schema, is asked with a tool", async () => {
    const server = await serving(hello);
    const model = local(server, "llama.cpp", { api: "responses" });
    expect(model.profile.structuredOutput).toBe(false);
    const responseFormat = { name: "a", schema: { type: "object" } };
    expect(await errorOf(model.stream("Hi", { responseFormat }))).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining('api: "chat"') as string,
    });
    expect(local(server, "vllm", { api: "responses" }).profile.structuredOutput).toBe(true);
  });

  /** "Cannot determine type of 'item'" */
  const strictItems: Answer = (response, request, index) => {
    const items = listIn(request.body as Fields, "input");
    const isKnown = items.every(
      ({ type, role, content: parts }) => type !== undefined || (role !== "assistant" && parts !== undefined),
    );
    const said = items
      .filter(({ role }) => role === "assistant")
      .every(({ content: parts }) => Array.isArray(parts));
    const answer =
      isKnown && said
        ? stream({ type: "response.completed", response: { status: "completed", output: [] } })
        : status(400, { error: { code: 400, message: "Cannot determine type of 'item'" } });
    return answer(response, request, index);
  };

  test("of a compatible server gets the type of each message of the history", async () => {
    const server = await serving(strictItems);
    const model = modelAt(server, { api: "responses" });
    await collect(
      model.stream([
        ["user", "Hi"],
        ["assistant", "Hello."],
        ["user", "Again"],
      ]),
    );
    expect(listIn(bodyOf(server), "input")[1]).toEqual({
      ...{ type: "message", role: "assistant" },
      content: [{ type: "output_text", text: "Hello." }],
    });
  });
});

describe("a server that loads its model", () => {
  const loading = status(503, { error: { message: "Loading model", type: "unavailable_error", code: 503 } });

  /** Waits are over at once; the time for the body of an error is not. */
  function quickClock(): { readonly clock: Clock; readonly waits: number[] } {
    const waits: number[] = [];
    const clock: Clock = {
      now: () => performance.now(),
      setTimeout: (wake, ms) => {
        if (ms !== 2_000) waits.push(ms);
        return setTimeout(wake, ms === 2_000 ? ms : 0);
      },
      clearTimeout: (timer) => {
        clearTimeout(timer as NodeJS.Timeout);
      },
    };
    return { clock, waits };
  }
  const patient = { timeouts: { firstToken: Infinity, idle: Infinity }, random: () => 0.5 };

  test("is asked until it is ready, at growing distances", async () => {
    const server = await serving(...Array.from({ length: 20 }, () => loading), hello);
    const { clock, waits } = quickClock();
    const model = local(server, "llama.cpp", { ...patient, maxRetries: 2, clock });
    expect(await model.invoke("Hi")).toMatchObject({ content: [{ text: "Hello" }] });
    expect(server.requests).toHaveLength(21);
    expect(waits.slice(0, 6)).toEqual([375, 750, 1_500, 3_000, 6_000, 6_000]);
  });

  test("is waited for as long as it asks", async () => {
    const busy = status(503, { error: "Model m-1 is currently loading" }, { "retry-after": "20" });
    const server = await serving(busy, busy, busy, busy, hello);
    const { clock, waits } = quickClock();
    await local(server, "vllm", { ...patient, maxRetries: 1, clock }).invoke("Hi");
    expect(waits.slice(0, 4)).toEqual([20_000, 20_000, 20_000, 20_000]);
  });

  test("is waited for at most as long as the timeouts say", async () => {
    const server = await serving(loading);
    const model = local(server, "llama.cpp", { maxRetries: 2, timeouts: { firstToken: 1_500 } });
    expect(await errorOf(model.stream("Hi"))).toMatchObject({ code: "timeout" });
    expect(server.requests.length).toBeGreaterThan(1);
  });

  test("is not waited for with maxRetries: 0, and another 503 counts as before", async () => {
    const server = await serving(loading);
    expect(await errorOf(local(server, "llama.cpp").stream("Hi"))).toMatchObject({
      code: "http",
      status: 503,
    });
    expect(server.requests).toHaveLength(1);
    const busy = await serving(loading, status(503, { error: { message: "Busy" } }));
    const model = local(busy, "llama.cpp", { ...patient, maxRetries: 1, clock: quickClock().clock });
    expect(await errorOf(model.stream("Hi"))).toMatchObject({ status: 503 });
    expect(busy.requests).toHaveLength(3);
  });
});

test("llama.cpp is asked to report its progress, so that its headers come early", async () => {
  const server = await serving(hello);
  await collect(local(server, "llama.cpp").stream("Hi"));
  await collect(local(server, "vllm").stream("Hi"));
  expect(server.requests.map(({ body }) => (body as Fields)["return_progress"])).toEqual([true, undefined]);
});

test("a call that repeats the response is asked for once more, as the events say", async () => {
  const tea = z.object({ hot: z.boolean() }).meta({ title: "tea" });
  const call = (index: number): object => ({
    index,
    id: `c${index}`,
    function: { name: "tea", arguments: '{"hot": true}' },
  });
  const server = await serving(
    stream(delta({ tool_calls: [call(0), call(1)] }), finish("tool_calls")),
    stream(delta({ tool_calls: [call(2)] }), finish("tool_calls")),
  );
  const agent = createAgent({ model: local(server, "llama.cpp"), responseFormat: toolStrategy(tea) });
  const events: AgentEvent[] = await collect(agent.stream("Tea"));
  expect(events.find(({ type }) => type === "structured_error")).toMatchObject({
    error: { code: "several_responses" },
  });
});

test("an unknown server is an error at construction", () => {
  expect(() => openai({ model: "m", server: "llamacpp" as LocalServer })).toThrow(ModelError);
});
