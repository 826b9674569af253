import {
  assistant,
  chatPrompt,
  collect,
  createAgent,
  generateObject,
  MessageError,
  type MessagesInput,
  placeholder,
  toMessages,
  toolMessage,
  user,
} from "millrace";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadUntyped } from "../../support/load-untyped.js";

type LangChainMessage = new (fields: object) => object;
const { AIMessage, ChatMessage, HumanMessage, ToolMessage, mapChatMessagesToStoredMessages } =
  await loadUntyped<
    Record<"AIMessage" | "ChatMessage" | "HumanMessage" | "ToolMessage", LangChainMessage> & {
      readonly mapChatMessagesToStoredMessages: (messages: readonly object[]) => object[];
    }
  >("@langchain/core/messages");

const read = (...input: readonly unknown[]): unknown => toMessages(input as MessagesInput);
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const url = "https://a.example/b.png";

describe("toMessages reads contentBlocks", () => {
  test.each(["contentBlocks", "content_blocks"])("of LangChain 1, as %s", (key) => {
    const blocks = [
      { type: "text", text: "Look." },
      { type: "image", url },
      { type: "image", mime_type: "image/png", base64: "AAAA" },
      { type: "file", fileId: "f1" },
      { type: "non_standard", value: { a: 1 } },
    ];
    const said = [
      { type: "reasoning", reasoning: "Hm." },
      { type: "text", text: "A mill." },
      { type: "tool_call", id: "1", name: "f", args: { a: 1 } },
      { type: "tool_call", name: "g", args: {} },
      { type: "server_tool_call_result", toolCallId: "2", status: "success", output: 3 },
    ];
    const tool_calls = said.slice(2, 4);
    expect(
      read(
        { role: "user", [key]: blocks },
        { role: "assistant", [key]: said, tool_calls },
        { role: "tool", tool_call_id: "1", [key]: [{ type: "text", text: "4" }] },
        { role: "user", [key]: [{ type: "tool_result", tool_use_id: "9", content: "5" }] },
      ),
    ).toEqual([
      user([
        "Look.",
        { type: "image", url },
        { type: "image", mimeType: "image/png", data: "AAAA" },
        { type: "file", fileId: "f1" },
        { type: "non_standard", value: { a: 1 } },
      ]),
      assistant([
        { type: "reasoning", reasoning: "Hm." },
        "A mill.",
        { type: "tool_call", id: "1", name: "f", args: { a: 1 } },
        { type: "tool_call", id: `messages_1_${key}_3`, name: "g", args: {} },
        { type: "server_tool_result", toolCallId: "2", status: "success", output: 3 },
      ]),
      toolMessage("4", { toolCallId: "1" }),
      toolMessage("5", { toolCallId: "9" }),
    ]);
  });

  test("of message objects of LangChain, and of these as JSON", () => {
    const call = { type: "tool_call", id: "1", name: "f", args: { a: 1 } } as const;
    const messages = [
      new HumanMessage({ contentBlocks: [{ type: "text", text: "Hi" }], name: "Ann" }),
      new AIMessage({ contentBlocks: [{ type: "text", text: "So," }, call] }),
      new ToolMessage({ content: "4", tool_call_id: "1", status: "error" }),
      new ChatMessage({ role: "user", content: "And?" }),
      new AIMessage({ content: "", tool_calls: [call] }),
    ];
    const expected = [
      user("Hi", { name: "Ann" }),
      assistant(["So,", call]),
      toolMessage("4", { toolCallId: "1", status: "error" }),
      user("And?"),
      assistant(call),
    ];
    const stored = mapChatMessagesToStoredMessages(messages);
    for (const form of [messages.filter((_, index) => index !== 3), json(messages), stored, json(stored)]) {
      const [all, some] = [expected, expected.filter((_, index) => index !== 3)];
      expect(read(...(form as unknown[]))).toEqual((form as unknown[]).length === 5 ? all : some);
    }
  });
});

