import * as api from "@opentelemetry/api";
import {
  type AgentEvent,
  collect,
  createAgent,
  from,
  user,
  type JsonValue,
  ModelError,
  tool,
} from "millrace";
import { logging, type Middleware, modelRetry, telemetry, toolRetry } from "millrace/agent";
import { manualClock, scriptedModel } from "millrace/testing";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { turn } from "../../stream/support/hand-fed.js";
import { noTime } from "../support/no-time.js";
import { answers, call } from "../support/script.js";
import { recorded, registerContextManager, spanOf, tree } from "./recorded.js";

const usage = { inputTokens: 100, outputTokens: 20, details: { cacheReadTokens: 60, reasoningTokens: 5 } };
const last = { content: [], id: "resp_1", model: "scripted-2026", usage };

describe("spans", () => {
  test("of the model and of tools are children of the run's span, also of simultaneous tools", async () => {
    const seen = recorded();
    let meetBoth: () => void = () => {};
    const both = new Promise<void>((resolve) => {
      meetBoth = resolve;
    });
    let running = 0;
    // Each tool waits until both run.
    const meet = async (): Promise<string> => {
      if (++running === 2) meetBoth();
      await both;
      return "met";
    };
    const tools = ["left", "right"].map((name) => tool({ name, run: meet }));
    const model = answers([
      [...call("1", "left", '{"input": ""}'), ...call("2", "right", '{"input": ""}')],
      ["Done."],
    ]);
    await createAgent({ name: "clerk", model, tools, middleware: [seen.middleware] }).invoke("Go.");
    expect(tree(seen.spans())).toEqual([
      "invoke_agent clerk",
      "  chat scripted",
      "  execute_tool left",
      "  execute_tool right",
      "  chat scripted",
    ]);
    const kinds = seen.spans().map(({ name, kind }) => [name.split(" ")[0], kind]);
    expect(kinds).toContainEqual(["invoke_agent", api.SpanKind.INTERNAL]);
    expect(kinds).toContainEqual(["chat", api.SpanKind.CLIENT]);
    expect(kinds).toContainEqual(["execute_tool", api.SpanKind.INTERNAL]);
    // A successful span has no status.
    expect(seen.spans().map(({ status }) => status.code)).toEqual([0, 0, 0, 0, 0]);
    expect(seen.spans().at(-1)?.name).toBe("invoke_agent clerk");
  });

  test("inside a tool are children of the tool's span; the run's span is a child of its caller's", async () => {
    const seen = recorded();
    const inner = createAgent({
      name: "inner",
      model: scriptedModel(["deep"]),
      middleware: [seen.middleware],
    });
    const dive = tool({
      name: "dive",
      run: async () => {
        await Promise.resolve();
        seen.tracer.startSpan("SELECT").end();
        await inner.invoke("Dive.");
        return "";
      },
    });
    const model = answers([call("1", "dive", '{"input": ""}'), ["Done."]]);
    const agent = createAgent({ name: "outer", model, tools: [dive], middleware: [seen.middleware] });
    await seen.tracer.startActiveSpan("POST /chat", async (span) => {
      await agent.invoke("Go.");
      span.end();
    });
    expect(tree(seen.spans())).toEqual([
      "POST /chat",
      "  invoke_agent outer",
      "    chat scripted",
      "    execute_tool dive",
      "      SELECT",
      "      invoke_agent inner",
      "        chat scripted",
      "    chat scripted",
    ]);
  });

  test("are children of the run's span even without a context manager, as in a browser", async () => {
    api.context.disable();
    const seen = recorded();
    const model = answers([call("1", "walk", '{"input": ""}'), ["Done."]]);
    const walk = tool({ name: "walk", run: () => "" });
    await createAgent({ model, tools: [walk], middleware: [seen.middleware] }).invoke("Go.");
    registerContextManager();
    expect(tree(seen.spans())).toEqual([
      "invoke_agent",
      "  chat scripted",
      "  execute_tool walk",
      "  chat scripted",
    ]);
  });

  // G-agent-12
  test("have the attributes of the conventions and no content", async () => {
    const seen = recorded();
    const model = scriptedModel(
      ({ index }) =>
        index === 0
          ? call("1", "weather", '{"city": "secret place"}')
          : ['{"answer": "secret ', 'words"}', last],
      { provider: "gemini", model: "gemini-x" },
    );
    const agent = createAgent({
      name: "clerk",
      model,
      system: "The secret is 42.",
      tools: [
        tool({
          name: "weather",
          description: "How warm it is",
          schema: z.object({ city: z.string() }),
          run: () => "secret warmth",
        }),
      ],
      responseFormat: z.object({ answer: z.string() }),
      callOptions: { temperature: 0.5, topP: 0.9, maxTokens: 300, seed: 7, stop: "END" },
      middleware: [seen.middleware],
    });
    await agent.invoke("My secret question");
    expect(spanOf(seen, "invoke_agent clerk").attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "clerk",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 60,
      "gen_ai.usage.reasoning.output_tokens": 5,
      "gen_ai.response.finish_reasons": ["stop"],
      "millrace.finish": "structured",
      "millrace.steps": 2,
      "millrace.time_to_first_token": expect.any(Number) as number,
      "millrace.time_to_first_field": expect.any(Number) as number,
      "millrace.time_to_structured_response": expect.any(Number) as number,
    });
    const chats = seen.spans().filter(({ name }) => name === "chat gemini-x");
    expect(chats[1]?.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "gcp.gemini",
      "gen_ai.request.model": "gemini-x",
      "gen_ai.request.stream": true,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.max_tokens": 300,
      "gen_ai.request.seed": 7,
      "gen_ai.request.stop_sequences": ["END"],
      "gen_ai.output.type": "json",
      "gen_ai.agent.name": "clerk",
      "millrace.step": 2,
      "gen_ai.response.id": "resp_1",
      "gen_ai.response.model": "scripted-2026",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.response.time_to_first_chunk": expect.any(Number) as number,
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 60,
      "gen_ai.usage.reasoning.output_tokens": 5,
    });
    expect(spanOf(seen, "execute_tool weather").attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "weather",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.description": "How warm it is",
      "gen_ai.tool.call.id": "1",
      "gen_ai.agent.name": "clerk",
    });
    const all = seen.spans().map(({ attributes, events, status }) => ({ attributes, events, status }));
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  test("with captureContent, have the content in the format of the conventions", async () => {
    const seen = recorded({ captureContent: true });
    const model = scriptedModel(({ index }) =>
      index === 0
        ? [
            { content: [{ type: "reasoning", reasoning: "Hm." }] },
            ...call("1", "weather", '{"input": "Oslo"}'),
          ]
        : ["Cold."],
    );
    const agent = createAgent({
      model,
      system: "Be brief.",
      tools: [tool({ name: "weather", run: () => "-4 °C" })],
      middleware: [seen.middleware],
    });
    await agent.invoke(user(["Oslo?", { type: "image", mimeType: "image/png", data: "QUJD" }]));
    const chat = seen.spans().filter(({ name }) => name === "chat scripted")[1];
    const read = (name: string): unknown => JSON.parse(String(chat?.attributes[name]));
    expect(read("gen_ai.system_instructions")).toEqual([{ type: "text", content: "Be brief." }]);
    expect(read("gen_ai.input.messages")).toEqual([
      { role: "user", parts: [{ type: "text", content: "Oslo?" }, { type: "image" }] },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "Hm." },
          { type: "tool_call", id: "1", name: "weather", arguments: { input: "Oslo" } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "1", response: "-4 °C" }] },
    ]);
    expect(read("gen_ai.output.messages")).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "Cold." }], finish_reason: "stop" },
    ]);
    expect(spanOf(seen, "execute_tool weather").attributes).toMatchObject({
      "gen_ai.tool.call.arguments": '{"input":"Oslo"}',
      "gen_ai.tool.call.result": "-4 °C",
    });
  });
});

