import { type AgentEvent, collect, createAgent, type JsonPatch, streamObject, tool } from "millrace";
import { type AgentError, type Middleware, providerStrategy, toolStrategy } from "millrace/agent";
import { applyPatch } from "fast-json-patch";
import { expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../../agent/support/conversation.js";
import { answers, call, ofType } from "../../agent/support/script.js";

const rating = z
  .object({ rating: z.int().min(1).max(5), comment: z.string() })
  .meta({ title: "ProductRating" });
const contact = z.object({ name: z.string(), email: z.string() }).meta({ title: "ContactInfo" });
const event = z.object({ event: z.string(), date: z.string() }).meta({ title: "EventDetails" });
const noSchemas = { profile: { structuredOutput: false } };

test.each([
  ["the provider strategy, if the model supports it", {}, "provider"],
  ["a tool otherwise", noSchemas, "tool"],
])("a schema without a strategy uses %s", async (_, options, kind) => {
  const written = ['{"rating": 5, "com', 'ment": "fine"}'];
  const model = answers([kind === "tool" ? call("1", "ProductRating", ...written) : written], options);
  const agent = createAgent({ model, responseFormat: rating });
  const { structuredResponse } = await agent.invoke("Rate it.");
  expect(structuredResponse).toEqual({ rating: 5, comment: "fine" });
  const asked = model.calls[0]?.options;
  expect(asked?.toolChoice).toBe(kind === "tool" ? "required" : undefined);
  expect((asked?.tools ?? []).map(({ name }) => name)).toEqual(kind === "tool" ? ["ProductRating"] : []);
  expect(asked?.responseFormat?.name).toBe(kind === "tool" ? undefined : "ProductRating");
});

test("strict is passed to the provider", async () => {
  const model = answers([['{"rating": 5, "comment": "fine"}']]);
  await createAgent({ model, responseFormat: providerStrategy(rating, { strict: false }) }).invoke(
    "Rate it.",
  );
  expect(model.calls[0]?.options.responseFormat?.strict).toBe(false);
});

test("toolChoice is not set if the model does not support required tool calls", async () => {
  const model = answers([call("1", "ProductRating", '{"rating": 5, "comment": ""}')], {
    profile: { forcedToolChoice: false },
  });
  await createAgent({ model, responseFormat: toolStrategy(rating) }).invoke("Rate it.");
  expect(model.calls[0]?.options.toolChoice).toBeUndefined();
});

test.each([
  ["text", [["Sure:\n```json\n{", '"rating": 4, "comm', 'ent": "go', 'od"}\n```\nBye.']]],
  ["a tool", [call("1", "ProductRating", "{", '"rating": 4, "comm', 'ent": "go', 'od"}')]],
])("the response streams while the model writes it, as %s", async (kind, script) => {
  const model = (): ReturnType<typeof answers> => answers(script, kind === "text" ? {} : noSchemas);
  const agent = (): ReturnType<typeof createAgent<typeof rating>> =>
    createAgent({ model: model(), responseFormat: rating });
  expect(await collect(agent().partials("Rate it."))).toEqual([
    ...(kind === "text" ? [] : [{}]),
    { rating: 4 },
    { rating: 4, comment: "go" },
    { rating: 4, comment: "good" },
  ]);
  const patches = await collect(agent().patches("Rate it."));
  expect(folded(patches)).toEqual({ rating: 4, comment: "good" });
  const events = await collect(agent().stream("Rate it."));
  expect(ofType(events, "structured")).toEqual([
    { type: "structured", name: "ProductRating", value: { rating: 4, comment: "good" } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "structured" });
});

test("a response that arrives whole is one patch, and is reset if it is invalid", async () => {
  const whole = (id: string, stars: number): never =>
    [
      { content: [{ type: "tool_call", id, name: "ProductRating", args: { rating: stars, comment: "" } }] },
    ] as never;
  const agent = createAgent({
    model: answers([whole("1", 10), whole("2", 5)]),
    responseFormat: toolStrategy(rating),
  });
  expect(await collect(agent.patches("Rate it."))).toEqual([
    [{ op: "replace", path: "", value: { rating: 10, comment: "" } }],
    [{ op: "replace", path: "", value: null }],
    [{ op: "replace", path: "", value: { rating: 5, comment: "" } }],
  ]);
});

test("the usage of a stopped call is kept", async () => {
  const usage = { inputTokens: 50 };
  const model = answers([
    [{ content: [], usage }, ...call("1", "ProductRating", '{"rating": 10', ", never heard")],
    [{ content: [], usage }, ...call("2", "ProductRating", '{"rating": 5, "comment": ""}')],
  ]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating) });
  expect((await agent.invoke("Rate it.")).state.usage).toEqual({ inputTokens: 100 });
});