test.each(["toolCalls", "toolInvocations"])("toMessages refuses calls in %s by their key", (key) => {
  const calls = [{ toolCallId: "c1", toolName: "add", input: { a: 1 } }];
  const message = { role: "assistant", content: "", [key]: calls };
  expect(() => read("Hi", message)).toThrow(new RegExp(`^messages\\[1\\]\\.${key} is not read`));
  expect(() => read("Hi", { ...message, content: [] })).toThrow(MessageError);
  expect(read({ ...message, content: "Hi", [key]: [] })).toMatchObject([{ role: "assistant" }]);
});

test.each(["images", "experimental_attachments"])("toMessages refuses media in %s by their key", (key) => {
  const message = { role: "user", content: "What is it?", [key]: ["iVBORw0KGgo="] };
  expect(() => read(message)).toThrow(new RegExp(`^messages\\[0\\]\\.${key} is not read`));
  expect(() => read({ ...message, content: [{ type: "text", text: "What?" }] })).toThrow(MessageError);
  expect(read({ ...message, [key]: [] })).toMatchObject([{ role: "user" }]);
});

describe("toMessages reads the calls in additional_kwargs", () => {
  const call = { id: "1", type: "function", function: { name: "f", arguments: '{"a":1}' } };
  const expected = assistant({ type: "tool_call", id: "1", name: "f", args: { a: 1 } });
  const kwargs = { content: "", additional_kwargs: { tool_calls: [call] } };

  test("of each form of a message of LangChain", () => {
    const id = ["langchain", "schema", "messages", "AIMessageChunk"];
    const forms = [
      { role: "assistant", ...kwargs },
      { type: "ai", ...kwargs },
      { type: "ai", additional_kwargs: kwargs.additional_kwargs },
      { type: "ai", data: kwargs },
      { type: "ai", data: { ...kwargs, type: "ai" } },
      { lc: 1, type: "constructor", id, kwargs },
      { lc: 1, type: "constructor", id, kwargs: { ...kwargs, type: "ai" } },
    ];
    for (const form of forms) expect(read(form)).toEqual([expected]);
  });

  test("once, if they are in other lists too", () => {
    const tool_calls = [{ id: "1", name: "f", args: { a: 1 } }];
    const content = [{ type: "tool_use", id: "1", name: "f", input: { a: 1 } }];
    const { additional_kwargs } = kwargs;
    const invalid_tool_calls = [{ id: "1", name: "f", args: "{", error: "cut" }];
    const broken = { tool_calls: [{ ...call, function: { name: "f", arguments: "{" } }] };
    const function_call = { name: "f", arguments: '{"a": 1}' };
    expect(
      read(
        { type: "ai", content: "", tool_calls, additional_kwargs },
        { type: "ai", content, additional_kwargs },
        { type: "ai", content: "", tool_calls, additional_kwargs: { function_call } },
      ),
    ).toEqual([expected, expected, expected]);
    expect(read({ type: "ai", content: "", invalid_tool_calls, additional_kwargs: broken })).toMatchObject([
      { content: [{ type: "invalid_tool_call", id: "1" }] },
    ]);
    const [message] = toMessages({ type: "ai", content: "", additional_kwargs: { function_call } } as never);
    expect(message?.content).toEqual([
      {
        type: "tool_call",
        id: "The_input_additional_kwargs_function_call",
        name: "f",
        args: { a: 1 },
      },
    ]);
  });
});

