import {
  type AssistantMessage,
  collect,
  type JsonObject,
  type MessagesInput,
  type ModelError,
  toolCallsOf,
} from "millrace";
import { fromLanguageModel, type FromLanguageModelOptions, type SdkLanguageModel } from "millrace/models";
import { describe, expect, test, vi } from "vitest";
import { answer, cutAnswer, errorOf, fault, type Server, serverOf, stream, time } from "./support.js";

type Create = (
  settings: object,
) => { chatModel?: (id: string) => SdkLanguageModel } & ((id: string) => SdkLanguageModel);

/** The published packages, with a server in place of fetch(). Their types do not compile with ours. */
const packages = await Promise.all(
  (
    [
      ["V2", "openai-compatible-1", "createOpenAICompatible"],
      ["V3", "@ai-sdk/openai-compatible", "createOpenAICompatible"],
      ["V4", "openai-compatible-3", "createOpenAICompatible"],
      ["Mistral's", "@ai-sdk/mistral", "createMistral"],
    ] as const
  ).map(async ([name, from, factory]) => {
    const exports = (await import(from)) as Readonly<Record<string, Create>>;
    return [name, exports[factory] as Create] as const;
  }),
);

function bridge(
  create: Create,
  { fetch }: Server,
  options?: FromLanguageModelOptions,
): ReturnType<typeof fromLanguageModel> {
  const provider = create({ name: "mine", baseURL: "http://a.example/v1", apiKey: "sk-12345678", fetch });
  return fromLanguageModel((provider.chatModel ?? provider)("m-1"), options);
}