test("text events are sent in the presence of a schema", async () => {
  const model = answers([["Let me see. ", '{"rating": 4, "comment": "ok"}']]);
  const events = await collect(createAgent({ model, responseFormat: rating }).stream("Rate it."));
  expect(
    ofType(events, "text")
      .map(({ delta }) => delta)
      .join(""),
  ).toBe('Let me see. {"rating": 4, "comment": "ok"}');
});

// G-agent-8
test("a rating out of range stops the model at once; the response is reset and asked for again", async () => {
  let closed = 0;
  const model = answers([
    (function* () {
      try {
        yield* call("1", "ProductRating", '{"comment": "great", "rating": 1', "0}", "never asked for");
      } finally {
        closed++;
      }
    })() as never,
    call("2", "ProductRating", '{"comment": "great", "rating": 5}'),
  ]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating) });
  const events = await collect(agent.stream("Amazing product, 10/10!"));
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  expect(closed).toBe(1);
  expect(inShort(finish.state.messages)).toEqual([
    "user | Amazing product, 10/10!",
    'assistant | ProductRating#1!({"comment": "great", "rating": 10})',
    expect.stringMatching(/^tool#1 error \| .*"ProductRating".* at \/rating, .*10.*tool/),
    'assistant | ProductRating#2({"comment":"great","rating":5})',
    'tool#2 success | Returning structured response: {"comment":"great","rating":5}',
  ]);
  expect(ofType(events, "structured_patch").map(({ patch }) => patch)).toEqual([
    [{ op: "replace", path: "", value: { comment: "great" } }],
    [{ op: "replace", path: "", value: { comment: "great", rating: 5 } }],
  ]);
  expect(events.map(({ type }) => type).filter((type) => type.startsWith("structured"))).toEqual([
    "structured_patch",
    "structured_reset",
    "structured_error",
    "structured_patch",
    "structured",
  ]);
  expect(ofType(events, "structured_error")).toMatchObject([
    { retry: 1, error: { code: "invalid_response", issues: [{ pointer: "/rating" }] } },
  ]);
  const [sent] = JSON.parse(JSON.stringify(ofType(events, "structured_error"))) as unknown[];
  expect(sent).toMatchObject({
    problem: {
      name: "AgentError",
      code: "invalid_response",
      message: expect.stringContaining("rating") as string,
    },
  });
});

test.each([
  ["a spread", (event: AgentEvent): AgentEvent => ({ ...event })],
  ["structuredClone()", (event: AgentEvent): AgentEvent => structuredClone(event)],
  ["JSON", (event: AgentEvent): AgentEvent => JSON.parse(JSON.stringify(event)) as AgentEvent],
])("a middleware that copies events by %s changes no view", async (_, copy) => {
  const script = [
    ['{"rating": 9', "}"],
    ['{"rating": 4, "comm', 'ent": "o', 'k"}'],
  ];
  const copies: Middleware = {
    async *aroundRun(run, next) {
      for await (const event of next(run)) yield copy(event);
    },
  };
  const plain = createAgent({ model: answers([...script, ...script]), responseFormat: rating });
  const copied = createAgent({
    ...plain.options,
    model: answers([...script, ...script]),
    middleware: [copies],
  });
  const partials = await collect(plain.partials("Rate it."));
  expect(partials.at(-1)).toEqual({ rating: 4, comment: "ok" });
  expect(await collect(copied.partials("Rate it."))).toEqual(partials);
  const object = streamObject({
    ...{ model: answers(script), schema: rating },
    prompt: "Rate it.",
    middleware: [copies],
  });
  expect(await collect(object)).toEqual(partials);
});

test("without failFast, the response is validated when it is complete", async () => {
  const model = answers([
    call("1", "ProductRating", '{"rating": 10,', ' "comment": "great"}'),
    call("2", "ProductRating", '{"rating": 5, "comment": "great"}'),
  ]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating), failFast: false });
  const { messages } = await agent.invoke("Rate it.");
  expect(inShort(messages)[1]).toBe('assistant | ProductRating#1({"rating":10,"comment":"great"})');
  expect(inShort(messages)[2]).toMatch(/^tool#1 error .*\/rating: Too big/);
});