describe("spans of failed operations", () => {
  test("an error of the model sets the status of its span and of the run's span", async () => {
    const seen = recorded();
    const model = scriptedModel(() => {
      throw new ModelError("http", "My secret is too long.", { status: 400 });
    });
    await expect(createAgent({ model, middleware: [seen.middleware] }).invoke("Hi")).rejects.toThrow();
    for (const name of ["chat scripted", "invoke_agent"]) {
      const { status, attributes } = spanOf(seen, name);
      expect(status).toEqual({ code: api.SpanStatusCode.ERROR });
      expect(attributes["error.type"]).toBe("400");
    }
    const [duration] = await seen.metric("gen_ai.client.operation.duration");
    expect(duration?.attributes["error.type"]).toBe("400");
  });

  test("with captureContent, the status has the error message", async () => {
    const seen = recorded({ captureContent: true });
    const model = scriptedModel(() => {
      throw new TypeError("What?");
    });
    await expect(createAgent({ model, middleware: [seen.middleware] }).invoke("Hi")).rejects.toThrow();
    expect(spanOf(seen, "chat scripted").status).toEqual({
      code: api.SpanStatusCode.ERROR,
      message: "What?",
    });
    expect(spanOf(seen, "chat scripted").attributes["error.type"]).toBe("TypeError");
  });

  test("a handled error of a tool sets the status of the tool's span only", async () => {
    const seen = recorded();
    const walk = tool({
      name: "walk",
      run: () => {
        throw new RangeError("too far");
      },
    });
    const model = answers([call("1", "walk", '{"input": ""}'), ["Done."]]);
    const agent = createAgent({ model, tools: [walk], middleware: [seen.middleware] });
    await agent.invoke("Go.");
    expect(spanOf(seen, "execute_tool walk").status.code).toBe(api.SpanStatusCode.ERROR);
    expect(spanOf(seen, "execute_tool walk").attributes["error.type"]).toBe("RangeError");
    expect(spanOf(seen, "invoke_agent").status.code).toBe(api.SpanStatusCode.UNSET);
    const [measured] = await seen.metric("gen_ai.execute_tool.duration");
    expect(measured?.attributes["error.type"]).toBe("RangeError");
  });

  /** A run whose model called a tool that never ends, and then sends nothing. */
  function hanging(seen: ReturnType<typeof recorded>): ReturnType<typeof createAgent> {
    const model = scriptedModel(async function* () {
      yield* call("1", "wait", '{"input": ""}');
      yield* call("2", "wait", '{"in'); // the first has ended
      await new Promise(() => {});
    });
    const wait = tool({ name: "wait", run: () => new Promise(() => {}) });
    return createAgent({ model, tools: [wait], middleware: [seen.middleware] });
  }
  const names = ["chat scripted", "execute_tool wait", "invoke_agent"];

  test("an abort ends all spans with the name of the reason as error.type", async () => {
    const seen = recorded();
    const controller = new AbortController();
    const events: AgentEvent[] = [];
    const run = (async () => {
      for await (const event of hanging(seen).stream("Go.", { signal: controller.signal })) {
        events.push(event);
        if (event.type === "tool_start") setTimeout(() => controller.abort());
      }
    })();
    await expect(run).rejects.toBe(await aborted(controller.signal));
    await turn();
    for (const name of names) {
      expect([name, spanOf(seen, name).status.code]).toEqual([name, api.SpanStatusCode.ERROR]);
      expect(spanOf(seen, name).attributes["error.type"]).toBe("AbortError");
    }
  });

  test("leaving the loop ends all spans without an error", async () => {
    const seen = recorded();
    for await (const event of hanging(seen).stream("Go.")) if (event.type === "tool_start") break;
    await turn();
    for (const name of names) {
      expect([name, spanOf(seen, name).status.code]).toEqual([name, api.SpanStatusCode.UNSET]);
      expect(spanOf(seen, name).attributes["millrace.left"]).toBe(true);
    }
  });

  test("an answer that the guard stopped has millrace.left, and the retry has its own span", async () => {
    const seen = recorded();
    const agent = createAgent({
      model: answers([['{"n": "x', '"}'], ['{"n": 2}']]),
      responseFormat: z.object({ n: z.number() }),
      middleware: [seen.middleware],
    });
    await agent.invoke("How many?");
    const chats = seen.spans().filter(({ name }) => name === "chat scripted");
    expect(chats.map(({ attributes }) => attributes["millrace.left"])).toEqual([true, undefined]);
    expect(seen.spans().map(({ status }) => status.code)).toEqual([0, 0, 0]);
  });

  test("after a retry middleware each attempt has a span; before it all attempts share one", async () => {
    const flaky = (): ReturnType<typeof scriptedModel> =>
      scriptedModel(({ index }) => {
        if (index === 0) throw new ModelError("network", "No answer.", { retryable: true });
        return ["Hello."];
      });
    const behind = recorded();
    const retry = modelRetry({ clock: noTime });
    await createAgent({ model: flaky(), middleware: [retry, behind.middleware] }).invoke("Hi");
    expect(tree(behind.spans())).toEqual(["invoke_agent", "  chat scripted", "  chat scripted"]);
    const before = recorded();
    await createAgent({ model: flaky(), middleware: [before.middleware, retry] }).invoke("Hi");
    expect(tree(before.spans())).toEqual(["invoke_agent", "  chat scripted"]);
  });

  test("a failed attempt of a tool is an error, and not left", async () => {
    const seen = recorded();
    let attempts = 0;
    const walk = tool({
      name: "walk",
      run: () => {
        if (attempts++ === 0) throw new RangeError("too far");
        return "";
      },
    });
    const model = answers([call("1", "walk", '{"input": ""}'), ["Done."]]);
    const middleware = [toolRetry({ clock: noTime }), seen.middleware];
    await createAgent({ model, tools: [walk], middleware }).invoke("Go.");
    const spans = seen.spans().filter(({ name }) => name === "execute_tool walk");
    expect(spans.map(({ status, attributes }) => [status.code, attributes["millrace.left"]])).toEqual([
      [api.SpanStatusCode.ERROR, undefined],
      [api.SpanStatusCode.UNSET, undefined],
    ]);
  });
});