describe.each(packages)("a model of %s package", (_, create) => {
  test("answers with text, calls, usage and the reason", async () => {
    const server = serverOf(stream(answer));
    const message = await bridge(create, server).invoke("What time is it?", { tools: [time] });
    expect(message).toMatchObject({
      role: "assistant",
      id: "c1",
      model: "m-1",
      finishReason: "tool_calls",
      usage: { inputTokens: 5, outputTokens: 3, totalTokens: 8 },
      content: [
        { type: "text", text: "It is noon." },
        { type: "tool_call", id: "call_1", name: "time", args: { zone: "UTC" } },
      ],
    });
    expect(server.bodies).toHaveLength(1);
  });

  test("sends messages, tools and options on the wire", async () => {
    const server = serverOf(stream(answer));
    const model = bridge(create, server);
    const first = await model.invoke("Time?", { tools: [time] });
    const conversation: MessagesInput = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Time?" },
      first,
      { role: "tool", toolCallId: "call_1", content: "12:00" },
    ];
    await model.invoke(conversation, { tools: [time], temperature: 0.5, maxTokens: 9, stop: "x" });
    const { messages, ...sent } = server.bodies[1] as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(messages[2]).toMatchObject({
      tool_calls: [{ id: "call_1", function: { name: "time", arguments: '{"zone":"UTC"}' } }],
    });
    expect(messages[3]).toMatchObject({ tool_call_id: "call_1", content: "12:00" });
    expect(sent).toMatchObject({ model: "m-1", temperature: 0.5, max_tokens: 9, stop: ["x"] });
    expect(sent).toMatchObject({ tools: [{ function: { name: "time", parameters: time.parameters } }] });
  });

  test("sends no half of a surrogate pair, which servers refuse", async () => {
    const server = serverOf(stream(answer));
    const model = bridge(create, server);
    const tools = [{ ...time, description: "Half \ud83c" }];
    await model.invoke("A cup: \ud83c, a whole one: 🍵", { tools });
    const sent = JSON.stringify(server.bodies);
    expect([sent.includes("\\ud83c"), sent.match(/\ufffd/g)?.length, sent.includes("🍵")]).toEqual([
      false,
      2,
      true,
    ]);
  });

  test("retries before the first chunk, once for each retry", async () => {
    const server = serverOf(fault(429), fault(503, { "retry-after": "0" }), stream(answer));
    const model = bridge(create, server, { random: () => 0, maxRetries: 2 });
    expect(toolCallsOf(await model.invoke("Hi"))).toHaveLength(1);
    expect(server.bodies).toHaveLength(3);
  });

  test("retries neither without quota nor against the word of the server", async () => {
    for (const refused of [fault(429, {}, "insufficient_quota"), fault(503, { "x-should-retry": "false" })]) {
      const server = serverOf(refused, stream(answer));
      const error = await errorOf(bridge(create, server, { random: () => 0 }).invoke("Hi"));
      expect([error.code, error.retryable, server.bodies.length]).toEqual(["http", false, 1]);
    }
  });

  test("reports a status without the prompt or the key", async () => {
    const server = serverOf(fault(429, { "retry-after": "7" }));
    const error = await errorOf(bridge(create, server, { maxRetries: 0 }).invoke("a secret prompt"));
    expect(error).toMatchObject({
      code: "http",
      status: 429,
      retryable: true,
      retryAfter: 7000,
      requestId: "r9",
    });
    expect(error.message).toContain("Slow down.");
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret prompt|sk-12345678/);
  });

  test("reports a stream without its end as cut, with what arrived", async () => {
    const error = await errorOf(bridge(create, serverOf(stream(cutAnswer)), { maxRetries: 0 }).invoke("Hi"));
    expect(error).toMatchObject({ code: "cut", retryable: true });
    expect((error.partial as AssistantMessage).content).toMatchObject([
      { type: "text", text: "It is noon." },
    ]);
  });

  test("ends with the reason of the signal, also before the request", async () => {
    const server = serverOf(stream(answer));
    const reason = new Error("enough");
    const model = bridge(create, server);
    await expect(model.invoke("Hi", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    await expect(async () => {
      for await (const _ of model.stream("Hi", { signal: controller.signal })) controller.abort(reason);
    }).rejects.toBe(reason);
  });

  test("refuses what the AI SDK has no option for, before the request", async () => {
    const server = serverOf(stream(answer));
    const model = bridge(create, server);
    const refused = [
      { parallelToolCalls: false },
      { reasoning: { maxTokens: 100 } },
      { responseFormat: { name: "a", schema: {}, strict: false } },
      { extra: { user: "a" } as never },
    ];
    for (const options of refused) {
      const error = await errorOf(model.invoke("Hi", options));
      expect([error.code, error.message]).toEqual(["invalid_request", expect.stringContaining("AI SDK")]);
    }
    for (const toolChoice of ["required", { name: "time" }] as const)
      expect((await errorOf(model.invoke("Hi", { toolChoice }))).code).toBe("invalid_request");
    expect(server.bodies).toHaveLength(0);
  });
});

const emptyStream = (...parts: object[]): ReadableStream<object> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: {} };

/** A model that answers with these parts, and what it was asked. */
function scripted(
  parts: readonly object[],
  more: object = {},
): { model: SdkLanguageModel; asked: Record<string, unknown>[] } {
  const asked: Record<string, unknown>[] = [];
  const model = {
    specificationVersion: "v3",
    provider: "mine.chat",
    modelId: "m-1",
    doStream: async (options: unknown) => {
      asked.push(options as Record<string, unknown>);
      return { stream: emptyStream(...parts) };
    },
    ...more,
  };
  return { model, asked };
}

test("a request that is nested too deeply, or in itself, is refused as one of our own models refuses it", async () => {
  const { model, asked } = scripted([finish]);
  const cycle: Record<string, unknown> = {};
  cycle["p"] = cycle;
  let deep: JsonObject = {};
  for (let i = 0; i < 30_000; i++) deep = { a: deep };
  for (const extra of [cycle, deep]) {
    const error = await errorOf(fromLanguageModel(model).invoke("Hi", { extra: extra as never }));
    expect(error).toMatchObject({ code: "invalid_request", retryable: false });
  }
  expect(asked).toEqual([]);
});

