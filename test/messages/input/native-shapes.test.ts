import {
  assistant,
  MessageError,
  type MessagesInput,
  reasoningOf,
  system,
  toMessages,
  toolMessage,
  user,
} from "millrace";
import type { LangChainStyleMessage } from "millrace/models";
import { describe, expect, test } from "vitest";
import { loadUntyped } from "../../support/load-untyped.js";

type LangChainMessage = new (fields: string | object) => LangChainStyleMessage;
const { AIMessage, HumanMessage, SystemMessage, ToolMessage } =
  await loadUntyped<Record<"AIMessage" | "HumanMessage" | "SystemMessage" | "ToolMessage", LangChainMessage>>(
    "@langchain/core/messages",
  );

/** Converts the parts of one message. */
function blocksOf(...content: readonly object[]): unknown {
  return toMessages({ role: "user", content })[0]?.content;
}

describe("toMessages accepts Anthropic's", () => {
  test("images, in each kind of source", () => {
    const cache_control = { type: "ephemeral" };
    expect(
      blocksOf(
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" }, cache_control },
        { type: "image", source: { type: "url", url: "https://a/b.png" } },
        { type: "image", source: { type: "file", file_id: "f1" } },
      ),
    ).toEqual([
      { type: "image", data: "AAAA", mimeType: "image/png", metadata: { cache_control } },
      { type: "image", url: "https://a/b.png" },
      { type: "image", fileId: "f1" },
    ]);
  });

  test("documents", () => {
    const pdf = { type: "base64", media_type: "application/pdf", data: "AAAA" };
    const citations = { enabled: true };
    const ofBlocks = { type: "document", source: { type: "content", content: [] } };
    expect(
      blocksOf(
        { type: "document", source: pdf, title: "a.pdf", citations },
        {
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "b" },
          title: "T",
          context: "C",
        },
        ofBlocks,
      ),
    ).toEqual([
      { type: "file", data: "AAAA", mimeType: "application/pdf", filename: "a.pdf", metadata: { citations } },
      { type: "text-plain", text: "b", title: "T", context: "C" },
      { type: "non_standard", value: ofBlocks },
    ]);
  });

  test("marks on texts", () => {
    const cache_control = { type: "ephemeral" };
    expect(blocksOf({ type: "text", text: "a", cache_control })).toEqual([
      { type: "text", text: "a", metadata: { cache_control } },
    ]);
  });

  test("thoughts, as reasoning", () => {
    const content = [
      { type: "thinking", thinking: "Let me see.", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "text", text: "Yes." },
    ];
    const [message] = toMessages({ role: "assistant", content });
    expect(message).toEqual(
      assistant([
        { type: "reasoning", reasoning: "Let me see.", metadata: { signature: "s" } },
        { type: "reasoning", reasoning: "", metadata: { type: "redacted_thinking", data: "d" } },
        "Yes.",
      ]),
    );
    expect(message && reasoningOf(message)).toBe("Let me see.");
  });

  test("calls and results", () => {
    const image = { type: "image", source: { type: "url", url: "https://a/b.png" } };
    const input = [
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: { a: 1 } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: ["x", image] },
          { type: "tool_result", tool_use_id: "2", content: "no", is_error: true },
          { type: "tool_result", tool_use_id: "3" },
          { type: "text", text: "And?" },
        ],
      },
    ] as MessagesInput;
    expect(toMessages(input)).toEqual([
      assistant({ type: "tool_call", id: "1", name: "f", args: { a: 1 } }),
      toolMessage(["x", { type: "image", url: "https://a/b.png" }], { toolCallId: "1" }),
      toolMessage("no", { toolCallId: "2", status: "error" }),
      toolMessage("", { toolCallId: "3" }),
      user("And?"),
    ]);
  });

  test("results in a tuple", () => {
    const result = { type: "tool_result", tool_use_id: "1", content: "4" };
    expect(toMessages([["user", [result, { type: "text", text: "And?" }]]])).toEqual([
      toolMessage("4", { toolCallId: "1" }),
      user("And?"),
    ]);
  });
});