describe("toMessages reads parts", () => {
  test("of the AI SDK: texts, reasoning and files", () => {
    const parts = [
      { type: "text", text: "Look.", state: "done" },
      { type: "file", mediaType: "image/png", url, filename: "b.png" },
      { type: "file", mediaType: "application/pdf", url, filename: "a.pdf" },
    ];
    const thought = { anthropic: { signature: "s" } };
    const said = [
      { type: "step-start" },
      { type: "reasoning", text: "Hm.", state: "done", providerMetadata: thought },
      { type: "text", text: "A mill." },
    ];
    expect(
      read(
        { id: "m1", role: "system", parts: [{ type: "text", text: "Be brief." }] },
        { id: "m2", role: "user", parts, metadata: undefined },
        { role: "assistant", parts: said },
        { role: "assistant", parts: [] },
      ),
    ).toEqual([
      { role: "system", id: "m1", content: [{ type: "text", text: "Be brief." }] },
      user(
        [
          "Look.",
          { type: "image", url, mimeType: "image/png" },
          { type: "file", url, mimeType: "application/pdf", filename: "a.pdf" },
        ],
        { id: "m2" },
      ),
      assistant([{ type: "reasoning", reasoning: "Hm.", metadata: thought }, "A mill."]),
      assistant(""),
    ]);
  });

  test("of the AI SDK: calls and their results, step by step", () => {
    const call = (toolCallId: string, fields: object): object => ({
      type: "tool-f",
      toolCallId,
      input: { a: 1 },
      ...fields,
    });
    const parts = [
      { type: "step-start" },
      { type: "text", text: "One moment." },
      call("1", { state: "output-available", output: { b: 2 } }),
      call("2", { state: "output-error", errorText: "away", input: undefined, rawInput: "{" }),
      { type: "step-start" },
      call("3", { type: "dynamic-tool", toolName: "g", state: "output-denied" }),
      call("4", { state: "output-available", output: "1 of 9", preliminary: true }),
      { type: "step-start" },
      { type: "text", text: "Done." },
      call("5", { state: "input-available" }),
    ];
    expect(read({ id: "m", role: "assistant", parts })).toMatchObject([
      {
        role: "assistant",
        id: "m",
        content: [
          { type: "text", text: "One moment." },
          { type: "tool_call", id: "1", name: "f", args: { a: 1 } },
          { type: "invalid_tool_call", id: "2", name: "f", args: "{" },
        ],
      },
      { role: "tool", toolCallId: "1", status: "success", content: [{ type: "text", text: '{"b":2}' }] },
      { role: "tool", toolCallId: "2", status: "error", content: [{ type: "text", text: "away" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_call", id: "3", name: "g" },
          { type: "tool_call", id: "4", name: "f" },
        ],
      },
      { role: "tool", toolCallId: "3", status: "error" },
      { role: "assistant", content: [{ text: "Done." }, { id: "5" }] },
    ]);
  });

  test("of Gemini: texts, thoughts and media", () => {
    const parts = [
      { text: "Look." },
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { fileData: { mimeType: "application/pdf", fileUri: url } },
    ];
    const said = [{ text: "Hm.", thought: true, thoughtSignature: "s" }, { text: "A mill." }];
    expect(read({ role: "user", parts }, { role: "assistant", parts: said })).toEqual([
      user([
        "Look.",
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "file", url, mimeType: "application/pdf" },
      ]),
      assistant([{ type: "reasoning", reasoning: "Hm.", metadata: { thoughtSignature: "s" } }, "A mill."]),
    ]);
  });

  test("beside a content that repeats their text or is empty", () => {
    const parts = [
      { type: "text", text: "Hi " },
      { type: "file", mediaType: "image/png", url },
      { type: "text", text: "Ada" },
    ];
    const expected = user(["Hi ", { type: "image", url, mimeType: "image/png" }, "Ada"]);
    for (const content of ["Hi Ada", "", null, undefined, []])
      expect(read({ role: "user", content, parts })).toEqual([expected]);
  });

  test("that another converter knows", () => {
    const parts = ["a", { type: "image_url", image_url: { url } }, { type: "input_text", text: "b" }];
    expect(read({ role: "user", parts })).toEqual([user(["a", { type: "image", url }, "b"])]);
  });
});

describe("an empty message is", () => {
  test("one whose content is empty, or an assistant's that has something else", () => {
    const call = { id: "1", function: { name: "f", arguments: "{}" } };
    expect(
      read(
        { role: "user", content: "" },
        { role: "user", content: [] },
        { role: "user", contentBlocks: [] },
        { role: "assistant", content: null },
        { role: "assistant", tool_calls: [call] },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "assistant", refusal: "No." },
        { role: "tool", tool_call_id: "1", content: null },
      ),
    ).toMatchObject([
      user(""),
      user(""),
      user(""),
      assistant(""),
      { content: [{ id: "1" }] },
      { content: [{ id: "1" }] },
      { content: [], refusal: "No." },
      toolMessage("", { toolCallId: "1" }),
    ]);
  });
});