test("the results of a turn are sorted once, however many they are", async () => {
  const { model, asked } = scripted([finish]);
  const ids = Array.from({ length: 200 }, (_, i) => `c${i}`);
  const sort = vi.spyOn(Array.prototype, "sort");
  await fromLanguageModel(model).invoke([
    "Hi",
    { role: "assistant", content: ids.map((id) => ({ type: "tool_call", id, name: "time", args: {} })) },
    ...ids.toReversed().map((toolCallId) => ({ role: "tool", toolCallId, content: "12" }) as const),
  ]);
  const sorted = sort.mock.contexts.filter((list) => (list as unknown[]).length > 1).length;
  sort.mockRestore();
  expect(sorted).toBe(1);
  const prompt = asked[0]?.["prompt"] as { content: { toolCallId: string }[] }[];
  expect(prompt.at(-1)?.content.map(({ toolCallId }) => toolCallId)).toEqual(ids);
});

test("metadata of earlier parts is not written again with each part", async () => {
  const text = { type: "text-delta", id: "0", delta: "a" };
  const source = { type: "source", id: "s", url: "u" };
  const big = { mine: { big: Array.from({ length: 100 }, (_, i) => i) } };
  const small = { mine: { small: 1 }, other: { small: 1 } };
  const { model } = scripted([
    ...[big, small, { other: { b: 2 } }].map((providerMetadata) => ({ ...text, providerMetadata })),
    ...[big, small].map((providerMetadata) => ({ ...source, providerMetadata })),
    finish,
  ]);
  const chunks = await collect(fromLanguageModel(model).stream("Hi"));
  const given = chunks.flatMap(({ content }) => content).filter((block) => block.type === "text");
  const [first, second, third, ...sources] = given.map(({ annotations: [cited] = [], metadata }) =>
    cited?.type === "citation" ? cited.metadata : metadata,
  );
  expect(first).toEqual(big);
  expect(second).toEqual({ mine: { ...big.mine, small: 1 }, other: { small: 1 } });
  expect((second?.["mine"] as JsonObject)["big"]).toBe((first?.["mine"] as JsonObject)["big"]);
  expect(third).toEqual({ other: { small: 1, b: 2 } });
  expect(sources).toEqual([
    { id: "s", ...big },
    { id: "s", ...small },
  ]);
});

test("metadata of all parts of a block goes back to its provider, and to no other", async () => {
  const parts = [
    { type: "reasoning-start", id: "0", providerMetadata: { mine: { itemId: "rs_1" } } },
    { type: "reasoning-delta", id: "0", delta: "Hm." },
    { type: "reasoning-delta", id: "0", delta: "", providerMetadata: { mine: { signature: "sig" } } },
    { type: "reasoning-end", id: "0" },
    { type: "text-delta", id: "0", delta: "Yes." },
    {
      type: "tool-call",
      toolCallId: "c",
      toolName: "time",
      input: '{"a": 1}',
      providerMetadata: { mine: { s: 2 } },
    },
    finish,
  ];
  const { model, asked } = scripted(parts);
  const own = fromLanguageModel(model);
  const first = await own.invoke("Hi");
  const result = { role: "tool", toolCallId: "c", content: "12" } as const;
  await own.invoke(["Hi", first, result]);
  expect(asked[1]?.["prompt"]).toEqual([
    { role: "user", content: [{ type: "text", text: "Hi" }] },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { mine: { itemId: "rs_1", signature: "sig" } } },
        { type: "text", text: "Yes." },
        {
          type: "tool-call",
          toolCallId: "c",
          toolName: "time",
          input: { a: 1 },
          providerOptions: { mine: { s: 2 } },
        },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: "c", toolName: "time", output: { type: "text", value: "12" } },
      ],
    },
  ]);
  const other = scripted([finish], { provider: "other" });
  await fromLanguageModel(other.model).invoke(["Hi", first, result]);
  expect(JSON.stringify(other.asked[0]?.["prompt"])).not.toMatch(/Hm|sig|providerOptions/);
});

