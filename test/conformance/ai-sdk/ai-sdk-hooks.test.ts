import { createAgent, type JsonPatch, tool } from "millrace";
import { type AnyTool, clientTool, humanApproval, type Middleware, toolStrategy } from "millrace/agent";
import { createPatchStore } from "millrace/client";
import {
  boundedHandler,
  fromUiMessages,
  keepResponse,
  memoryLog,
  resumeResponse,
  toTextStream,
  toUiMessageStream,
  uiMessageHandler,
} from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { act, createElement, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { answers, call } from "../../agent/support/script.js";
import { fakeContainer, installFakeDom } from "../../client/fake-dom.js";
import { counter, recipe, recipeAgent } from "../../serve/ag-ui/ag-ui-conversation.js";
import { post, serving } from "../../serve/http/request-server.js";
import {
  DefaultChatTransport,
  readUIMessageStream,
  type UIMessage,
  useChat,
  useObject,
} from "../../serve/ai-sdk/untyped-ai-sdk.js";

type Runner = Pick<ReturnType<typeof recipeAgent>, "stream">;

/** An agent in a route, as in the documentation of the AI SDK. */
const chatOf =
  (agent: Runner, options: Parameters<typeof toUiMessageStream>[1] & { openCalls?: boolean } = {}) =>
  (request: Request): Promise<Response> =>
    boundedHandler((body, { signal }) =>
      toUiMessageStream(agent.stream(fromUiMessages(body, options), { signal }), options),
    )(request);

/** The messages of the AI SDK's reader after each part. */
async function messagesOf(agent: Runner, options: Parameters<typeof chatOf>[1] = {}): Promise<UIMessage[]> {
  const transport = new DefaultChatTransport({
    api: "http://localhost/chat",
    fetch: (url, init) => chatOf(agent, options)(new Request(url, init)),
  });
  const stream = await transport.sendMessages({
    chatId: "chat",
    messages: [{ id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] }],
    trigger: "submit-message",
    messageId: undefined,
    abortSignal: undefined,
  });
  const messages: UIMessage[] = [];
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) messages.push(message);
  return messages;
}

describe("keepResponse(), read by the transport of the AI SDK", () => {
  test("gives a client that lost its connection at any part the whole message", async () => {
    const log = memoryLog();
    const transport = new DefaultChatTransport({
      api: "http://localhost/chat",
      fetch: async (url, init) => {
        if (init?.method !== "GET") {
          const { id } = JSON.parse(init?.body as string) as { readonly id: string };
          const response = toUiMessageStream(recipeAgent(true).stream("Hi"), { createId: counter() });
          return keepResponse(response, { log, id });
        }
        const id = /([^/]+)\/stream$/.exec(new URL(url).pathname)?.[1] ?? "";
        return (await resumeResponse({ log, id })) ?? new Response(null, { status: 204 });
      },
    });
    expect(await transport.reconnectToStream({ chatId: "unknown" })).toBeNull();
    const all: unknown[][] = [];
    for (let left = 0; left <= (all[0]?.length ?? 0); left++) {
      const chatId = String(left);
      const [trigger, messageId, abortSignal] = ["submit-message", undefined, undefined] as const;
      const sent = await transport.sendMessages({ chatId, messages: [], trigger, messageId, abortSignal });
      const reader = sent.getReader();
      for (let i = 0; i < left; i++) await reader.read();
      await reader.cancel();
      const again = (await transport.reconnectToStream({ chatId })) as ReadableStream<unknown>;
      const parts: unknown[] = [];
      const resumed = again.getReader();
      for (let next = await resumed.read(); !next.done; next = await resumed.read()) parts.push(next.value);
      all.push(parts);
    }
    expect(all.length).toBeGreaterThan(20);
    for (const parts of all) expect(parts).toEqual(all[0]);
    expect(all[0]?.at(-1)).toMatchObject({ type: "finish" });
  });
});