describe("a run with an error of an observer", () => {
  const hanging = tool({ name: "wait", run: () => new Promise(() => {}) });

  test("have at most 257 characters of the names and ids that a model or its server wrote", async () => {
    const long = "x".repeat(100_000);
    const seen = recorded();
    const model = scriptedModel(({ index }) =>
      index === 0 ? [...call(long, "weather", "{}"), { content: [], id: long, model: long }] : ["Done."],
    );
    const weather = tool({ name: "weather", run: () => "warm" });
    await createAgent({ model, tools: [weather], middleware: [seen.middleware] }).invoke("Go.");
    expect(seen.spans()).toHaveLength(4);
    expect(JSON.stringify(seen.spans().map(({ name, attributes }) => [name, attributes]))).not.toMatch(
      /x{257}/,
    );
    expect(spanOf(seen, "execute_tool weather").attributes["gen_ai.tool.call.id"]).toBe(
      `${"x".repeat(256)}…`,
    );
  });

  test("of telemetry: a bad chunk is an error of the agent, and all spans end", async () => {
    for (const captureContent of [true, false]) {
      const seen = recorded({ captureContent });
      const broken: Middleware = { aroundModel: () => from([{ content: "x" } as never, last]) };
      const model = scriptedModel([]);
      const run = createAgent({ model, middleware: [seen.middleware, broken] }).invoke("Go.");
      await expect(run).rejects.toMatchObject({ name: "MessageError", code: "invalid_chunk" });
      await turn();
      expect(tree(seen.spans())).toEqual(["invoke_agent", "  chat scripted"]);
    }
  });

  test.each<[line: string, order: "before" | "after", spans: number]>([
    ["tool wait", "before", 3],
    ["tool wait", "after", 3],
    ["calls scripted", "after", 2],
    ["first chunk", "before", 2],
  ])("of logging at %s, %s telemetry: all spans end", async (line, order, started) => {
    const seen = recorded();
    const failing = logging({
      level: "debug",
      log: (text) => {
        if (text.includes(line)) throw new Error("disk full");
      },
    });
    const middleware = order === "before" ? [failing, seen.middleware] : [seen.middleware, failing];
    const model = answers([call("1", "wait", '{"input": ""}')]);
    const run = createAgent({ model, tools: [hanging], middleware }).invoke("Go.");
    await expect(run).rejects.toThrow("disk full");
    await turn();
    const spans = ["invoke_agent", "  chat scripted", "  execute_tool wait"];
    // The spans of the model and the tool may begin in the same microsecond.
    expect(new Set(tree(seen.spans()))).toEqual(new Set(spans.slice(0, started)));
  });
});

