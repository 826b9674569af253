import { describe, expect, test } from "vitest";
import { assistant, user, MessageError, type MessagesInput, system, toMessages, toolMessage } from "millrace";

describe("toMessages accepts", () => {
  test("a string, as a user message", () => {
    expect(toMessages("Hi")).toEqual([user("Hi")]);
    expect(toMessages("")).toEqual([user("")]);
  });

  test("a message, which stays the same object", () => {
    const message = assistant(["a", { type: "tool_call", id: "1", name: "f", args: {} }]);
    expect(toMessages(message)[0]).toBe(message);
    const answer = toolMessage("b", { toolCallId: "1" });
    expect(toMessages([message, answer])[1]).toBe(answer);
  });

  test("an array of strings, messages and OpenAI-style objects", () => {
    expect(toMessages(["a", system("b"), { role: "user", content: "c" }])).toEqual([
      user("a"),
      system("b"),
      user("c"),
    ]);
  });

  test("the roles of other vocabularies", () => {
    const input: MessagesInput = [
      { role: "developer", content: "a" },
      { role: "human", content: "b" },
      { role: "ai", content: "c" },
    ];
    expect(toMessages(input)).toEqual([system("a"), user("b"), assistant("c")]);
  });

  test("an OpenAI-style exchange with a tool", () => {
    const call = (args: string): object[] => [
      { id: "1", type: "function", function: { name: "f", arguments: args } },
    ];
    const input = [
      { role: "assistant", content: null, refusal: null, tool_calls: call('{"a":1}') },
      { role: "tool", tool_call_id: "1", content: "b" },
      { role: "assistant", content: "c", tool_calls: call("{") },
    ] as unknown as MessagesInput;
    expect(toMessages(input)).toEqual([
      assistant({ type: "tool_call", id: "1", name: "f", args: { a: 1 } }),
      toolMessage("b", { toolCallId: "1" }),
      assistant([
        "c",
        {
          type: "invalid_tool_call",
          id: "1",
          name: "f",
          args: "{",
          error: expect.stringMatching(/not valid JSON/) as string,
        },
      ]),
    ]);
  });

  test("OpenAI-style parts: text, image, audio, file; others unchanged", () => {
    const url = "data:image/png;base64,AAAA";
    const other = { type: "other", other: { data: "AAAA" } };
    const content = [
      { type: "text", text: "a" },
      { type: "image_url", image_url: { url, detail: "low" } },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "file", file: { file_id: "f1" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA", filename: "a.pdf" } },
      other,
    ];
    expect(toMessages({ role: "user", content })).toEqual([
      user([
        "a",
        { type: "image", url, detail: "low" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "file", fileId: "f1" },
        { type: "file", url: "data:application/pdf;base64,AAAA", filename: "a.pdf" },
        { type: "non_standard", value: other },
      ]),
    ]);
  });

  test("OpenAI-style answers: a refusal, speech and a function_call", () => {
    const text = { type: "text", text: "a" };
    const input = [
      {
        role: "assistant",
        content: [text, { type: "refusal", refusal: "n" }, { type: "refusal", refusal: "o" }],
      },
      { role: "assistant", content: null, audio: { id: "audio_1", transcript: "Hi", data: "AAAA" } },
      { role: "assistant", content: [text], audio: null, function_call: { name: "f", arguments: "{}" } },
    ] as unknown as MessagesInput;
    expect(toMessages(input)).toEqual([
      assistant("a", { refusal: "no" }),
      assistant({ type: "audio", transcript: "Hi", metadata: { id: "audio_1" } }),
      assistant(["a", { type: "tool_call", id: "messages_2_function_call", name: "f", args: {} }]),
    ]);
  });

  test("OpenAI-style file data without a MIME type, by the extension of its name", () => {
    const file = { file_data: "JVBERi0=", filename: "a.b.PDF" };
    const content = [
      { type: "file", file },
      { type: "input_file", ...file, filename: "a.txt" },
    ];
    expect(toMessages({ role: "user", content })).toEqual([
      user([
        { type: "file", data: "JVBERi0=", mimeType: "application/pdf", filename: "a.b.PDF" },
        { type: "file", data: "JVBERi0=", mimeType: "text/plain", filename: "a.txt" },
      ]),
    ]);
  });

  test("our own file block, whose type is the same as OpenAI's", () => {
    const file = { type: "file", fileId: "f1" } as const;
    const message = user(file);
    expect(toMessages(message)[0]).toBe(message);
  });
});

describe("toMessages rejects", () => {
  const cases = [
    {
      input: { role: "user", content: [{ type: "input_audio", input_audio: { data: "AAAA" } }] },
      code: "invalid_content",
      place: "The input.content[0].input_audio.format",
    },
    ...[{ file_data: "JVBERi0=" }, { file_data: "JVBERi0=", filename: "a.constructor" }].map((file) => ({
      input: { role: "user", content: [{ type: "file", file }] },
      code: "invalid_content",
      place: "The input.content[0].file.file_data",
    })),
    {
      input: { role: "assistant", audio: { data: "AAAA" } },
      code: "invalid_content",
      place: "The input.audio.id",
    },
    {
      input: { role: "assistant", content: [{ type: "refusal" }] },
      code: "invalid_content",
      place: "The input.content[0].refusal",
    },
    {
      input: { role: "user", content: ["a", { type: "text", text: null }] },
      code: "invalid_content",
      place: "The input.content[1].text",
    },
    {
      input: { role: "user", content: [{ type: "text", text: "a", annotations: null }] },
      code: "invalid_content",
      place: "The input.content[0].annotations",
    },
    { input: 7, code: "invalid_input", place: "The input " },
    { input: ["a", null], code: "invalid_input", place: "messages[1] " },
    // Lists with holes.
    { input: Array<string>(1), code: "invalid_input", place: "messages[0] " },
    {
      input: { role: "user", content: Array<object>(1) },
      code: "invalid_content",
      place: "The input.content[0] ",
    },
    {
      input: { role: "assistant", tool_calls: Array<object>(1) },
      code: "invalid_content",
      place: "The input.tool_calls[0] ",
    },
    { input: [{ role: "boss", content: "a" }], code: "unknown_role", place: 'messages[0].role is "boss"' },
    {
      input: { role: "function", name: "f", content: "a" },
      code: "unknown_role",
      place: 'The input.role is "function"',
    },
    { input: { content: "a" }, code: "unknown_role", place: "The input.role is undefined" },
    { input: { role: "toString", content: "a" }, code: "unknown_role", place: 'role is "toString"' },
    {
      input: { role: "user", content: 7 },
      code: "invalid_content",
      place: "The input.content ",
    },
    {
      input: [{ role: "user", content: [{}] }],
      code: "invalid_content",
      place: "messages[0].content[0] ",
    },
    {
      input: { role: "user", content: [{ type: "image_url", image_url: {} }] },
      code: "invalid_content",
      place: "content[0].image_url.url",
    },
    {
      input: { role: "assistant", tool_calls: [{}] },
      code: "invalid_content",
      place: "tool_calls[0] ",
    },
    { input: { role: "tool", content: "a" }, code: "missing_tool_call_id", place: "The input " },
  ];
  test.each(cases)("$input", ({ input, code, place }) => {
    const attempt = (): unknown => toMessages(input as MessagesInput);
    expect(attempt).toThrow(MessageError);
    expect(attempt).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(place) as string }),
    );
  });
});
