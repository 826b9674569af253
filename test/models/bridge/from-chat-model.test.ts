import { type AssistantMessage, toolCallsOf } from "millrace";
import { fromChatModel, type LangChainChatModel } from "millrace/models";
import { describe, expect, test } from "vitest";
import { answer, cutAnswer, errorOf, events, fault, type Server, serverOf, stream, time } from "./support.js";

const langChain: string = "@langchain/openai";
// The types of LangChain do not compile with ours, so they are not loaded.
type Constructor = new (fields: object) => LangChainChatModel;
const { AzureChatOpenAI, ChatOpenAI } = (await import(langChain)) as Record<
  "AzureChatOpenAI" | "ChatOpenAI",
  Constructor
>;

/** The published packages, with a server in place of fetch(). */
const packages = [
  [
    "ChatOpenAI",
    ({ fetch }: Server, fields: object = {}) =>
      new ChatOpenAI({
        model: "m-1",
        apiKey: "sk-12345678",
        maxRetries: 0,
        ...fields,
        configuration: { fetch },
      }),
  ],
  [
    "AzureChatOpenAI",
    ({ fetch }: Server, fields: object = {}) =>
      new AzureChatOpenAI({
        azureOpenAIApiKey: "sk-12345678",
        azureOpenAIApiInstanceName: "mine",
        azureOpenAIApiDeploymentName: "m-1",
        azureOpenAIApiVersion: "2024-10-21",
        maxRetries: 0,
        ...fields,
        configuration: { fetch },
      }),
  ],
] as const;

