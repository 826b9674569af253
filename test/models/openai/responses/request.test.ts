import { describe, expect, test } from "vitest";
import { assistant, type CallOptions, user, type MessagesInput, system, toolMessage } from "millrace";
import { serverTool } from "millrace/agent";
import type { OpenAIOptions } from "millrace/openai";
import type { Sent } from "../../support/sent.js";
import { refusal, sent } from "../support.js";

const search = serverTool({ name: "search", forms: { openai: { type: "web_search" } } });

function ask(input: MessagesInput, call?: CallOptions, options: Partial<OpenAIOptions> = {}): Promise<Sent> {
  return sent(input, call, { api: "responses", ...options });
}

async function input(messages: MessagesInput, call?: CallOptions): Promise<unknown> {
  return (await ask(messages, call)).body["input"];
}

describe("a request to the Responses API", () => {
  test("is sent to its URL and requests a stream", async () => {
    const { url, headers, body } = await ask("Hi", {}, { baseURL: "https://api.openai.com/v1" });
    expect(url).toBe("https://api.openai.com/v1/responses");
    expect(headers).toMatchObject({ authorization: "Bearer key", accept: "text/event-stream" });
    expect(body).toEqual({ model: "gpt-test", input: [{ role: "user", content: "Hi" }], stream: true });
  });

  test("converts the options of a call", async () => {
    const parameters = { type: "object", properties: { a: { type: "string" } } };
    const strict = {
      type: "object",
      properties: { a: { type: ["string", "null"] } },
      required: ["a"],
      additionalProperties: false,
    };
    const { body } = await ask("Hi", {
      temperature: 0,
      topP: 0.5,
      maxTokens: 5,
      tools: [{ name: "f", description: "F", parameters, strict: true }, { name: "g", parameters }, search],
      toolChoice: { name: "f" },
      parallelToolCalls: false,
      responseFormat: { name: "answer", schema: parameters },
      reasoning: { effort: "low" },
      extra: {
        reasoning: { summary: "auto" },
        text: { verbosity: "low" },
        store: false,
        include: ["reasoning.encrypted_content"],
      },
    });
    expect(body).toEqual({
      model: "gpt-test",
      input: [{ role: "user", content: "Hi" }],
      stream: true,
      temperature: 0,
      top_p: 0.5,
      max_output_tokens: 5,
      tools: [
        { type: "function", name: "f", description: "F", parameters: strict, strict: true },
        { type: "function", name: "g", parameters, strict: false },
        { type: "web_search" },
      ],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      text: {
        format: { type: "json_schema", name: "answer", schema: strict, strict: true },
        verbosity: "low",
      },
      reasoning: { effort: "low", summary: "auto" },
      store: false,
      include: ["reasoning.encrypted_content"],
    });
  });

  test("supports loose schemas, with built-in tools and without any", async () => {
    const schema = { type: "object", minProperties: 1 };
    const { body } = await ask("Hi", {
      toolChoice: "required",
      responseFormat: { name: "a", schema, strict: false },
      tools: [search],
    });
    expect(body).toMatchObject({
      tools: [{ type: "web_search" }],
      tool_choice: "required",
      text: { format: { schema, strict: false } },
    });
    expect(Object.keys((await ask("Hi", { tools: [], parallelToolCalls: true })).body)).toEqual([
      "model",
      "input",
      "stream",
    ]);
  });

  test.each([
    ["stop", { stop: "a" }, /"stop"/],
    ["seed", { seed: 7 }, /"seed"/],
    ["a token budget for reasoning", { reasoning: { maxTokens: 5 } }, /reasoning\.maxTokens/],
    ["a schema", { responseFormat: { name: "r", schema: { type: "string" } } }, /response format "r"/],
  ])("cannot ask for %s", async (_, call: CallOptions, message) => {
    expect(await refusal("Hi", call, { api: "responses" })).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message) as string,
    });
  });
});