test("blocks that overlap are told apart by id and kind", async () => {
  const { model } = scripted([
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "a" },
    { type: "reasoning-delta", id: "0", delta: "r" },
    { type: "tool-input-start", id: "c", toolName: "time" },
    { type: "text-delta", id: "0", delta: "b" },
    { type: "tool-input-delta", id: "c", delta: "{}" },
    { type: "tool-call", toolCallId: "c", toolName: "time", input: "{}" },
    { type: "something-new", value: 1 },
    { type: "ping" },
    finish,
  ]);
  const { content } = await fromLanguageModel(model).invoke("Hi");
  expect(content).toEqual([
    { type: "text", text: "ab" },
    { type: "reasoning", reasoning: "r" },
    { type: "tool_call", id: "c", name: "time", args: {} },
    { type: "non_standard", value: { type: "something-new", value: 1 } },
  ]);
});

test("media go as the version writes them, and a URL that the provider does not read is refused", async () => {
  const png = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  const link = { type: "image", url: "https://a.example/b.png" } as const;
  const urls = { supportedUrls: Promise.resolve({ "image/*": [/^https:\/\/a\./g] }) };
  for (const [specificationVersion, data, url] of [
    ["v3", png.data, new URL(link.url)],
    ["v4", { type: "data", data: png.data }, { type: "url", url: new URL(link.url) }],
  ] as const) {
    const { model, asked } = scripted([finish], { specificationVersion, ...urls });
    await fromLanguageModel(model).invoke([{ role: "user", content: [png, link] }]);
    expect(asked[0]?.["prompt"]).toEqual([
      {
        role: "user",
        content: [
          { type: "file", mediaType: "image/png", data },
          { type: "file", mediaType: "image/*", data: url },
        ],
      },
    ]);
  }
  const { model, asked } = scripted([finish]);
  const error = await errorOf(fromLanguageModel(model).invoke([{ role: "user", content: [link] }]));
  expect(error).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("Download it") as unknown,
  });
  expect(asked).toEqual([]);
});

test("an image in the result of a tool, and an error, are written as each version does", async () => {
  const png = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  const call = { type: "tool_call", id: "c", name: "shot", args: {} } as const;
  const outputs = [
    ["v2", { type: "media", data: png.data, mediaType: "image/png" }],
    ["v3", { type: "image-data", data: png.data, mediaType: "image/png" }],
    ["v4", { type: "file", mediaType: "image/png", data: { type: "data", data: png.data } }],
  ] as const;
  for (const [specificationVersion, part] of outputs) {
    const { model, asked } = scripted([finish], { specificationVersion });
    await fromLanguageModel(model).invoke([
      "Hi",
      { role: "assistant", content: [call, { ...call, id: "d" }] },
      { role: "tool", toolCallId: "c", content: [{ type: "text", text: "Here" }, png] },
      { role: "tool", toolCallId: "d", content: "No screen", status: "error" },
    ]);
    const [, , tool] = asked[0]?.["prompt"] as { role: string; content: { output: unknown }[] }[];
    expect(tool?.content.map(({ output }) => output)).toEqual([
      { type: "content", value: [{ type: "text", text: "Here" }, part] },
      { type: "error-text", value: "No screen" },
    ]);
  }
});

test("a warning about an option of the call is an error, unless it is ignored", async () => {
  const warnings = [{ type: "unsupported", feature: "seed", details: "It has no seed." }];
  const { model } = scripted([
    { type: "stream-start", warnings },
    { type: "text-delta", id: "0", delta: "a" },
    finish,
  ]);
  const error = await errorOf(fromLanguageModel(model).invoke("Hi", { seed: 1 }));
  expect(error.code).toBe("invalid_request");
  expect(error.message).toContain("seed. It has no seed.");
  expect((await fromLanguageModel(model).invoke("Hi")).metadata).toMatchObject({ warnings });
  const ignoring = fromLanguageModel(model, { onUnsupported: "ignore" });
  expect((await ignoring.invoke("Hi", { seed: 1 })).finishReason).toBe("stop");
});

