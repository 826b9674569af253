import { collect, from, type JsonPatch, type MessageChunk, streamObject, type ChatModel } from "millrace";
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { AgentError } from "millrace/agent";
import { memoryLog, toAgUi, toEventStream } from "millrace/serve";
import { everyWay, scriptedModel, spySource, type ScriptedModelOptions } from "millrace/testing";
import { applyPatch } from "fast-json-patch";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../agent/support/script.js";

const recipe = z.object({
  title: z.string(),
  steps: z.array(z.object({ do: z.string() })),
  minutes: z.int(),
});
const text = '{"title": "Tea", "steps": [{"do": "warm"}, {"do": "pour"}], "minutes": 10}';
const value = JSON.parse(text) as z.output<typeof recipe>;
const noSchemas: ScriptedModelOptions = { profile: { structuredOutput: false } };
const onlyText: ScriptedModelOptions = { profile: { structuredOutput: false, toolCalling: false } };

/** Applies standard patches to `null`, with a library that knows only RFC 6902. */
function folded(patches: readonly JsonPatch[]): unknown {
  return patches.reduce<unknown>(
    (document, patch) => applyPatch(document, structuredClone(patch) as never).newDocument,
    null,
  );
}

test.each([
  ["the text", (...pieces: string[]) => pieces],
  ["the arguments of a call", (...pieces: string[]) => call("1", "trip", ...pieces)],
])("a member of a union in %s appears when its discriminator is known", async (_, answer) => {
  const schema = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("trip"), to: z.string() }),
    z.object({ kind: z.literal("question"), question: z.string() }),
  ]);
  const model = answers([answer('{"to": "Os', 'lo", "kind": ', '"trip"', "}")]);
  const stream = streamObject({ model, schema, prompt: "Where?" });
  expect(await collect(stream.partials)).toEqual([{ to: "Oslo", kind: "trip" }]);
});