describe.each(packages)("%s", (_, create) => {
  test("answers with text, calls, usage and the reason", async () => {
    const message = await fromChatModel(create(serverOf(stream(answer)))).invoke("Time?", { tools: [time] });
    expect(message).toMatchObject({
      finishReason: "tool_calls",
      usage: { inputTokens: 5, outputTokens: 3 },
      content: [
        { type: "text", text: "It is noon." },
        { type: "tool_call", id: "call_1", name: "time", args: { zone: "UTC" } },
      ],
    });
  });

  test("sends messages, media, tools and options on the wire", async () => {
    const server = serverOf(stream(answer));
    const model = fromChatModel(create(server));
    const first = await model.invoke("Time?", { tools: [time] });
    await model.invoke(
      [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] },
        first,
        { role: "tool", toolCallId: "call_1", content: "12:00" },
      ],
      { tools: [time], toolChoice: "required", stop: "x" },
    );
    const { messages, ...sent } = server.bodies[1] as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(JSON.stringify(messages[1])).toContain("data:image/png;base64,iVBORw0KGgo=");
    expect(messages[2]).toMatchObject({
      content: "It is noon.",
      tool_calls: [{ id: "call_1", function: { name: "time", arguments: '{"zone":"UTC"}' } }],
    });
    expect(messages[3]).toMatchObject({ tool_call_id: "call_1", content: "12:00" });
    expect(sent).toMatchObject({ stop: ["x"], tool_choice: { function: { name: "time" } } });
    expect(sent).toMatchObject({ tools: [{ function: { name: "time", parameters: time.parameters } }] });
  });

  test("sends no half of a surrogate pair, which servers refuse", async () => {
    const server = serverOf(stream(answer));
    const model = fromChatModel(create(server));
    const tools = [{ ...time, description: "Half \ud83c" }];
    await model.invoke("A cup: \ud83c, a whole one: 🍵", { tools });
    const sent = JSON.stringify(server.bodies);
    expect([sent.includes("\\ud83c"), sent.match(/\ufffd/g)?.length, sent.includes("🍵")]).toEqual([
      false,
      2,
      true,
    ]);
  });

  test("retries itself where LangChain does not, and not beside it", async () => {
    const server = serverOf(fault(503), stream(answer));
    const model = fromChatModel(create(server), { random: () => 0, clock: noWait });
    expect(toolCallsOf(await model.invoke("Hi"))).toHaveLength(1);
    expect(server.bodies).toHaveLength(2);
    const retrying = serverOf(fault(400));
    await errorOf(fromChatModel(create(retrying, { maxRetries: 3 })).invoke("Hi"));
    expect(retrying.bodies).toHaveLength(1);
  });

  test("reports a status without the prompt or the key", async () => {
    const error = await errorOf(
      fromChatModel(create(serverOf(fault(429, { "retry-after": "7" }))), { maxRetries: 0 }).invoke(
        "a secret",
      ),
    );
    expect(error).toMatchObject({
      code: "http",
      status: 429,
      retryable: true,
      retryAfter: 7000,
      requestId: "r9",
    });
    const { inspect } = await import("node:util");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/a secret|sk-12345678/);
  });

  test("reports a stream without its end as cut, which LangChain takes for an answer", async () => {
    const error = await errorOf(
      fromChatModel(create(serverOf(stream(cutAnswer))), { maxRetries: 0 }).invoke("Hi"),
    );
    expect(error).toMatchObject({ code: "cut", retryable: true });
    expect((error.partial as AssistantMessage).content).toMatchObject([
      { type: "text", text: "It is noon." },
    ]);
  });

  test("ends with the reason of the signal, and closes the connection when the loop is left", async () => {
    let canceled = 0;
    const body = (): Response => {
      const bytes = new TextEncoder().encode(answer.slice(0, 400));
      const open = new ReadableStream({
        start: (controller) => {
          controller.enqueue(bytes);
        },
        cancel: () => {
          canceled++;
        },
      });
      return new Response(open, { headers: { "content-type": "text/event-stream" } });
    };
    const model = fromChatModel(create(serverOf(body)));
    for await (const chunk of model.stream("Hi")) if (chunk.content.length > 0) break;
    await expect.poll(() => canceled).toBe(1);
    const reason = new Error("enough");
    await expect(model.invoke("Hi", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("refuses options that only the constructor has, and a schema that may be ignored", async () => {
    const server = serverOf(stream(answer));
    const model = fromChatModel(create(server));
    const format = { name: "a", schema: { type: "object" } };
    const forced = { toolChoice: "required" } as const;
    for (const options of [
      { temperature: 1 },
      { maxTokens: 9 },
      { seed: 1 },
      { responseFormat: format },
      forced,
    ]) {
      expect((await errorOf(model.invoke("Hi", options))).code).toBe("invalid_request");
    }
    expect(server.bodies).toHaveLength(0);
    const structured = fromChatModel(create(server), { profile: { structuredOutput: true } });
    await structured.invoke("Hi", { responseFormat: format });
    expect(server.bodies[0]).toMatchObject({
      response_format: { type: "json_schema", json_schema: { name: "a" } },
    });
  });
});

const noWait = {
  now: (): number => 0,
  setTimeout: (callback: () => void, milliseconds: number): unknown =>
    milliseconds > 60_000 ? undefined : setTimeout(callback, 0),
  clearTimeout: (timer: unknown): void => {
    clearTimeout(timer as never);
  },
};

test("the reasoning items of OpenAI's Responses API go back with the next request", async () => {
  const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "secret-state" };
  const text = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Yes.", annotations: [] }],
  };
  const response = {
    id: "resp_1",
    object: "response",
    model: "m-1",
    created_at: 1,
    status: "completed",
    error: null,
  };
  const ended = {
    ...response,
    output: [item, text],
    usage: { input_tokens: 5, output_tokens: 3, total_tokens: 8 },
  };
  const body = events(
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, encrypted_content: "" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.output_item.added", output_index: 1, item: { ...text, content: [] } },
    {
      type: "response.output_text.delta",
      item_id: "msg_1",
      output_index: 1,
      content_index: 0,
      delta: "Yes.",
    },
    { type: "response.output_item.done", output_index: 1, item: text },
    { type: "response.completed", response: ended },
  );
  const server = serverOf(stream(body));
  const chat = new ChatOpenAI({
    model: "m-1",
    apiKey: "sk-12345678",
    useResponsesApi: true,
    maxRetries: 0,
    configuration: { fetch: server.fetch },
  });
  const model = fromChatModel(chat);
  const first = await model.invoke("Hi");
  expect(first).toMatchObject({ finishReason: "stop", content: [{ type: "text", text: "Yes." }] });
  await model.invoke(["Hi", first, "More"]);
  expect(JSON.stringify(server.bodies[1]?.["input"])).toContain("secret-state");
});

test("fields of a tool for its provider are sent as the extras of LangChain's tools", async () => {
  const bound: unknown[] = [];
  const model = {
    stream: async () => [{ content: "Tea.", response_metadata: { finish_reason: "stop" } }],
    bindTools(tools: readonly unknown[]) {
      bound.push(...tools);
      return this;
    },
  };
  const parameters = { type: "object", properties: {} };
  const cached = {
    name: "cached",
    description: "",
    parameters,
    extras: { cache_control: { type: "ephemeral" } },
  };
  await fromChatModel(model as never).invoke("Time?", {
    tools: [cached, { name: "plain", description: "", parameters }],
  });
  expect(bound).toMatchObject([
    { name: "cached", schema: parameters, extras: cached.extras },
    { type: "function", function: { name: "plain", parameters } },
  ]);
});

test("what is no chat model is refused at once", () => {
  for (const it of [undefined, {}, "gpt"])
    expect(() => fromChatModel(it as never)).toThrow(/chat model of LangChain/);
});