test("an error in the stream keeps its status, and nothing of the request", async () => {
  const cause = Object.assign(new Error("Overloaded"), {
    statusCode: 529,
    requestBodyValues: { a: "secret prompt" },
  });
  const { model } = scripted([
    { type: "text-delta", id: "0", delta: "a" },
    { type: "error", error: cause },
  ]);
  const error = await errorOf(fromLanguageModel(model, { maxRetries: 0 }).invoke("Hi"));
  expect(error).toMatchObject({ code: "provider", status: 529, retryable: true });
  expect(error.cause).toBeUndefined();
});

test("the extras of a tool are its options for the provider", async () => {
  const { model, asked } = scripted([finish]);
  const tools = [{ ...time, extras: { mine: { cached: true } } }];
  await fromLanguageModel(model).invoke("Hi", { tools });
  expect(asked[0]).toMatchObject({ tools: [{ name: "time", providerOptions: { mine: { cached: true } } }] });
});

test("what is no language model is refused at once", () => {
  for (const it of [undefined, {}, "m-1", { specificationVersion: "v5", doStream: () => undefined }]) {
    expect(() => fromLanguageModel(it as never)).toThrow(/"v2", "v3" or "v4"/);
  }
});

const callOf = (id: string, zone: string): object => ({
  type: "tool_call",
  id,
  name: "time",
  args: { zone },
});

/** The ids of the calls and of the results in the prompt of a model. */
async function sentIds(more: object, messages: MessagesInput): Promise<unknown[][]> {
  const { model, asked } = scripted([finish], more);
  await fromLanguageModel(model).invoke(messages, { tools: [time] });
  const prompt = asked[0]?.["prompt"] as { role: string; content: { toolCallId?: string }[] }[];
  return ["assistant", "tool"].map((role) =>
    prompt.filter((it) => it.role === role).flatMap(({ content }) => content.map((it) => it.toolCallId)),
  );
}

test("the ids of another provider's calls are those that the provider accepts, the same for call and result", async () => {
  const ids = ["toolu_01A09q90qw90lq917835lq9", "functions.time:0", `call_${"x".repeat(60)}`, "AbC123xyz"];
  const messages = [
    "Time?",
    { role: "assistant", content: ids.map((id) => callOf(id, "UTC")) },
    ...ids.map((toolCallId) => ({ role: "tool", toolCallId, content: "12" })),
  ] as MessagesInput;
  for (const [more, accepted] of [
    [{ provider: "mistral.chat" }, /^[a-zA-Z0-9]{9}$/],
    [{ provider: "vertex", modelId: "mistral-large" }, /^[a-zA-Z0-9]{9}$/],
    [{ provider: "amazon-bedrock" }, /^[\w-]{1,40}$/],
    [{ provider: "azure.responses" }, /^[\w-]{1,40}$/],
  ] as const) {
    const [calls = [], results] = await sentIds(more, messages);
    expect(calls).toEqual(results);
    expect(new Set(calls).size).toBe(ids.length);
    for (const id of calls) expect(id).toMatch(accepted);
    expect(calls[3]).toBe("AbC123xyz");
  }
});

test("the ids of the provider's own calls stay as they are", async () => {
  const metadata = { provider: "mine.chat" };
  const messages = [
    "Time?",
    { role: "assistant", content: [callOf("functions.time:0", "UTC")], metadata },
    { role: "tool", toolCallId: "functions.time:0", content: "12" },
  ] as MessagesInput;
  expect(await sentIds({}, messages)).toEqual([["functions.time:0"], ["functions.time:0"]]);
});