describe("toUiMessageStream(), read by the AI SDK", () => {
  test("yields a message with text, reasoning, tools and the structured response", async () => {
    const response = await chatOf(recipeAgent(false))(post({ messages: [] }));
    expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
    expect((await response.text()).endsWith("data: [DONE]\n\n")).toBe(true);

    const messages = await messagesOf(recipeAgent(false));
    expect(messages.at(-1)?.parts).toMatchObject([
      { type: "step-start" },
      { type: "reasoning", text: "I should look.", state: "done" },
      { type: "text", text: "Let me look.", state: "done" },
      {
        type: "tool-stock",
        toolCallId: "1",
        state: "output-available",
        input: { tea: "green" },
        output: { tea: "green", tins: 3 },
      },
      {
        type: "tool-kettle",
        toolCallId: "2",
        state: "output-error",
        input: { litres: 1 },
        errorText: expect.stringMatching(/"kettle".*The kettle is empty\.$/) as string,
      },
      { type: "step-start" },
      { type: "text", text: "Now the recipe.", state: "done" },
      { type: "step-start" },
      {
        type: "data-structured",
        id: "structured",
        data: { title: "Tea", steps: ["boil", "pour"], minutes: 5 },
      },
    ]);
    const ofStock = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool-stock"));
    expect(ofStock).toContainEqual(expect.objectContaining({ output: { looking: 0.5 }, preliminary: true }));
    expect(ofStock).toContainEqual(expect.objectContaining({ state: "input-streaming", input: {} }));
  });

  test("optionally yields the growing response, and null when it is reset", async () => {
    const messages = await messagesOf(recipeAgent(true), { partials: true });
    const seen = messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === "data-structured" && "data" in part ? [JSON.stringify(part.data)] : [],
      ),
    );
    const changes = seen.filter((value, index) => value !== seen[index - 1]);
    expect(changes).toEqual([
      '{"title":"Te"}',
      '{"title":"Tea","steps":["bo"]}',
      '{"title":"Tea","steps":["boil"]}',
      "null",
      '{"title":"T"}',
      '{"title":"Tea","steps":["bo"]}',
      '{"title":"Tea","steps":["boil","po"]}',
      '{"title":"Tea","steps":["boil","pour"]}',
      '{"title":"Tea","steps":["boil","pour"],"minutes":5}',
    ]);
  });

  test("yields invalid calls with the reason", async () => {
    const model = answers([
      [...call("1", "nothing", '{"a":1}'), ...call("2", "echo", '{"input": }')],
      ["End."],
    ]);
    const echo = tool({ name: "echo", run: (text) => text });
    const [, first, second] = (await messagesOf(createAgent({ model, tools: [echo] }))).at(-1)?.parts ?? [];
    expect(first).toMatchObject({ type: "tool-nothing", state: "output-error", rawInput: '{"a":1}' });
    expect(first).toMatchObject({ errorText: expect.stringMatching(/"nothing".*"echo"/) as string });
    expect(second).toMatchObject({ type: "tool-echo", state: "output-error", rawInput: '{"input": }' });
  });

  test("keeps artifacts on the server", async () => {
    const find = tool({ name: "find", output: "content_and_artifact", run: () => ["two", { secret: 1 }] });
    const model = answers([call("1", "find", '{"input": ""}'), ["End."]]);
    const messages = await messagesOf(createAgent({ model, tools: [find] }));
    expect(messages.at(-1)?.parts[1]).toMatchObject({ type: "tool-find", output: "two" });
    expect(JSON.stringify(messages)).not.toContain("secret");
  });

  test("leaves calls of client tools to the client, and asks for approvals", async () => {
    const stateOf = async (paint: AnyTool, middleware: readonly Middleware[]): Promise<unknown> => {
      const model = scriptedModel(call("1", "paint", '{"input": "red"}'));
      return (await messagesOf(createAgent({ model, tools: [paint], middleware }))).at(-1)?.parts[1];
    };
    const input = { input: "red" };
    const onPage = await stateOf(clientTool({ name: "paint" }), []);
    expect(onPage).toMatchObject({ state: "input-available", input });
    const approval = humanApproval({ decide: () => undefined });
    const asked = await stateOf(tool({ name: "paint", run: (colour) => colour }), [approval]);
    expect(asked).toMatchObject({ state: "approval-requested", approval: { id: "1" } });
  });

  test("ends with an error without details, or with an abort", async () => {
    const failing = scriptedModel(() => {
      throw new Error("password=secret");
    });
    const heard: unknown[] = [];
    const onError = (error: unknown): undefined => void heard.push(error);
    await expect(messagesOf(createAgent({ model: failing }), { onError })).rejects.toThrow(
      /^The run failed\.$/,
    );
    expect(heard).toHaveLength(1);

    const controller = new AbortController();
    const model = scriptedModel(async function* () {
      yield "Wait";
      controller.abort();
      await new Promise(() => {});
    });
    const events = createAgent({ model }).stream("Hi", { signal: controller.signal });
    expect(await toUiMessageStream(events, { createId: () => "1" }).text()).toContain(
      '"text-end","id":"1"}\n\ndata: {"type":"abort"}',
    );
    const bigInt = tool({
      name: "big",
      async *run() {
        yield 1n;
        return "";
      },
    });
    const big = createAgent({ model: answers([call("1", "big", '{"input": ""}')]), tools: [bigInt] });
    await expect(messagesOf(big)).rejects.toThrow(/^The run failed\.$/);
  });
});

