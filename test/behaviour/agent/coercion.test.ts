import {
  type AgentEvent,
  type AgentOptions,
  type ChatModel,
  collect,
  createAgent,
  from,
  type JsonObject,
  jsonParser,
  type MessageChunk,
  OutputParserError,
  patchLines,
  pipe,
  streamObject,
  tool,
  toolCallsParser,
} from "millrace";
import { AgentError, capture, providerStrategy, toolStrategy } from "millrace/agent";
import type { JsonCoercion } from "millrace/json";
import { guardOf } from "millrace/schema";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { partialsIn } from "../../agent/support/script.js";
import { parserOf } from "../../support/parser-of.js";

const forecast = z.object({
  days: z.int(),
  unit: z.enum(["celsius", "kelvin"]),
  cities: z.array(z.string()),
});
const written = '{"Days": "1,000", "unit": "Kelvin", "cities": "Oslo"}';
const meant = { days: 1000, unit: "kelvin", cities: ["Oslo"] };
const kinds = ["key", "number", "option", "list"];

function kindsOf(coercions: readonly JsonCoercion[] | undefined): string[] {
  return (coercions ?? []).map(({ kind }) => kind);
}

describe("a tool", () => {
  const call = { type: "tool_call_chunk", id: "1", name: "forecast", args: written } as const;

  /** A model that calls the tool, and then answers. */
  function calling(args: string): ChatModel {
    let step = 0;
    return scriptedModel(() => (step++ === 0 ? [{ content: [{ ...call, args }] }] : ["Done."]));
  }

  test("runs on arguments as its schema expects them, and the event says so", async () => {
    const seen: unknown[] = [];
    const agent = createAgent({
      model: calling(call.args),
      tools: [
        tool({ name: "forecast", description: "", schema: forecast, run: (args) => void seen.push(args) }),
      ],
    });
    const events: AgentEvent[] = await collect(agent.stream("?"));
    const start = events.find((event) => event.type === "tool_start");
    expect(seen).toEqual([meant]);
    expect(start?.args).toEqual(meant);
    expect(kindsOf(start?.coercions)).toEqual(kinds);
  });

  test("does so beside injected arguments", async () => {
    const seen: unknown[] = [];
    const agent = createAgent({
      model: calling(call.args),
      tools: [
        tool({
          name: "forecast",
          description: "",
          schema: forecast.extend({ user: z.string() }),
          inject: { user: () => "Ada" },
          run: (args) => void seen.push(args),
        }),
      ],
    });
    await collect(agent.stream("?"));
    expect(seen).toEqual([{ ...meant, user: "Ada" }]);
  });

  test("does not run on arguments that can be read in two ways", async () => {
    const agent = createAgent({
      model: calling('{"price": "1.234"}'),
      tools: [
        tool({
          name: "forecast",
          description: "",
          schema: z.object({ price: z.number() }),
          run: () => "ran",
        }),
      ],
    });
    const events = await collect(agent.stream("?"));
    expect(events.some(({ type }) => type === "tool_error")).toBe(true);
  });

  test("has the same arguments in toolCallsParser()", async () => {
    const coercions: JsonCoercion[] = [];
    const parser = toolCallsParser({
      tools: [{ name: "forecast", schema: forecast }],
      onCoerce: (coercion, { id }) => {
        expect(id).toBe("1");
        coercions.push(coercion);
      },
    });
    const calls = await collect(
      pipe(from<MessageChunk>([{ content: [call], finishReason: "tool_calls" }]), parser.final),
    );
    expect(calls).toEqual([[{ name: "forecast", args: meant }]]);
    expect(kindsOf(coercions)).toEqual(kinds);
  });
});

describe("the options of an agent", () => {
  const schema = z.object({ price: z.number() });
  const args = '{"price": "1.234"}';
  const call = { type: "tool_call_chunk", id: "1", name: "output", args } as const;
  const response: MessageChunk[] = [{ content: [call], finishReason: "tool_calls" }];
  const shapes = [
    ["a tool strategy", toolStrategy(schema), response],
    ["a provider strategy", providerStrategy(schema), [args]],
  ] as const;

  test.each(shapes)("apply to the response of %s", async (_, responseFormat, chunks) => {
    for (const failFast of [true, false]) {
      const agent = (options: Pick<AgentOptions, "coerce" | "locale">): Promise<unknown> =>
        createAgent({ model: scriptedModel(chunks), responseFormat, failFast, maxRetries: 0, ...options })
          .invoke("?")
          .then(({ structuredResponse }) => structuredResponse);
      expect(await agent({ locale: "de" })).toEqual({ price: 1234 });
      expect(await agent({ locale: "en" })).toEqual({ price: 1.234 });
      await expect(agent({})).rejects.toThrow(AgentError);
      await expect(agent({ coerce: false, locale: "de" })).rejects.toThrow(AgentError);
    }
  });

  test("apply to the arguments of tools", async () => {
    const seen: unknown[] = [];
    for (const options of [{ locale: "de" }, { locale: "en" }, { locale: "de", coerce: false }]) {
      let step = 0;
      const model = scriptedModel(() =>
        step++ === 0 ? [{ content: [{ ...call, name: "buy" }] }] : ["Done."],
      );
      const buy = tool({ name: "buy", description: "", schema, run: ({ price }) => void seen.push(price) });
      await collect(createAgent({ model, tools: [buy], ...options }).stream("?"));
    }
    expect(seen).toEqual([1234, 1.234]);
  });

  test("apply to streamObject() and capture()", async () => {
    const object = streamObject({ model: scriptedModel([args]), schema, prompt: "?", locale: "de" });
    expect(await object.final).toEqual({ price: 1234 });
    const model = scriptedModel([args]);
    const stage = capture({ model, responseFormat: providerStrategy(schema), locale: "de" });
    const events = await collect(pipe(model.stream("?"), stage));
    expect(events.find((event) => event.type === "structured")?.value).toEqual({ price: 1234 });
  });

  test("apply to toolCallsParser()", async () => {
    const source = (): AsyncIterable<MessageChunk> => from(response);
    const tools = [{ name: "output", schema }];
    const german = toolCallsParser({ tools, locale: "de" });
    expect(await collect(pipe(source(), german.calls))).toEqual([{ name: "output", args: { price: 1234 } }]);
    await expect(collect(pipe(source(), toolCallsParser({ tools }).final))).rejects.toThrow(
      OutputParserError,
    );
  });

  test("must be a locale", () => {
    const model = scriptedModel([]);
    const locale = "no locale";
    expect(() => createAgent({ model, locale })).toThrow(RangeError);
    expect(() => capture({ model, responseFormat: schema, locale })).toThrow(RangeError);
    expect(() => streamObject({ model, schema, prompt: "?", locale })).toThrow(RangeError);
    expect(() => toolCallsParser({ locale })).toThrow(RangeError);
    expect(() => jsonParser(schema, { locale })).toThrow(RangeError);
    expect(() => patchLines({ schema, locale })).toThrow(RangeError);
    expect(() => parserOf({ guard: guardOf(schema), repair: true, locale })).toThrow(RangeError);
  });
});