test("several structured responses in one message each get an error that names them all", async () => {
  const model = answers([
    [
      ...call("1", "ContactInfo", '{"name": "Ada", "email": "ada@lovelace.org"}'),
      ...call("2", "EventDetails", '{"event": "Tea", "date": "today"}'),
    ],
    call("3", "ContactInfo", '{"name": "Ada", "email": "ada@lovelace.org"}'),
  ]);
  const agent = createAgent({ model, responseFormat: toolStrategy([contact, event]) });
  const { messages, structuredResponse } = await agent.invoke("Ada, and tea today.");
  expect(structuredResponse).toEqual({ name: "Ada", email: "ada@lovelace.org" });
  expect(inShort(messages).slice(2, 4)).toEqual([
    expect.stringMatching(/^tool#1 error \| .*ContactInfo, EventDetails.*"ContactInfo" or "EventDetails"/),
    expect.stringMatching(/^tool#2 error \| .*ContactInfo, EventDetails.*"ContactInfo" or "EventDetails"/),
  ]);
});

test("a tool call in the same message as the response runs and is answered", async () => {
  const saved: string[] = [];
  const save = tool({
    name: "save",
    schema: z.object({ note: z.string() }),
    run: ({ note }) => {
      saved.push(note);
      return "saved";
    },
  });
  const model = answers([
    [
      ...call("1", "ContactInfo", '{"name": "Ada", "email": "a@b.c"}'),
      ...call("2", "save", '{"note": "Ada"}'),
    ],
  ]);
  const agent = createAgent({ model, tools: [save], responseFormat: toolStrategy(contact) });
  const { messages, structuredResponse } = await agent.invoke("Ada.");
  expect(saved).toEqual(["Ada"]);
  expect(structuredResponse.name).toBe("Ada");
  expect(inShort(messages).slice(2)).toEqual([
    "tool#2 success | saved",
    'tool#1 success | Returning structured response: {"name":"Ada","email":"a@b.c"}',
  ]);
});

test("after a text answer, the model is asked to call the tool", async () => {
  const model = answers([["It is Ada."], call("1", "ContactInfo", '{"name": "Ada", "email": "a@b.c"}')]);
  const { messages } = await createAgent({ model, responseFormat: toolStrategy(contact) }).invoke("Who?");
  expect(inShort(messages).slice(1, 3)).toEqual([
    "assistant | It is Ada.",
    expect.stringMatching(/^user \| .*tool "ContactInfo"/),
  ]);
});

test("JSON in text before tool calls does not count as an invalid response", async () => {
  const look = tool({ name: "look", run: () => "seen" });
  const model = answers([
    ['I call it with {"input": 1}. ', ...call("1", "look", '{"input": "x"}')],
    ['{"name": "Ada", "email": "a@b.c"}'],
  ]);
  const agent = createAgent({ model, tools: [look], responseFormat: contact });
  const events = await collect(agent.stream("Who?"));
  expect(ofType(events, "structured_error")).toEqual([]);
  expect(ofType(events, "structured")).toMatchObject([{ value: { name: "Ada" } }]);
  expect(folded(ofType(events, "structured_patch").map(({ patch }) => patch))).toEqual({
    name: "Ada",
    email: "a@b.c",
  });
});

const wrong = call("1", "ProductRating", '{"rating": 10, "comment": "x"}');
const right = call("2", "ProductRating", '{"rating": 5, "comment": "x"}');

test.each([
  ["a string", "Between 1 and 5, please.", "Between 1 and 5, please."],
  ["a function", (error: AgentError) => `No: ${error.issues[0]?.pointer}`, "No: /rating"],
  ["an asynchronous function", async (error: AgentError) => Promise.resolve(error.code), "invalid_response"],
])("handleError can be %s", async (_, handleError, text) => {
  const model = answers([wrong, right]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating, { handleError }) });
  const { messages } = await agent.invoke("Rate it.");
  expect(inShort(messages)[2]).toBe(`tool#1 error | ${text}`);
});

test("handleError: false ends the run with the error, which has the state and the partial value", async () => {
  const model = answers([call("1", "ProductRating", '{"comment": "x", "rating": 10}')]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating, { handleError: false }) });
  await expect(agent.invoke("Rate it.")).rejects.toMatchObject({
    name: "AgentError",
    code: "invalid_response",
    names: ["ProductRating"],
    value: { comment: "x" },
    // The call is answered anyway, so the run can be resumed.
    state: {
      step: 1,
      messages: [{ role: "user" }, { role: "assistant" }, { role: "tool", status: "error" }],
    },
  });
});

test("an error that handleError throws ends the run unchanged", async () => {
  const mine = new Error("mine");
  const handleError = (): never => {
    throw mine;
  };
  const agent = createAgent({
    model: answers([wrong]),
    responseFormat: toolStrategy(rating, { handleError }),
  });
  await expect(agent.invoke("Rate it.")).rejects.toBe(mine);
});