test("the results of a turn are in the order of their calls, which Vertex matches by position", async () => {
  const messages = [
    "Time?",
    { role: "assistant", content: [callOf("c1", "UTC"), callOf("c2", "CET")] },
    { role: "tool", toolCallId: "c2", content: "13" },
    { role: "tool", toolCallId: "c1", content: "12" },
  ] as MessagesInput;
  expect(await sentIds({}, messages)).toEqual([
    ["c1", "c2"],
    ["c1", "c2"],
  ]);
});

test("that order is also the one of a later turn with the same ids", async () => {
  const turn = (first: string, second: string): unknown[] => [
    { role: "assistant", content: [callOf(first, "UTC"), callOf(second, "CET")] },
    { role: "tool", toolCallId: "c1", content: "12" },
    { role: "tool", toolCallId: "c2", content: "13" },
  ];
  const messages = ["Time?", ...turn("c1", "c2"), ...turn("c2", "c1")] as MessagesInput;
  expect(await sentIds({}, messages)).toEqual([
    ["c1", "c2", "c2", "c1"],
    ["c1", "c2", "c2", "c1"],
  ]);
});

test("a provider that would leave out the calls of the conversation is an error", async () => {
  const warnings = [{ type: "unsupported", feature: "toolContent", details: "Tool calls removed." }];
  const { model } = scripted([{ type: "stream-start", warnings }, finish]);
  const error = await errorOf(fromLanguageModel(model).invoke("Hi"));
  expect(error.code).toBe("invalid_request");
  expect(error.message).toContain("Pass the tools");
  await fromLanguageModel(model, { onUnsupported: "ignore" }).invoke("Hi");
});

test("an error in the stream that is only a message, as Bedrock's, is shown in words and may pass", async () => {
  const failing = (error: unknown): Promise<ModelError> =>
    errorOf(
      fromLanguageModel(
        scripted([
          { type: "text-delta", id: "0", delta: "a" },
          { type: "error", error },
        ]).model,
        { maxRetries: 0 },
      ).invoke("Hi"),
    );
  const throttled = await failing({ message: "Too many requests" });
  expect(throttled).toMatchObject({ code: "provider", retryable: true });
  expect(throttled.message).toBe("mine.chat reported an error: Too many requests");
  expect(await failing({ message: "Bad input", isRetryable: false })).toMatchObject({ retryable: false });
  expect(await failing({ message: "Bad", code: "invalid_value" })).toMatchObject({ retryable: false });
});

test("the id under which AWS logs a request is in the error", async () => {
  const failing = Object.assign(new Error("Slow down"), {
    ...{ statusCode: 429, responseHeaders: { "x-amzn-requestid": "amzn-1" } },
  });
  const { model } = scripted([], { doStream: () => Promise.reject(failing) });
  const error = await errorOf(fromLanguageModel(model, { maxRetries: 0 }).invoke("Hi"));
  expect(error).toMatchObject({ status: 429, requestId: "amzn-1", retryable: true });
});

test.each([
  ["pause_turn", "pause"],
  ["max_tokens", "length"],
] as const)("the provider's word %s overrules that of the SDK", async (raw, finishReason) => {
  const { model } = scripted([
    { type: "text-delta", id: "0", delta: "a" },
    { ...finish, finishReason: { unified: raw === "pause_turn" ? "stop" : "other", raw } },
  ]);
  expect(await fromLanguageModel(model).invoke("Hi")).toMatchObject({ finishReason });
});

test("an answer that the provider ended with an error is none, whatever the SDK calls it", async () => {
  const { model } = scripted([
    { type: "text-delta", id: "0", delta: "a" },
    { ...finish, finishReason: { unified: "stop", raw: "MALFORMED_FUNCTION_CALL" } },
  ]);
  const error = await errorOf(fromLanguageModel(model, { maxRetries: 0 }).invoke("Hi"));
  expect(error).toMatchObject({ code: "provider", providerCode: "MALFORMED_FUNCTION_CALL" });
});