describe("a structured response is read as its schema expects it", () => {
  const asCall = { type: "tool_call_chunk", id: "1", name: "output", args: written } as const;

  test.each([
    ["as a call", toolStrategy(forecast), asCall],
    [
      "as a whole call",
      toolStrategy(forecast),
      { type: "tool_call", id: "1", name: "output", args: JSON.parse(written) as JsonObject } as const,
    ],
    ["as text", providerStrategy(forecast), { type: "text", text: written } as const],
  ])("%s, while it streams", async (_, responseFormat, block) => {
    const agent = createAgent({ model: scriptedModel([{ content: [block] }]), responseFormat });
    const events: AgentEvent[] = await collect(agent.stream("?"));
    const done = events.find((event) => event.type === "structured");
    expect(partialsIn(events).at(-1)).toEqual(meant);
    expect(done?.value).toEqual(meant);
    expect(kindsOf(done?.coercions)).toEqual(kinds);
  });

  test("at the end, if nothing guards it", async () => {
    const agent = createAgent({
      model: scriptedModel([{ content: [asCall] }]),
      responseFormat: toolStrategy(forecast),
      failFast: false,
    });
    const events: AgentEvent[] = await collect(agent.stream("?"));
    const done = events.find((event) => event.type === "structured");
    expect([done?.value, kindsOf(done?.coercions)]).toEqual([meant, kinds]);
  });

  test("as a whole call, also if its schema would drop a key that is meant otherwise", async () => {
    const schema = z.object({ day: z.string().optional() });
    const block = { type: "tool_call", id: "1", name: "output", args: { Day: "Monday" } } as const;
    for (const failFast of [true, false]) {
      const model = scriptedModel([{ content: [block] }]);
      const agent = createAgent({ model, responseFormat: toolStrategy(schema), failFast });
      const events: AgentEvent[] = await collect(agent.stream("?"));
      const done = events.find((event) => event.type === "structured");
      expect([done?.value, kindsOf(done?.coercions)]).toEqual([{ day: "Monday" }, ["key"]]);
    }
  });

  test.each([true, false])("and says what was changed, with failFast: %s", async (failFast) => {
    const schema = z.object({ id: z.number(), note: z.string().optional(), day: z.string().optional() });
    const args = '{"id": 9007199254740993, "note": null, "Day": "Monday"}';
    const ways = [
      [toolStrategy(schema), { ...asCall, args }],
      [providerStrategy(schema), { type: "text", text: args }],
    ] as const;
    for (const [responseFormat, block] of ways) {
      const agent = createAgent({ model: scriptedModel([{ content: [block] }]), responseFormat, failFast });
      const events: AgentEvent[] = await collect(agent.stream("?"));
      const done = events.find((event) => event.type === "structured");
      expect(done?.value).toEqual({ id: 9007199254740992, day: "Monday" });
      expect(done?.coercions).toEqual([
        { pointer: "/id", kind: "rounded", from: "9007199254740993", to: 9007199254740992 },
        { pointer: "/note", kind: "null", from: null, to: undefined },
        { pointer: "/day", kind: "key", from: "Day", to: "day" },
      ]);
    }
  });

  test("by the schema with the fewest coercions, in any order", async () => {
    const many = z.object({ a: z.number(), b: z.number() }).meta({ title: "many" });
    const few = z.object({ a: z.string(), b: z.number() }).meta({ title: "few" });
    for (const schemas of [
      [many, few],
      [few, many],
    ]) {
      const agent = createAgent({
        model: scriptedModel(['{"a": "1", "b": "2"}']),
        responseFormat: schemas,
      });
      expect((await agent.invoke("?")).structuredResponse).toEqual({ a: "1", b: 2 });
    }
  });
});