describe("toMessages refuses", () => {
  const parts = (...list: unknown[]): object => ({ role: "assistant", parts: list });
  const blocks = (...list: unknown[]): object => ({ role: "assistant", contentBlocks: list });
  const cases: readonly (readonly [input: object, ...texts: string[]])[] = [
    [{ role: "user", text: "Hi" }, "messages[0] ", "role, text", "content"],
    [{ type: "human", text: "Hi" }, "messages[0] ", "type, text"],
    [{ role: "user" }, "messages[0] "],
    [{ role: "user", content: undefined }, "messages[0] "],
    [{ role: "user", content: null }, "messages[0].content ", "null"],
    [{ role: "system", contentBlocks: null }, "messages[0] "],
    [{ role: "assistant" }, "messages[0] "],
    [{ role: "assistant", tool_calls: [], refusal: null }, "messages[0] "],
    [{ type: "human", data: { text: "Hi" } }, "messages[0].data ", "text"],
    [JSON.parse('{"role": "user", "__proto__": {"content": "Hi"}}') as object, "messages[0] "],
    [
      JSON.parse('{"type": "human", "data": {"__proto__": {"content": "Hi"}}}') as object,
      "messages[0].data ",
    ],
    [{ role: "user", contentBlocks: "Hi" }, "messages[0].contentBlocks ", "array"],
    [{ role: "user", parts: { text: "Hi" } }, "messages[0].parts ", "array"],
    [
      { role: "user", content: "Hi", parts: [{ type: "text", text: "Ho" }] },
      "messages[0] ",
      "content",
      "parts",
    ],
    [
      {
        role: "user",
        content: [{ type: "text", text: "Hi" }],
        contentBlocks: [{ type: "text", text: "Hi" }],
      },
      "messages[0] ",
      "content",
      "contentBlocks",
    ],
    [
      blocks({ type: "text", text: "a" }, { type: "poem", lines: [] }),
      "messages[0].contentBlocks[1] ",
      '"poem"',
    ],
    [blocks({ type: "__proto__" }), "messages[0].contentBlocks[0] ", '"__proto__"'],
    [blocks({ type: "text", text: 7 }), "messages[0].contentBlocks[0].text "],
    [blocks({ type: "tool_call", id: "1", args: {} }), "messages[0].contentBlocks[0] ", "name"],
    [blocks({ type: "tool_call", id: 1, name: "f", args: {} }), "messages[0].contentBlocks[0].id "],
    [blocks(7), "messages[0].contentBlocks[0] "],
    [parts({ type: "text" }), "messages[0].parts[0].text "],
    [
      parts({ type: "source-url", sourceId: "1", url }),
      "messages[0].parts[0] ",
      '"source-url"',
      "fromUiMessages()",
    ],
    [parts({ type: "data-chart", data: 1 }), "messages[0].parts[0] ", '"data-chart"'],
    [parts({ type: "reasoning" }), "messages[0].parts[0].text "],
    [parts({ type: "file", mediaType: 7, url }), "messages[0].parts[0].mediaType "],
    [parts({ type: "file", mediaType: "image/png" }), "messages[0].parts[0].url "],
    [parts({ type: "tool-f", state: "input-available", input: {} }), "messages[0].parts[0].toolCallId "],
    [parts({ type: "dynamic-tool", toolCallId: "1", state: "input-available" }), "parts[0].toolName "],
    [parts({ type: "tool-f", toolCallId: "1", state: "output-error" }), "messages[0].parts[0].errorText "],
    [
      parts({ type: "tool-f", toolCallId: "1", state: "input-streaming" }),
      "parts[0].state ",
      '"input-streaming"',
    ],
    [parts({ type: "tool-f", toolCallId: "1" }), "messages[0].parts[0].state "],
    [parts({ functionCall: { name: "f", args: {} } }), "messages[0].parts[0] ", "functionCall"],
    [parts({ text: "a", fileData: { mimeType: "a/b", fileUri: url } }), "messages[0].parts[0] ", "fileData"],
    [{ type: "human", data: { content: "Hi" }, text: "Ho" }, "messages[0] ", "type, data, text"],
    [parts({ text: 7 }), "messages[0].parts[0] ", "text"],
    [parts({ inlineData: { data: "AAAA" } }), "messages[0].parts[0].inlineData.mimeType "],
    [parts({ fileData: 7 }), "messages[0].parts[0] ", "fileData"],
    [{ role: "user", parts: [{ type: "tool-f", toolCallId: "1", state: "input-available" }] }, "parts[0] "],
    [{ role: "assistant", content: "", tool_calls: {} }, "messages[0].tool_calls ", "array"],
    [{ role: "assistant", content: "", function_call: "f" }, "messages[0].function_call ", "object"],
    [
      { type: "ai", content: "", additional_kwargs: { tool_calls: "f" } },
      "messages[0].additional_kwargs.tool_calls ",
    ],
    [{ type: "ai", content: "", additional_kwargs: [] }, "messages[0].additional_kwargs "],
    [
      { lc: 1, type: "constructor", id: ["AIMessage"], kwargs: { tool_calls: [{}] } },
      "messages[0].kwargs.tool_calls[0] ",
    ],
  ];
  test.each(cases)("%j", (input, ...texts) => {
    const attempt = (): unknown => read(input);
    expect(attempt).toThrow(MessageError);
    for (const text of texts) expect(attempt).toThrow(text);
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid_content" }));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    { lc: 1, type: "constructor", id: ["langchain_core", "messages", "RemoveMessage"], kwargs: { id: "1" } },
    { lc: 1, type: "not_implemented", id: [] },
    { lc: 1, type: "constructor", id: "x", kwargs: {} },
    { type: "constructor", data: {} },
  ])("a serialised object that is no message: %j", (input) => {
    expect(() => read(input)).toThrow(expect.objectContaining({ code: "unknown_role" }));
  });

  test("a call whose arguments are neither an object nor a text, as a call that cannot be run", () => {
    const [message] = toMessages({
      role: "ai",
      content: "",
      tool_calls: [{ id: "1", name: "f", args: [1] }],
    });
    expect(message?.content).toMatchObject([{ type: "invalid_tool_call", id: "1", args: "[1]" }]);
  });
});