describe("toMessages accepts LangChain's", () => {
  test("tuples", () => {
    const input: MessagesInput = [
      ["system", "a"],
      ["user", "b"],
      ["human", [{ type: "text", text: "c" }]],
      ["ai", "d"],
      "e",
    ];
    expect(toMessages(input)).toEqual([system("a"), user("b"), user("c"), assistant("d"), user("e")]);
    expect(toMessages(["user", "Hi"])).toEqual([user("user"), user("Hi")]);
  });

  test("calls", () => {
    const tool_calls = [{ id: "1", name: "f", args: { a: 1 }, type: "tool_call" }];
    const invalid_tool_calls = [{ id: "2", name: "g", args: "{", error: "cut" }];
    const input = { role: "ai", content: "", tool_calls, invalid_tool_calls };
    expect(toMessages(input as MessagesInput)).toMatchObject([
      {
        role: "assistant",
        content: [
          { type: "tool_call", id: "1", name: "f", args: { a: 1 } },
          { type: "invalid_tool_call", id: "2", name: "g", args: "{" },
        ],
      },
    ]);
  });

  test("calls without ids, which get unique ones", () => {
    const call = { name: "f", args: {} };
    const broken = { name: "f", args: "{", error: "cut" };
    const input = ["a", "b"].map((content) => ({
      role: "ai",
      content,
      tool_calls: [call, call],
      invalid_tool_calls: [broken],
    }));
    const calls = toMessages(input as MessagesInput).flatMap(({ content }) => content.slice(1));
    expect(calls).toMatchObject([call, call, { args: "{" }, call, call, { args: "{" }]);
    expect(new Set(calls.map((block) => "id" in block && block.id)).size).toBe(6);
  });

  test("calls that are also in the content, once", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "tool_use", id: "1", name: "f", input: {} },
    ];
    const tool_calls = [{ id: "1", name: "f", args: {} }];
    expect(toMessages({ role: "assistant", content, tool_calls })).toEqual([
      assistant(["a", { type: "tool_call", id: "1", name: "f", args: {} }]),
    ]);
  });

  test("media with snake case names, of both versions", () => {
    const extras = { cache_control: { type: "ephemeral" } };
    expect(
      blocksOf(
        { type: "image", source_type: "base64", mime_type: "image/png", data: "AAAA" },
        { type: "image", source_type: "url", url: "https://a/b.png" },
        { type: "image", mime_type: "image/png", base64: "AAAA", extras },
        { type: "audio", mimeType: "audio/wav", data: new Uint8Array([0, 0, 0]) },
        { type: "file", source_type: "id", id: "f1" },
        { type: "file", file_id: "f1", mime_type: "application/pdf" },
        {
          type: "file",
          source_type: "base64",
          mime_type: "text/csv",
          data: "AAAA",
          metadata: { filename: "a.csv" },
        },
        { type: "file", source_type: "text", mime_type: "text/plain", text: "b" },
      ),
    ).toEqual([
      { type: "image", mimeType: "image/png", data: "AAAA" },
      { type: "image", url: "https://a/b.png" },
      { type: "image", mimeType: "image/png", data: "AAAA", metadata: extras },
      { type: "audio", mimeType: "audio/wav", data: "AAAA" },
      { type: "file", fileId: "f1" },
      { type: "file", fileId: "f1", mimeType: "application/pdf" },
      {
        type: "file",
        mimeType: "text/csv",
        data: "AAAA",
        filename: "a.csv",
        metadata: { filename: "a.csv" },
      },
      { type: "text-plain", mimeType: "text/plain", text: "b" },
    ]);
  });

  test("reasoning and results of provider tools", () => {
    const content = [
      { type: "reasoning", reasoning: "a", extras: { signature: "s" } },
      { type: "server_tool_call_result", tool_call_id: "1", status: "success", output: [1] },
    ];
    expect(toMessages({ role: "assistant", content })[0]?.content).toEqual([
      { type: "reasoning", reasoning: "a", metadata: { signature: "s" } },
      { type: "server_tool_result", toolCallId: "1", status: "success", output: [1] },
    ]);
  });

  test("message objects", () => {
    const conversation = [
      new SystemMessage("a"),
      new HumanMessage({ content: "b", name: "Ann" }),
      new AIMessage({ content: "c", id: "m", tool_calls: [{ id: "1", name: "f", args: { a: 1 } }] }),
      new ToolMessage({ content: "d", tool_call_id: "1", status: "error", artifact: { e: 1 } }),
    ];
    const expected = [
      system("a"),
      user("b", { name: "Ann" }),
      assistant(["c", { type: "tool_call", id: "1", name: "f", args: { a: 1 } }], { id: "m" }),
      toolMessage("d", { toolCallId: "1", status: "error", artifact: { e: 1 } }),
    ];
    expect(toMessages(conversation)).toEqual(expected);
    const fields = [
      { type: "human", content: "a" },
      { type: "ai", content: "b" },
    ] as const;
    expect(toMessages(fields)).toEqual([user("a"), assistant("b")]);
  });
});