describe("messages are converted to items:", () => {
  test("a conversation with a tool, in its order", async () => {
    expect(
      await input([
        system("Be brief."),
        "How warm?",
        assistant([
          "I look.",
          { type: "tool_call", id: "1", name: "f", args: { city: "Oslo" } },
          { type: "invalid_tool_call", id: "2", name: "g", args: "{", error: "cut" },
        ]),
        toolMessage("-4", { toolCallId: "1", artifact: { secret: true } }),
        toolMessage(["a", { type: "image", fileId: "file_1" }], { toolCallId: "2" }),
        assistant("Cold.", { refusal: "no" }),
      ]),
    ).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "How warm?" },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "1", name: "f", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "2", name: "g", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "-4" },
      {
        type: "function_call_output",
        call_id: "2",
        output: [
          { type: "input_text", text: "a" },
          { type: "input_image", detail: "auto", file_id: "file_1" },
        ],
      },
      { role: "assistant", content: "Cold." },
      { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
    ]);
  });

  test("system messages have the role developer for OpenAI's reasoning models", async () => {
    const { body } = await ask([system("a"), "Hi"], {}, { model: "gpt-5-mini" });
    expect(body["input"]).toMatchObject([{ role: "developer" }, { role: "user" }]);
  });

  test("media by URL, by data and by id", async () => {
    const pdf = "data:application/pdf;base64,CCCC";
    const [said] = (await input(
      user([
        "See",
        { type: "image", url: "https://a.example/a.png", detail: "low" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "file", url: "https://a.example/a.pdf" },
        { type: "file", data: "CCCC", mimeType: "application/pdf", filename: "a.pdf" },
        { type: "file", url: pdf },
        { type: "file", fileId: "file_1" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "text-plain", text: "Once.", title: "Tale" },
        { type: "non_standard", value: { type: "input_of_the_future" } },
      ]),
    )) as { content: unknown }[];
    expect(said?.content).toEqual([
      { type: "input_text", text: "See" },
      { type: "input_image", detail: "low", image_url: "https://a.example/a.png" },
      { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" },
      { type: "input_file", file_url: "https://a.example/a.pdf" },
      { type: "input_file", file_data: pdf, filename: "a.pdf" },
      { type: "input_file", file_data: pdf, filename: "file.pdf" },
      { type: "input_file", file_id: "file_1" },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "input_text", text: "Tale\n\nOnce." },
      { type: "input_of_the_future" },
    ]);
  });

  test("a provider-specific item is a separate item", async () => {
    const approval = { type: "mcp_approval_response", approval_request_id: "1", approve: true };
    const request = { type: "mcp_approval_request", id: "1" };
    const event = { type: "response.image_generation_call.partial_image" };
    expect(
      await input([
        assistant([
          { type: "non_standard", value: request },
          { type: "non_standard", value: event },
        ]),
        user({ type: "non_standard", value: approval }),
        user(["Go on", { type: "non_standard", value: approval }]),
      ]),
    ).toEqual([request, approval, { role: "user", content: "Go on" }, approval]);
  });

  test("a text with the id of another item is an item of its own, and changes no item of the caller", async () => {
    const text = { type: "text", text: "b", metadata: { id: "1" } } as const;
    const message = { type: "message", id: "1", role: "assistant", content: [] };
    const thought = { type: "reasoning", id: "1", summary: [] };
    const parts: unknown = [expect.objectContaining({ text: "b" })];
    const sentText: unknown = expect.objectContaining({ id: "1", content: parts });
    for (const value of [message, thought]) {
      const given = structuredClone(value);
      const metadata = { id: "1", encrypted_content: "gAAAA" };
      const reasoning = { type: "reasoning", reasoning: "a", metadata } as const;
      const sentReasoning: unknown = expect.objectContaining({ id: "1", encrypted_content: "gAAAA" });
      expect(await input(assistant([{ type: "non_standard", value }, reasoning, text]))).toEqual([
        given,
        sentReasoning,
        sentText,
      ]);
      expect(await input(assistant([{ type: "non_standard", value }, text]))).toEqual([given, sentText]);
      expect(value).toEqual(given);
    }
  });

  test("reasoning and text are sent back unchanged", async () => {
    const metadata = { id: "rs_1", type: "summary_text" };
    const citation = { type: "citation", url: "https://a.example", startIndex: 0, endIndex: 1 } as const;
    const file = { type: "file_citation", file_id: "file_1", filename: "a.pdf", index: 3 };
    expect(
      await input([
        assistant([
          { type: "reasoning", reasoning: "a", metadata: { ...metadata, encrypted_content: "gAAAA" } },
          { type: "reasoning", reasoning: "b", metadata },
          { type: "reasoning", reasoning: "", metadata: { id: "rs_2" } },
          { type: "reasoning", reasoning: "c", metadata: { id: "rs_3", type: "reasoning_text" } },
          { type: "reasoning", reasoning: "of another provider", metadata: { signature: "x" } },
          {
            type: "text",
            text: "d",
            annotations: [
              citation,
              { type: "citation", title: "a.pdf", metadata: file },
              { type: "citation", url: "https://of.another.provider", citedText: "x" },
              { type: "non_standard_annotation", value: { type: "file_path" } },
            ],
            metadata: { id: "msg_1", phase: "commentary" },
          },
          { type: "text", text: "e", metadata: { id: "msg_1" } },
        ]),
      ]),
    ).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        summary: [
          { type: "summary_text", text: "a" },
          { type: "summary_text", text: "b" },
        ],
        encrypted_content: "gAAAA",
      },
      { type: "reasoning", id: "rs_2", summary: [] },
      { type: "reasoning", id: "rs_3", summary: [], content: [{ type: "reasoning_text", text: "c" }] },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        phase: "commentary",
        content: [
          {
            type: "output_text",
            text: "d",
            annotations: [
              { type: "url_citation", url: "https://a.example", title: "", start_index: 0, end_index: 1 },
              file,
              { type: "file_path" },
            ],
          },
          { type: "output_text", text: "e", annotations: [] },
        ],
      },
    ]);
  });

  test("reasoning that is neither stored nor encrypted is omitted", async () => {
    const thought = (id: string, more: object): object => ({
      type: "reasoning",
      reasoning: "a",
      metadata: { id, ...more },
    });
    const message = assistant([
      thought("rs_1", {}) as never,
      thought("rs_2", { encrypted_content: "gAAAA" }) as never,
      "b",
    ]);
    expect(await input(message, { extra: { store: false } })).toMatchObject([{ id: "rs_2" }, {}]);
  });

  test("reasoning items without ids stay separate", async () => {
    const content = ["A", "B"].map((encrypted_content) => ({
      type: "reasoning" as const,
      reasoning: "",
      metadata: { encrypted_content },
    }));
    expect(await input(assistant([...content, "c"]), { extra: { store: false } })).toEqual([
      { type: "reasoning", summary: [], encrypted_content: "A" },
      { type: "reasoning", summary: [], encrypted_content: "B" },
      { role: "assistant", content: "c" },
    ]);
  });

  test("reasoning at the end of a message is omitted, because it was cut", async () => {
    const thought = (id: string): object => ({ type: "reasoning", reasoning: "a", metadata: { id } });
    const cut = [thought("rs_1"), { type: "text", text: "b" }, thought("rs_2"), thought("rs_3")] as never[];
    const said = { role: "assistant", content: "b" };
    expect(await input([assistant(cut), user("Go on.")])).toMatchObject([
      { type: "reasoning", id: "rs_1" },
      said,
      { role: "user" },
    ]);
    const refused = assistant(thought("rs_4") as never, { refusal: "no" });
    expect(await input(refused)).toMatchObject([{ id: "rs_4" }, { content: [{ type: "refusal" }] }]);
  });

  test("calls of OpenAI's tools, with their results", async () => {
    const search = { type: "web_search_call", id: "ws_1", status: "completed", action: {} };
    const shell = { type: "shell_call_output", call_id: "1", output: [] };
    const picture = { type: "image_generation_call", id: "ig_1", status: "completed" };
    expect(
      await input(
        assistant([
          { type: "server_tool_call", id: "ws_1", name: "web_search", args: {}, metadata: search },
          { type: "server_tool_result", toolCallId: "ws_1", status: "success" },
          { type: "server_tool_result", toolCallId: "1", status: "success", metadata: shell },
          { type: "image", data: "AAAA", mimeType: "image/png", metadata: picture },
          {
            type: "server_tool_call",
            id: "2",
            name: "of another provider",
            args: {},
            metadata: { type: "x" },
          },
          { type: "server_tool_result", toolCallId: "2", status: "success", metadata: { type: "x" } },
        ]),
      ),
    ).toEqual([search, shell, { ...picture, result: "AAAA" }]);
  });

  test("a call with its item id, and the result of a free-text tool", async () => {
    expect(
      await input([
        assistant([
          {
            type: "tool_call",
            id: "1",
            name: "f",
            args: {},
            metadata: { id: "fc_1", namespace: "n" },
          },
          {
            type: "tool_call",
            id: "2",
            name: "sql",
            args: { input: "SELECT 1" },
            metadata: { id: "ctc_1", type: "custom_tool_call" },
          },
          { type: "tool_call", id: "of_gemini", name: "f", args: {}, metadata: { id: "of_gemini" } },
        ]),
        toolMessage("a", { toolCallId: "1" }),
        toolMessage("b", { toolCallId: "2" }),
      ]),
    ).toEqual([
      { type: "function_call", call_id: "1", name: "f", arguments: "{}", id: "fc_1", namespace: "n" },
      { type: "custom_tool_call", call_id: "2", name: "sql", input: "SELECT 1", id: "ctc_1" },
      { type: "function_call", call_id: "of_gemini", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "a" },
      { type: "custom_tool_call_output", call_id: "2", output: "b" },
    ]);
  });

  test("cut, invalid and empty calls of a free-text tool, with their results", async () => {
    const own = (id: string): object => ({
      id,
      name: "sql",
      metadata: { id: `ctc_${id}`, type: "custom_tool_call" },
    });
    const calls = [
      { type: "invalid_tool_call", args: '{"input":"abc', error: "cut", ...own("1") },
      { type: "tool_call_chunk", args: '{"input":"de', ...own("2") },
      { type: "tool_call", args: { input: "" }, ...own("3") },
      { type: "invalid_tool_call", args: "SELECT", error: "not JSON", ...own("4") },
      { type: "tool_call", args: { query: "a" }, ...own("5") },
    ] as never[];
    const results = ["1", "2"].map((toolCallId) => toolMessage("r", { toolCallId }));
    expect(await input([assistant(calls), ...results])).toEqual([
      ...["abc", "de", "", "SELECT", '{"query":"a"}'].map((text, at) => ({
        type: "custom_tool_call",
        call_id: `${at + 1}`,
        name: "sql",
        id: `ctc_${at + 1}`,
        input: text,
      })),
      { type: "custom_tool_call_output", call_id: "1", output: "r" },
      { type: "custom_tool_call_output", call_id: "2", output: "r" },
    ]);
  });

  test.each([
    ["a video", user({ type: "video", url: "https://a.example/a.mp4" }), /video/],
    ["an image without a source", user({ type: "image" }), /a url, data or a fileId/],
    ["a document without a source", user({ type: "file" }), /a url, data or a fileId/],
    ["audio by URL", user({ type: "audio", url: "https://a.example/a.mp3" }), /to have data/],
    [
      "a tool call in a user message",
      user({ type: "tool_call", id: "1", name: "f", args: {} }),
      /"user" contains a tool_call/,
    ],
    ["an image of another model", assistant({ type: "image", url: "data:," }), /"image"/],
    ["audio of the assistant", assistant({ type: "audio", data: "A", mimeType: "audio/wav" }), /"audio"/],
  ])("%s is rejected before anything is sent", async (_, message, problem) => {
    expect(await refusal(message, {}, { api: "responses" })).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(problem) as string,
    });
  });
});