// G-agent-8
test("maxRetries limits the retries", async () => {
  const model = answers([wrong, wrong, wrong]);
  const agent = createAgent({ model, responseFormat: toolStrategy(rating), maxRetries: 2 });
  await expect(agent.invoke("Rate it.")).rejects.toMatchObject({
    code: "invalid_response",
    state: { retries: 2, step: 3 },
  });
  expect(model.calls.length).toBe(3);
});

test.each([
  ["the token limit", "truncated", { content: [], finishReason: "length" as const }],
  ["a content filter", "content_filter", { content: [], finishReason: "content_filter" as const }],
  ["a refusal", "refused", { content: [], refusal: "No.", finishReason: "stop" as const }],
])("%s ends the run with its own error for any handleError", async (_, code, end) => {
  const before = code === "refused" ? [] : ['{"rating": 5, "comm'];
  const model = answers([[...before, end]]);
  const agent = createAgent({ model, responseFormat: rating });
  await expect(agent.invoke("Rate it.")).rejects.toMatchObject({ code, names: ["ProductRating"] });
  expect(model.calls.length).toBe(1);
});

test("an empty stream is an error, with or without a response format", async () => {
  const empty = (): ReturnType<typeof answers> => answers([[{ content: [] }]]);
  const nothing = { ...empty(), stream: () => collectable([]) };
  await expect(createAgent({ model: nothing }).invoke("Hi")).rejects.toMatchObject({
    code: "empty",
    state: { step: 0 },
  });
});

async function* collectable<T>(items: readonly T[]): AsyncGenerator<T> {
  await Promise.resolve();
  yield* items;
}

test("the run returns the output of the schema: transforms, defaults, refinements", async () => {
  const schema = z.object({
    when: z.string().transform((text) => new Date(text)),
    tags: z.array(z.string()).default([]),
  });
  const model = answers([['{"when": "2026-11-21T00:00:00Z"}']]);
  const { structuredResponse } = await createAgent({ model, responseFormat: schema }).invoke("When?");
  expect(structuredResponse.when.getUTCFullYear()).toBe(2026);
  expect(structuredResponse.tags).toEqual([]);
});

test("toolMessageContent is the text of the tool message", async () => {
  const model = answers([right]);
  const responseFormat = toolStrategy(rating, { toolMessageContent: "Captured." });
  const { messages } = await createAgent({ model, responseFormat }).invoke("Rate it.");
  expect(inShort(messages).at(-1)).toBe("tool#2 success | Captured.");
});

test.each([
  [
    "two schemas with the same name",
    () => toolStrategy([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    ["output", "output_2"],
  ],
  [
    "a title with characters that tool names cannot have",
    () => toolStrategy(z.object({}).meta({ title: "A thing!" })),
    ["A_thing_"],
  ],
])("%s: the names are valid and unique", async (_, format, names) => {
  const model = answers([call("1", names[0] as string, '{"a": "x"}')]);
  await createAgent({ model, responseFormat: format() }).invoke("Go.");
  expect(model.calls[0]?.options.tools?.map(({ name }) => name)).toEqual(names);
});

test.each([
  [
    "a response that is not an object",
    () => toolStrategy(z.array(z.string()).meta({ title: "Names" })),
    ["Names", "array"],
  ],
  ["an empty array of schemas", () => toolStrategy([]), ["responseFormat"]],
])("createAgent() rejects %s", (_, format, words) => {
  const make = (): unknown => createAgent({ model: answers([]), responseFormat: format() });
  expect(make).toThrow(expect.objectContaining({ code: "invalid_options" }));
  for (const word of words) expect(make).toThrow(word);
});

test("createAgent() rejects a tool and a schema with the same name", () => {
  const tools = [tool({ name: "ContactInfo", run: () => "" })];
  expect(() => createAgent({ model: answers([]), tools, responseFormat: toolStrategy(contact) })).toThrow(
    /"ContactInfo"/,
  );
});

test("with append, patches extend strings", async () => {
  const model = answers([['{"name": "A', 'da", "email": ""}']]);
  const agent = createAgent({ model, responseFormat: contact, append: true });
  expect((await collect(agent.patches("Who?")))[1]?.[0]).toEqual({
    op: "append",
    path: "/name",
    value: "da",
  });
});

function folded(patches: readonly JsonPatch[]): unknown {
  let value: unknown = null;
  for (const patch of patches) {
    value = applyPatch({ value }, patch.map((it) => ({ ...it, path: `/value${it.path}` })) as never)
      .newDocument.value;
  }
  return value;
}