describe("contents of other libraries arrive", () => {
  const input = [{ role: "user", parts: [{ type: "text", text: "Hi" }] }] as unknown as MessagesInput;
  const noContent = [{ role: "user", text: "Hi" }] as unknown as MessagesInput;

  test("at a model, an agent, generateObject() and a placeholder", async () => {
    const model = scriptedModel(['{"a": 1}'], { profile: { structuredOutput: true } });
    const agent = createAgent({ model });
    await collect(model.stream(input));
    await collect(agent.stream(input));
    await collect(agent.stream({ messages: input }));
    await generateObject({ model, schema: z.object({ a: z.number() }), messages: input });
    expect(model.calls.map(({ messages }) => messages.at(-1))).toEqual(
      Array.from({ length: 4 }, () => user("Hi")),
    );
    expect(chatPrompt([placeholder("history")]).format({ history: input })).toEqual([user("Hi")]);
    expect(chatPrompt(input as never).format({} as never)).toEqual([user("Hi")]);
  });

  test("or are refused there", async () => {
    const model = scriptedModel(["Hi"], { profile: { structuredOutput: true } });
    const schema = z.object({});
    const problem = /messages\[0\] has no content/;
    const inTurn: readonly (() => unknown)[] = [
      () => collect(model.stream(noContent)),
      () => collect(createAgent({ model }).stream(noContent)),
      () => generateObject({ model, schema, messages: noContent }),
      () => chatPrompt([placeholder("history")]).format({ history: noContent }),
      () => chatPrompt(noContent as never),
    ];
    for (const attempt of inTurn) await expect((async () => attempt())()).rejects.toThrow(problem);
    expect(model.calls).toEqual([]);
  });
});