describe("the hooks of @ai-sdk/react", () => {
  let uninstall: () => void;
  beforeAll(() => {
    uninstall = installFakeDom();
  });
  afterAll(() => {
    uninstall();
  });

  /** Renders a component that calls a hook, and returns its last result. */
  async function rendering<T>(
    hook: () => T,
    use: (current: () => T, until: (ready: (value: T) => boolean) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    let value: T | undefined;
    let onRender = (): void => {};
    const Page = (): ReactNode => {
      value = hook();
      onRender();
      return null;
    };
    const root = createRoot(fakeContainer());
    await act(async () => root.render(createElement(Page)));
    const until = (ready: (value: T) => boolean): Promise<void> =>
      act(
        () =>
          new Promise<void>((resolve) => {
            onRender = () => {
              if (ready(value as T)) resolve();
            };
            onRender();
          }),
      );
    try {
      await use(() => value as T, until);
    } finally {
      await act(async () => root.unmount());
    }
  }

  test("useObject() updates the object, and has an error when a response is reset", async () => {
    const good = '{"title": "Tea ☕", "steps": ["boil", "pour"], "minutes": 5}';
    const pieces = good.match(/.{1,7}/gsu) ?? [];
    const agents = [
      createAgent({ model: answers([call("1", "Recipe", ...pieces)]), responseFormat: toolStrategy(recipe) }),
      recipeAgent(true),
    ];
    const handle = boundedHandler(() =>
      toTextStream((agents.shift() as Runner & (typeof agents)[0]).patches("Hi")),
    );
    await serving(handle, async (url) => {
      await rendering(
        () => useObject({ api: url, schema: recipe }),
        async (current, until) => {
          await act(async () => current().submit({ prompt: "Tea" }));
          await until(({ isLoading }) => !isLoading);
          expect(current().object).toEqual(JSON.parse(good));
          expect(current().error).toBeUndefined();
          await act(async () => current().submit({ prompt: "Tea" }));
          await until(({ error }) => error !== undefined);
        },
      );
    });
  });

  test("useChat() shows a run, passes its patches to a store, and sends the conversation back", async () => {
    const seen: (readonly object[])[] = [];
    const agent = recipeAgent(true);
    const spied: Runner = {
      stream: (input, options) => {
        seen.push(input as readonly object[]);
        return seen.length === 1 ? agent.stream(input, options) : recipeAgent(true).stream(input, options);
      },
    };
    const store = createPatchStore<z.infer<typeof recipe>>({ schedule: (show) => show() });
    await serving(chatOf(spied), async (url) => {
      const transport = new DefaultChatTransport({ api: url });
      await rendering(
        () =>
          useChat({
            transport,
            onData: ({ type, data }) => {
              if (type === "data-structured-patch") store.apply(data as JsonPatch);
            },
          }),
        async (current, until) => {
          await act(() => current().sendMessage({ text: "Tea, please." }));
          await until(({ status }) => status === "ready");
          expect(current().messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
          expect(store.getSnapshot()).toEqual({ title: "Tea", steps: ["boil", "pour"] });
          await act(() => current().sendMessage({ text: "Another." }));
          await until(({ status }) => status === "ready");
        },
      );
    });
    expect(seen[1]?.map((message) => ("role" in message ? message.role : ""))).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "assistant",
      "user",
    ]);
    expect(seen[1]?.[1]).toMatchObject({
      content: [{ type: "text", text: "Let me look." }],
      tool_calls: [
        { id: "1", function: { name: "stock", arguments: '{"tea":"green"}' } },
        { id: "2", function: { name: "kettle", arguments: '{"litres":1}' } },
      ],
    });
    expect(seen[1]?.[2]).toMatchObject({ toolCallId: "1", status: "success" });
    expect(seen[1]?.[5]).toMatchObject({
      content: [{ type: "text", text: '{"title":"Tea","steps":["boil","pour"],"minutes":5}' }],
    });
  });

  test("useChat() approves a call, and the same message continues", async () => {
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? ["Paid."] : call("1", "pay", '{"input": "100"}'),
    );
    const pay = tool({ name: "pay", run: (amount) => `paid ${amount}` });
    const agent = createAgent({ model, tools: [pay], middleware: [humanApproval()] });
    await serving(uiMessageHandler(agent, { openCalls: true }), async (url) => {
      const transport = new DefaultChatTransport({ api: url });
      await rendering(
        () => useChat({ transport }),
        async (current, until) => {
          await act(() => current().sendMessage({ text: "Pay." }));
          await until(({ status }) => status === "ready");
          expect(current().messages[1]?.parts.at(-1)).toMatchObject({
            state: "approval-requested",
            approval: { id: "1" },
          });
          await act(async () => {
            await current().addToolApprovalResponse({ id: "1", approved: true });
          });
          await act(() => current().sendMessage());
          await until(({ status }) => status === "ready");
          expect(current().messages).toHaveLength(2);
          const [, pay, , text] = current().messages[1]?.parts ?? [];
          expect(pay).toMatchObject({ state: "output-available", output: "paid 100" });
          expect(text).toMatchObject({ type: "text", text: "Paid." });
        },
      );
    });
  });
});