test("toMessages accepts the parts of OpenAI's Responses API", () => {
  expect(
    blocksOf(
      { type: "input_text", text: "a" },
      { type: "input_image", image_url: "https://a/b.png", detail: "low" },
      { type: "input_image", file_id: "f1", detail: "auto" },
      { type: "input_file", file_url: "https://a/b.pdf" },
      { type: "input_file", file_data: "data:application/pdf;base64,AAAA", filename: "b.pdf" },
    ),
  ).toEqual([
    { type: "text", text: "a" },
    { type: "image", url: "https://a/b.png", detail: "low" },
    { type: "image", fileId: "f1", detail: "auto" },
    { type: "file", url: "https://a/b.pdf" },
    { type: "file", url: "data:application/pdf;base64,AAAA", filename: "b.pdf" },
  ]);
  expect(toMessages({ role: "assistant", content: [{ type: "output_text", text: "a" }] })).toEqual([
    assistant("a"),
  ]);
});

describe("toMessages names the place of", () => {
  const part = (content: object): unknown => [{ role: "assistant", content: [content] }];
  const cases: readonly { input: unknown; code: string; place: string }[] = [
    { input: part({ type: "image", source: 7 }), code: "invalid_content", place: "content[0].source " },
    { input: part({ type: "image", source: { type: "x" } }), code: "invalid_content", place: "source.type" },
    {
      input: part({ type: "image", source: { type: "base64", data: "AAAA" } }),
      code: "invalid_content",
      place: "messages[0].content[0].source.media_type",
    },
    { input: part({ type: "thinking" }), code: "invalid_content", place: "content[0].thinking" },
    {
      input: part({ type: "tool_use", id: "1", name: "f" }),
      code: "invalid_content",
      place: "content[0].input",
    },
    { input: part({ type: "tool_result" }), code: "invalid_content", place: "content[0].tool_use_id" },
    { input: part({ type: "input_text" }), code: "invalid_content", place: "content[0].text" },
    {
      input: [{ role: "ai", tool_calls: [{ function: { name: "f", arguments: "{}" } }] }],
      code: "invalid_content",
      place: "tool_calls[0].id",
    },
    { input: [["user"]], code: "invalid_input", place: "messages[0] " },
    { input: [["boss", "Hi"]], code: "invalid_input", place: "messages[0] " },
    { input: [["tool", "Hi"]], code: "missing_tool_call_id", place: "messages[0] " },
    { input: { messages: [] }, code: "invalid_input", place: "The input " },
  ];
  test.each(cases)("$input", ({ input, code, place }) => {
    const attempt = (): unknown => toMessages(input as MessagesInput);
    expect(attempt).toThrow(MessageError);
    expect(attempt).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(place) as string }),
    );
  });
});

test("a tool may return data that looks like another provider's calls", () => {
  const content = [{ type: "tool_use", id: "1", name: "f", input: {} }];
  expect(toMessages({ role: "tool", tool_call_id: "1", content })[0]?.content).toEqual([
    { type: "non_standard", value: content[0] },
  ]);
});