describe("the model is asked", () => {
  test("with its structured output", async () => {
    const model = answers([[text]]);
    const stream = streamObject({ model, schema: recipe, system: "You cook.", prompt: "Tea." });
    expect(await stream.final).toEqual(value);
    const { messages, options } = model.calls[0] ?? {};
    expect(messages?.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(options?.responseFormat?.schema["type"]).toBe("object");
    expect(options?.tools).toBeUndefined();
  });

  test("with a tool if it has no structured output", async () => {
    const model = answers([call("1", "output", ...text.match(/.{1,9}/g)!)], noSchemas);
    expect(await streamObject({ model, schema: recipe, prompt: "Tea." }).final).toEqual(value);
    const { options } = model.calls[0] ?? {};
    expect(options?.responseFormat).toBeUndefined();
    expect(options?.tools).toHaveLength(1);
  });

  test("in the prompt if it has no tools either", async () => {
    const model = answers([["Here you are:\n```json\n", text, "\n```"]], onlyText);
    expect(await streamObject({ model, schema: recipe, prompt: "Tea." }).final).toEqual(value);
    const { messages, options } = model.calls[0] ?? {};
    expect(Object.keys(options ?? {})).toEqual(["signal"]);
    expect(JSON.stringify(messages?.[0])).toContain("minutes");
    expect(messages?.[0]?.role).toBe("system");
  });

  test("once more if its answer cannot satisfy the schema, after it was stopped there", async () => {
    const first = spySource<MessageChunk>(
      ['{"title": "Tea", "minutes": {', "no", '"}'].map((it) => ({ content: [{ type: "text", text: it }] })),
    );
    const model = scriptedModel(({ index }) => (index === 0 ? first : [text]));
    const stream = streamObject({ model, schema: recipe, prompt: "Tea." });
    const partials = await collect(stream);
    expect(partials).toEqual([{ title: "Tea" }, value]);
    expect(await stream.final).toEqual(value);
    expect([first.pulls, first.returns, model.calls.length]).toEqual([1, 1, 2]);
  });

  test.each([
    ["maxRetries", { maxRetries: -1 }],
    ["schema", { schema: [] }],
  ])("an error names the option %s", (name, options) => {
    const model = scriptedModel(["{}"]);
    expect(() => streamObject({ model, schema: recipe, prompt: "Tea.", ...(options as object) })).toThrow(
      new RegExp(`^${name} |Expected ${name}`),
    );
  });

  test("again after a pause of its turn, which is no retry", async () => {
    const pause: MessageChunk = { content: [{ type: "text", text: "Let me see." }], finishReason: "pause" };
    const model = answers([[pause], [text]]);
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", maxRetries: 0 });
    expect(await stream.final).toEqual(value);
  });

  test("as often as maxRetries says, also beyond the steps of an agent", async () => {
    const model = answers([...Array.from({ length: 30 }, () => ["Tea?"]), [text]]);
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", maxRetries: 30 });
    expect(await stream.final).toEqual(value);
  });

  test("no more often than maxRetries says", async () => {
    const model = answers([['{"title": 1}'], ['{"title": 2}'], ['{"title": 3}']]);
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", maxRetries: 1 });
    await expect(stream.final).rejects.toMatchObject({
      code: "invalid_response",
    } satisfies Partial<AgentError>);
    expect(model.calls).toHaveLength(2);
  });

  test("no more often if the model calls tools, of which there are none", async () => {
    const model = answers([call("1", "search", "{}"), call("2", "search", "{}"), [text]]);
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", maxRetries: 1 });
    await expect(stream.final).rejects.toMatchObject({ code: "no_response" } satisfies Partial<AgentError>);
    expect(model.calls).toHaveLength(2);
  });
});

describe("a list of objects", () => {
  const step = z.object({ do: z.string() });
  const written = '{"elements": [{"do": "warm"}, {"do": "pour"}]}';
  test.each([
    ["structured output", {}, [written]],
    ["a tool", noSchemas, call("1", "output", ...written.match(/.{1,5}/g)!)],
    ["the prompt", onlyText, [written]],
  ])("is shown as a list, with %s", async (_, options, script) => {
    const stream = streamObject({
      model: answers([script], options),
      schema: step,
      elements: true,
      prompt: "Tea.",
    });
    const [partials, patches, items, final] = await Promise.all([
      collect(stream),
      collect(stream.patches),
      collect(stream.items("")),
      stream.final,
    ]);
    const list = [{ do: "warm" }, { do: "pour" }];
    expect(partials.at(-1)).toEqual(list);
    expect(partials.every(Array.isArray)).toBe(true);
    expect(folded(patches)).toEqual(list);
    expect(items).toEqual(list);
    expect(final).toEqual(list);
  });

  test("is the same for every way to cut the text", async () => {
    for (const pieces of everyWay(written)) {
      const stream = streamObject({
        model: scriptedModel(pieces),
        schema: step,
        elements: true,
        prompt: "Tea.",
      });
      const [patches, items] = await Promise.all([collect(stream.patches), collect(stream.items(""))]);
      expect([folded(patches), items]).toEqual([await stream.final, await stream.final]);
    }
  });

  test("may have elements of several schemas", async () => {
    const stream = streamObject({
      model: scriptedModel(['{"elements": [{"do": "warm"}, {"wait', '": 3}]}']),
      schema: [step, z.object({ wait: z.int() })],
      elements: true,
      prompt: "Tea.",
    });
    expect(await stream.final).toEqual([{ do: "warm" }, { wait: 3 }]);
  });

  test("stops at the first element that breaks the schema", async () => {
    const model = answers([['{"elements": [{"do": "warm"}, {"do": 1', "}]}"]]);
    const stream = streamObject({ model, schema: step, elements: true, prompt: "Tea.", maxRetries: 0 });
    const items: unknown[] = [];
    const reading = (async () => {
      for await (const item of stream.items("")) items.push(item);
    })();
    await expect(reading).rejects.toMatchObject({ code: "invalid_response" });
    expect(items).toEqual([{ do: "warm" }]);
  });
});

test("with several schemas, the object matches one of them", async () => {
  const question = z.object({ question: z.string() }).meta({ title: "question" });
  for (const [options, script] of [
    [{}, call("1", "question", '{"question": "Gre', 'en?"}')],
    [onlyText, ['{"question": "Green?"}']],
  ] as const) {
    const stream = streamObject({
      model: answers([script], options),
      schema: [recipe, question],
      prompt: "Tea.",
    });
    expect(await stream.final).toEqual({ question: "Green?" });
  }
});

test.each([{}, { elements: true }])(
  "a schema is converted once for all calls with it: %o",
  async (options) => {
    let converted = 0;
    const counting = { ...z.toJSONSchema(recipe) };
    const schema: StandardSchemaV1 & StandardJSONSchemaV1 = {
      "~standard": {
        ...recipe["~standard"],
        vendor: "own",
        jsonSchema: {
          input: () => {
            converted++;
            return counting;
          },
          output: () => counting,
        },
      },
    };
    const ask = (): Promise<unknown> =>
      streamObject({
        model: answers([[JSON.stringify("elements" in options ? { elements: [value] } : value)]]),
        schema,
        prompt: "Tea.",
        ...options,
      }).final;
    await ask();
    const once = converted;
    await ask();
    expect(converted).toBe(once);
    expect(once).toBeGreaterThan(0);
  },
);

describe("the views of a call", () => {
  const model = (): ChatModel => scriptedModel(text.match(/.{1,3}/gs) ?? []);
  const begin = (): ReturnType<typeof streamObject<typeof recipe>> =>
    streamObject({ model: model(), schema: recipe, prompt: "Tea." });

  test("share one request, and agree for every way to cut the text", async () => {
    for (const pieces of everyWay(text)) {
      const scripted = scriptedModel(pieces);
      const stream = streamObject({ model: scripted, schema: recipe, prompt: "Tea." });
      const [partials, patches, items, final] = await Promise.all([
        collect(stream.partials),
        collect(stream.patches),
        collect(stream.items("/steps")),
        stream.final,
      ]);
      expect(partials.at(-1)).toEqual(value);
      expect(folded(patches)).toEqual(value);
      expect(items).toEqual(value.steps);
      expect(final).toEqual(value);
      expect(scripted.calls).toHaveLength(1);
    }
  });

  test("show each state once, and share unchanged parts", async () => {
    const partials = await collect(begin());
    expect(new Set(partials).size).toBe(partials.length);
    const [before, after] = partials.slice(-2);
    expect(after?.steps).toBe(before?.steps);
  });

  test("yield the whole value first when they open late, also after the end", async () => {
    const stream = begin();
    let seen = 0;
    for await (const partial of stream) {
      if (++seen !== 12) continue;
      const late = stream.patches[Symbol.asyncIterator]();
      expect(await late.next()).toEqual({
        done: false,
        value: [{ op: "replace", path: "", value: partial }],
      });
      await late.return?.();
    }
    expect(await collect(stream)).toEqual([value]);
    expect(await collect(stream.items("/steps"))).toEqual(value.steps);
    expect(await collect(stream.patches)).toEqual([[{ op: "replace", path: "", value }]]);
    expect((await collect(stream.events)).at(-1)?.type).toBe("finish");
  });

  test("late views see each event once, whenever they open", async () => {
    const events = (await collect(begin().events)).length;
    for (let opened = 0; opened < events; opened++) {
      const stream = begin();
      let seen = 0;
      let late: Promise<JsonPatch[]> | undefined;
      let items: Promise<unknown[]> | undefined;
      for await (const _ of stream.events) {
        if (seen++ !== opened) continue;
        late = collect(stream.patches);
        items = collect(stream.items("/steps"));
      }
      expect(folded((await late) ?? [])).toEqual(value);
      expect(await items).toEqual(value.steps);
    }
  });

  test("use append only if it is set, and always on the wire", async () => {
    const ops = (patches: readonly JsonPatch[]): Set<string> => new Set(patches.flat().map(({ op }) => op));
    expect(ops(await collect(begin().patches))).toEqual(new Set(["replace", "add"]));
    const growing = streamObject({ model: model(), schema: recipe, prompt: "Tea.", append: true });
    expect(ops(await collect(growing.patches))).toContain("append");
    expect(await begin().toResponse().text()).toContain('"append"');
  });

  test("ask for nothing before they are read", async () => {
    const scripted = scriptedModel([text]);
    const stream = streamObject({ model: scripted, schema: recipe, prompt: "Tea." });
    stream.partials[Symbol.asyncIterator]();
    stream.items("/steps");
    stream.toResponse();
    await sleep(5);
    expect(scripted.calls).toHaveLength(0);
  });

  test("reject a pointer at which the schema has no array", () => {
    for (const pointer of ["/title", "steps", "/steps/0/do"] as string[])
      expect(() => begin().items(pointer)).toThrow(TypeError);
  });
});

describe("leaving", () => {
  const chunks = text
    .match(/.{1,3}/gs)!
    .map((it): MessageChunk => ({ content: [{ type: "text", text: it }] }));
  const spied = (): { source: ReturnType<typeof spySource<MessageChunk>>; model: ChatModel } => {
    const source = spySource(chunks);
    return { source, model: scriptedModel(() => source) };
  };

  test("the last view stops the model, also if the result was asked for", async () => {
    const { source, model } = spied();
    const stream = streamObject({ model, schema: recipe, prompt: "Tea." });
    const { final, usage } = stream;
    for await (const _ of stream) break;
    expect(source.returns).toBe(1);
    expect(source.pulls).toBeLessThan(chunks.length);
    await expect(final).rejects.toMatchObject({ name: "AbortError" });
    expect(await usage).toBeUndefined();
    await expect(collect(stream)).rejects.toMatchObject({ name: "AbortError" });
  });

  test("the last view stops a silent model, also if only the result read it before", async () => {
    const source = spySource(chunks.slice(0, 3), { then: "hang" });
    const stream = streamObject({ model: scriptedModel(() => source), schema: recipe, prompt: "Tea." });
    const { final } = stream;
    await sleep(5); // the model sends nothing more
    const reader = (stream.toResponse().body as ReadableStream<Uint8Array>).getReader();
    await sleep(0); // the response opens its view
    await reader.cancel();
    await expect(final).rejects.toMatchObject({ name: "AbortError" });
    expect(source.returns).toBe(1);
  });

  test("one of several views leaves the others alone", async () => {
    const { source, model } = spied();
    const stream = streamObject({ model, schema: recipe, prompt: "Tea." });
    const leave = async (): Promise<void> => {
      for await (const _ of stream) break;
    };
    const [patches] = await Promise.all([collect(stream.patches), leave()]);
    expect(folded(patches)).toEqual(value);
    expect(source.returns).toBe(0);
  });

  test("a response stops the model when the client disconnects", async () => {
    const { source, model } = spied();
    const { body } = streamObject({ model, schema: recipe, prompt: "Tea." }).toResponse();
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(source.returns).toBe(1);
  });

  test("does not end a run that a log keeps", async () => {
    const { source, model } = spied();
    const log = memoryLog();
    const { body } = streamObject({ model, schema: recipe, prompt: "Tea." }).toResponse({ log, id: "run" });
    await (body as ReadableStream<Uint8Array>).cancel();
    const rest = await toEventStream(undefined, { log, id: "run" }).text();
    expect(rest).toContain('"complete"');
    expect(source.returns).toBe(0);
  });

  test("a signal ends the views and the result with its reason", async () => {
    const controller = new AbortController();
    const model = scriptedModel(() => spySource(chunks.slice(0, 3), { then: "hang" }));
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", signal: controller.signal });
    const reading = collect(stream);
    setTimeout(() => controller.abort("enough"), 5);
    await expect(reading).rejects.toBe("enough");
    await expect(stream.final).rejects.toBe("enough");
  });
});

describe("the result", () => {
  test("is known without any view, and asked for once", async () => {
    const model = answers([[text]]);
    const stream = streamObject({ model, schema: recipe, prompt: "Tea." });
    expect(await Promise.all([stream.final, stream.final, stream.usage])).toEqual([value, value, undefined]);
    expect(model.calls).toHaveLength(1);
  });

  test("has transforms and defaults, but partial values do not", async () => {
    const schema = z.object({ at: z.string().transform(Number), n: z.int().default(1) });
    const stream = streamObject({ model: scriptedModel(['{"at": "7"}']), schema, prompt: "Now." });
    expect(await collect(stream)).toEqual([{ at: "7" }]);
    expect(await stream.final).toEqual({ at: 7, n: 1 });
  });

  test("does not end the process when it is not read and the call fails", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    try {
      const failing = scriptedModel(() => spySource([], { then: { error: new Error("no network") } }));
      const stream = streamObject({ model: failing, schema: recipe, prompt: "Tea." });
      await expect(collect(stream)).rejects.toThrow("no network");
      void stream.final;
      void streamObject({ model: failing, schema: recipe, prompt: "Tea." }).usage;
      await sleep(10);
      await expect(stream.final).rejects.toThrow("no network");
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });

  test("counts the tokens of all answers, also if the call fails", async () => {
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    const model = answers([1, 2].map((it) => [`{"title": ${it}}`, { content: [], usage }]));
    const stream = streamObject({ model, schema: recipe, prompt: "Tea.", maxRetries: 1, failFast: false });
    await expect(stream.final).rejects.toMatchObject({ code: "invalid_response" });
    expect(await stream.usage).toEqual({ inputTokens: 20, outputTokens: 10, totalTokens: 30 });
  });
});

test("values are read as the schema expects them, which is reported", async () => {
  const stream = streamObject({
    model: scriptedModel(['{"title": "Tea", "steps": [], "minutes": "1', '0"}']),
    schema: recipe,
    prompt: "Tea.",
  });
  expect((await stream.final).minutes).toBe(10);
  const [structured] = (await collect(stream.events)).filter(({ type }) => type === "structured");
  expect(structured).toMatchObject({ coercions: [{ pointer: "/minutes" }] });
});

test("toAgUi() shows the object of its events as state, and its result", async () => {
  const stream = streamObject({
    model: scriptedModel(text.match(/.{1,9}/g)!),
    schema: recipe,
    prompt: "Tea.",
  });
  const events = await collect(toAgUi(stream.events, { threadId: "t", runId: "r" }));
  expect(events[0]).toMatchObject({ type: "RUN_STARTED" });
  expect(events.map(({ type }) => type)).toContain("STATE_DELTA");
  expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: value });
  const late = await collect(toAgUi(stream.events, { threadId: "t", runId: "r" }));
  expect(late.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: value });
  expect(late).toContainEqual({ type: "STATE_SNAPSHOT", snapshot: value });
});

test("a call needs either a prompt or messages", () => {
  const model = scriptedModel([text]);
  expect(() => streamObject({ model, schema: recipe } as never)).toThrow(
    expect.objectContaining({ code: "invalid_options" }),
  );
  expect(() => streamObject({ model, schema: recipe, prompt: "a", messages: "b" } as never)).toThrow(
    expect.objectContaining({ code: "invalid_options" }),
  );
});

test("a view of a call is a source like any other", async () => {
  const stream = streamObject({
    model: scriptedModel([text]),
    schema: recipe,
    messages: [{ role: "user", content: "Tea." }],
  });
  expect(await collect(from(stream))).toEqual([value]);
});