describe("metrics", () => {
  test("measure the time to the first chunk, token, field and the end, and the tokens", async () => {
    const clock = manualClock();
    const seen = recorded({ clock });
    const model = scriptedModel(async function* ({ index }) {
      clock.advance(500);
      if (index === 0) {
        yield* call("1", "walk", '{"input": ""}');
        return;
      }
      yield "{";
      clock.advance(250);
      yield '"far": [';
      clock.advance(125);
      yield '"x"]}';
      yield last;
    });
    const walk = tool({ name: "walk", run: () => (clock.advance(2_000), "there") });
    const agent = createAgent({
      name: "clerk",
      model,
      tools: [walk],
      responseFormat: z.object({ far: z.array(z.string()) }),
      middleware: [seen.middleware],
    });
    await agent.invoke("How far?");
    const chat = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
    };
    const answered = { ...chat, "gen_ai.response.model": "scripted-2026" };
    const run = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "clerk" };
    const one = (attributes: object, sum: number): object => ({ attributes, sum, count: 1 });
    expect(await seen.metric("gen_ai.client.operation.time_to_first_chunk")).toEqual([
      { attributes: chat, sum: 1, count: 2 },
    ]);
    expect(await seen.metric("gen_ai.client.token.usage")).toEqual([
      one({ ...answered, "gen_ai.token.type": "input" }, 100),
      one({ ...answered, "gen_ai.token.type": "output" }, 20),
    ]);
    expect(await seen.metric("gen_ai.client.operation.duration")).toContainEqual(one(answered, 0.875));
    expect(await seen.metric("gen_ai.execute_tool.duration")).toEqual([
      one(
        {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "walk",
          "gen_ai.tool.type": "function",
          "gen_ai.agent.name": "clerk",
        },
        2,
      ),
    ]);
    expect(await seen.metric("millrace.agent.time_to_first_token")).toEqual([one(run, 0.5)]);
    expect(await seen.metric("millrace.agent.time_to_first_field")).toEqual([one(run, 3.25)]);
    expect(await seen.metric("millrace.agent.time_to_structured_response")).toEqual([one(run, 3.375)]);
    expect(await seen.metric("gen_ai.invoke_agent.duration")).toEqual([one(run, 3.375)]);
    const { attributes, events } = spanOf(seen, "invoke_agent clerk");
    expect(events.map(({ name }) => name)).toEqual(["first_token", "first_field", "structured_response"]);
    expect(attributes).toMatchObject({
      "millrace.time_to_first_token": 0.5,
      "millrace.time_to_first_field": 3.25,
      "millrace.time_to_structured_response": 3.375,
    });
  });

  test("without a meter, are attributes of the span", async () => {
    const seen = recorded({ meter: api.createNoopMeter() });
    const agent = createAgent({
      model: answers([['{"n": 1}']]),
      responseFormat: z.object({ n: z.number() }),
      middleware: [seen.middleware],
    });
    await agent.invoke("Go.");
    const names = Object.keys(spanOf(seen, "invoke_agent").attributes);
    expect(names.filter((name) => name.startsWith("millrace.time_to"))).toEqual([
      "millrace.time_to_first_token",
      "millrace.time_to_first_field",
      "millrace.time_to_structured_response",
    ]);
  });

  test("do not count an empty object or the null of a retry as the first field", async () => {
    const clock = manualClock();
    const seen = recorded({ clock });
    const { signal } = new AbortController();
    const run = { agent: "a", context: undefined, store: undefined, signal, decisions: new Map() };
    const patch = (path: string, value: JsonValue): AgentEvent => {
      clock.advance(1_000);
      const op = path === "" ? "replace" : "add";
      return { type: "structured_patch", patch: [{ op, path, value }] };
    };
    const events = async function* (): AsyncGenerator<AgentEvent> {
      yield patch("", null);
      yield patch("", {});
      yield patch("/far", []);
      yield patch("/far/0", "x");
    };
    await collect(seen.middleware.aroundRun?.(run, events) ?? from([]));
    const [measured] = await seen.metric("millrace.agent.time_to_first_field");
    expect(measured).toMatchObject({ sum: 3, count: 1 });
  });

  test("are those in docs/reference/telemetry.md", async () => {
    const seen = recorded();
    const agent = createAgent({
      model: answers([call("1", "walk", '{"input": ""}'), ['{"n": 1}', last]]),
      tools: [tool({ name: "walk", run: () => "" })],
      responseFormat: z.object({ n: z.number() }),
      middleware: [seen.middleware],
    });
    await agent.invoke("Go.");
    expect(await seen.metricNames()).toEqual([
      "gen_ai.client.operation.duration",
      "gen_ai.client.operation.time_to_first_chunk",
      "gen_ai.client.token.usage",
      "gen_ai.execute_tool.duration",
      "gen_ai.invoke_agent.duration",
      "millrace.agent.time_to_first_field",
      "millrace.agent.time_to_first_token",
      "millrace.agent.time_to_structured_response",
    ]);
  });
});

describe("without the options tracer and meter", () => {
  afterEach(() => {
    api.trace.disable();
  });

  test("uses the registered ones, even if they are registered later", async () => {
    const agent = createAgent({
      name: "late",
      model: scriptedModel(["Hi."]),
      middleware: [telemetry({ api })],
    });
    // Without a registered SDK, nothing is recorded.
    await agent.invoke("Hi");
    const names: string[] = [];
    const { tracer } = recorded();
    const registered = {
      getTracer: () => ({
        ...tracer,
        startSpan: (...args: Parameters<api.Tracer["startSpan"]>) => {
          names.push(args[0]);
          return tracer.startSpan(...args);
        },
        startActiveSpan: tracer.startActiveSpan.bind(tracer),
      }),
    };
    api.trace.setGlobalTracerProvider(registered);
    await collect(agent.stream("Hi"));
    expect(names).toEqual(["invoke_agent late", "chat scripted"]);
  });
});

/** The default abort reason of a signal. */
function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason));
  });
}
