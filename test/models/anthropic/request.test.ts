import { describe, expect, test, vi } from "vitest";
import { assistant, type CallOptions, user, type MessagesInput, system, toolMessage } from "millrace";
import { serverTool } from "millrace/agent";
import type { ToolDefinition } from "millrace/models";
import { anthropic, type AnthropicExtra } from "millrace/anthropic";
import { outcomeOf } from "../support/models.js";
import { sent, turns } from "./support.js";

const object = { type: "object", properties: {} };

describe("a request is sent", () => {
  test("to Anthropic, with the key and the API version", async () => {
    vi.stubEnv("ANTHROPIC_BASE_URL", "");
    expect(await sent("Hi")).toEqual({
      url: "https://api.anthropic.com/v1/messages",
      headers: {
        accept: "text/event-stream",
        "anthropic-version": "2023-06-01",
        "content-type": "application/json",
        "x-api-key": "key",
      },
      body: {
        model: "claude-test",
        max_tokens: 4_096,
        messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
        stream: true,
      },
    });
  });

  test("with another version, betas and custom headers", async () => {
    const options = { version: "2030-01-01", betas: ["a-1", "b-2"], headers: { "X-Own": "1" } };
    expect((await sent("Hi", {}, options)).headers).toMatchObject({
      "anthropic-version": "2030-01-01",
      "anthropic-beta": "a-1,b-2",
      "x-own": "1",
    });
  });

  test("to the server and with the key in the environment", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", " from-env\n");
    vi.stubEnv("ANTHROPIC_BASE_URL", "http://localhost:8000/anthropic");
    const request = await sent("Hi", {}, { apiKey: undefined });
    expect(request.url).toBe("http://localhost:8000/anthropic/v1/messages");
    expect(request.headers["x-api-key"]).toBe("from-env");
  });

  test.each([
    ["https://example.com", "https://example.com/v1/messages"],
    ["https://example.com/v1/", "https://example.com/v1/messages"],
    ["https://example.com/v1?a=b", "https://example.com/v1/messages?a=b"],
    ["https://example.com/claude/", "https://example.com/claude/v1/messages"],
  ])("to the baseURL %s", async (baseURL, url) => {
    expect((await sent("Hi", {}, { baseURL })).url).toBe(url);
  });
});

describe("the options of a call", () => {
  test("are converted for the API", async () => {
    const { body } = await sent("Hi", {
      temperature: 0,
      topP: 0.5,
      maxTokens: 5,
      stop: ["a", "b"],
      tools: [
        { name: "f", description: "F", parameters: object },
        { name: "g", parameters: {} },
      ],
      toolChoice: { name: "f" },
      parallelToolCalls: false,
      extra: { top_k: 3, service_tier: "standard_only", metadata: { user_id: "u" } },
    });
    expect(body).toMatchObject({
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      stop_sequences: ["a", "b"],
      tools: [
        { name: "f", description: "F", input_schema: object },
        { name: "g", input_schema: { type: "object" } },
      ],
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
      service_tier: "standard_only",
      metadata: { user_id: "u" },
    });
  });

  test.each([
    [{ toolChoice: "auto" }, { type: "auto" }],
    [{ toolChoice: "none", parallelToolCalls: false }, { type: "none" }],
    [{ toolChoice: "required" }, { type: "any" }],
    [
      { toolChoice: "required", parallelToolCalls: true },
      { type: "any", disable_parallel_tool_use: false },
    ],
    [{ parallelToolCalls: false }, { type: "auto", disable_parallel_tool_use: true }],
    [{}, undefined],
  ] as const)("set the tool choice: %j", async (options, expected) => {
    const { body } = await sent("Hi", { tools: [{ name: "f", parameters: object }], ...options });
    expect(body["tool_choice"]).toEqual(expected);
  });

  test("are absent by default", async () => {
    const { body } = await sent("Hi", {
      tools: [],
      temperature: undefined,
      parallelToolCalls: false,
      stop: "x",
    });
    expect(Object.keys(body)).toEqual(["model", "max_tokens", "messages", "stream", "stop_sequences"]);
  });

  test("include Anthropic's settings of a tool, and its own tools", async () => {
    const tools: ToolDefinition[] = [
      {
        name: "f",
        parameters: object,
        metadata: { cache_control: { type: "ephemeral" }, defer_loading: true, foreign: 1 },
      },
    ];
    const form = { type: "web_search_20250305", name: "web_search", max_uses: 3 };
    const search = serverTool({ name: "web_search", forms: { anthropic: form } });
    const { body } = await sent("Hi", { tools: [...tools, search] });
    expect(body["tools"]).toEqual([
      { name: "f", input_schema: object, cache_control: { type: "ephemeral" }, defer_loading: true },
      { type: "web_search_20250305", name: "web_search", max_uses: 3 },
    ]);
    expect((await sent("Hi", { tools, extra: { tools: undefined } })).body["tools"]).toBeUndefined();
  });

  test("enforce the schema, together with an effort", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", stream: "whole" } },
      required: ["a"],
    };
    const { body } = await sent("Hi", {
      responseFormat: { name: "answer", schema },
      extra: { output_config: { effort: "max" } },
    });
    const format = {
      type: "json_schema",
      schema: {
        title: "answer",
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
    };
    expect(body["output_config"]).toEqual({ format, effort: "max" });
    const none = await sent("Hi", {
      responseFormat: { name: "a", schema },
      extra: { output_config: undefined },
    });
    expect(none.body["output_config"]).toBeUndefined();
  });

  test("set max_tokens to the model's maximum by default", async () => {
    const longest = async (options: object, call: CallOptions<AnthropicExtra> = {}): Promise<unknown> =>
      (await sent("Hi", call, options)).body["max_tokens"];
    expect(await longest({ model: "claude-sonnet-4-5" })).toBe(64_000);
    expect(await longest({ model: "claude-sonnet-4-5", profile: { maxOutputTokens: 7 } })).toBe(7);
    expect(await longest({}, { reasoning: { maxTokens: 5_000 } })).toBe(9_096);
  });
});

describe("thinking", () => {
  const asked = async (model: string, call: CallOptions<AnthropicExtra>): Promise<unknown> => {
    const { thinking, output_config, max_tokens } = (await sent("Hi", call, { model })).body;
    return { thinking, ...(output_config as object | undefined), ...(call.maxTokens && { max_tokens }) };
  };

  test.each([
    ["claude-haiku-4-5", { maxTokens: 2_000 }, { thinking: { type: "enabled", budget_tokens: 2_000 } }],
    ["claude-opus-4-6", { maxTokens: 1_024 }, { thinking: { type: "enabled", budget_tokens: 1_024 } }],
    ["claude-opus-4-6", { effort: "low" }, { thinking: { type: "adaptive" }, effort: "low" }],
    ["claude-opus-5-5", { effort: "high" }, { thinking: { type: "adaptive" }, effort: "high" }],
    ["claude-opus-4-8", { effort: "none" }, { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { effort: "none" }, { thinking: { type: "between_tools" } }],
    ["claude-3-5-haiku-latest", { effort: "none" }, {}],
    ["another", { effort: "medium" }, { thinking: { type: "adaptive" }, effort: "medium" }],
    ["another", {}, {}],
  ] as const)("of %s with %j is converted", async (model, reasoning, expected) => {
    expect(await asked(model, { reasoning })).toEqual(expected);
  });

  test("in extra has precedence", async () => {
    const thinking = { type: "adaptive", display: "summarized" } as const;
    expect(await asked("claude-opus-5", { reasoning: { effort: "low" }, extra: { thinking } })).toEqual({
      thinking,
      effort: "low",
    });
  });

  test.each<[string, string, CallOptions<AnthropicExtra>, RegExp]>([
    [
      "an effort for a model that needs a token budget",
      "claude-haiku-4-5",
      { reasoning: { effort: "low" } },
      /maxTokens/,
    ],
    [
      "a token budget for a model that needs an effort",
      "claude-opus-5",
      { reasoning: { maxTokens: 2_000 } },
      /effort/,
    ],
    [
      "an effort for a model without reasoning",
      "claude-3-haiku-20240307",
      { reasoning: { effort: "low" } },
      /does not support/,
    ],
    [
      "the effort none for a model that always reasons",
      "claude-opus-5-5",
      { reasoning: { effort: "none" } },
      /always thinks/,
    ],
    [
      "a token budget with the effort none",
      "another",
      { reasoning: { effort: "none", maxTokens: 2_000 } },
      /none/,
    ],
    ["a minimal effort", "another", { reasoning: { effort: "minimal" } }, /low/],
    ["too few tokens", "another", { reasoning: { maxTokens: 1_000 } }, /1,024/],
    [
      "a token budget that is not less than maxTokens",
      "another",
      { reasoning: { maxTokens: 2_000 }, maxTokens: 2_000 },
      /less than maxTokens/,
    ],
    ["a temperature", "another", { reasoning: { maxTokens: 2_000 }, temperature: 0.5 }, /temperature/],
    [
      "a temperature beside thinking in extra",
      "another",
      { extra: { thinking: { type: "adaptive" } }, temperature: 0.5 },
      /temperature/,
    ],
    ["a low topP", "another", { reasoning: { effort: "low" }, topP: 0.9 }, /0\.95/],
    ["a forced tool call", "another", { reasoning: { effort: "low" }, toolChoice: "required" }, /toolChoice/],
    [
      "a forced tool call beside thinking in extra",
      "another",
      { extra: { thinking: { type: "adaptive" } }, toolChoice: "required" },
      /toolChoice/,
    ],
    [
      "a named tool, for a model that does not support it",
      "claude-sonnet-5-5",
      { toolChoice: { name: "f" } },
      /toolChoice/,
    ],
    [
      "a temperature, for a model that does not support it",
      "claude-opus-4-7",
      { temperature: 0 },
      /temperature/,
    ],
    ["a topP, for a model that does not support it", "claude-haiku-5-5", { topP: 0.9 }, /topP/],
    ["a seed", "another", { seed: 1 }, /seed/],
  ])("is rejected with %s", async (_, model, call, problem) => {
    await expect(sent("Hi", call, { model })).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(problem) as string,
    });
  });

  test.each<[string, CallOptions<AnthropicExtra>]>([
    ["claude-opus-4-7", { temperature: 1, topP: 1, toolChoice: "required" }],
    ["claude-opus-5-5", { toolChoice: "none" }],
    ["another", { reasoning: { effort: "low" }, topP: 0.95, toolChoice: "auto" }],
    [
      "another",
      { reasoning: { effort: "low" }, extra: { thinking: { type: "disabled" } }, temperature: 0.5 },
    ],
    ["claude-opus-4-8", { reasoning: { effort: "none" }, toolChoice: "required" }],
  ])("of %s is accepted with %j", async (model, call) => {
    expect((await sent("Hi", call, { model })).body).toMatchObject({ model });
  });
});

describe("messages are converted for the API:", () => {
  test("system messages first, with their cache_control", async () => {
    const kept = {
      type: "text",
      text: "Long.",
      metadata: { cache_control: { type: "ephemeral", ttl: "1h" } },
    } as const;
    const { body } = await sent([system(["Be brief.", ""]), system(kept), user("Hi")]);
    expect(body).toMatchObject({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Long.", cache_control: { type: "ephemeral", ttl: "1h" } },
      ],
      messages: [{ role: "user" }],
    });
    expect(await turns([user("Hi"), system("Louder.")])).toEqual([
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "system", content: [{ type: "text", text: "Louder." }] },
    ]);
  });

  test("a conversation with tools, in turns; tool results come before other blocks", async () => {
    expect(
      await turns([
        user("How warm?", { name: "ada" }),
        user("In Oslo."),
        assistant("I look."),
        assistant([
          { type: "reasoning", reasoning: "not signed" },
          { type: "tool_call", id: "call|1", name: "f", args: { city: "Oslo" } },
          { type: "invalid_tool_call", id: "2", name: "g", args: "{", error: "cut" },
          { type: "invalid_tool_call", id: "3", args: "", error: "no name" },
        ]),
        user("Be quick."),
        toolMessage("-4", { toolCallId: "call|1" }),
        toolMessage([], {
          toolCallId: "2",
          status: "error",
          metadata: { cache_control: { type: "ephemeral" } },
        }),
        toolMessage([{ type: "image", url: "https://example.com/a.png" }], { toolCallId: "3", artifact: 1 }),
        assistant([]),
        assistant(""),
        user("So?"),
      ]),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "How warm?" },
          { type: "text", text: "In Oslo." },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "call_1_x004xakqo", name: "f", input: { city: "Oslo" } },
          { type: "tool_use", id: "2", name: "g", input: {} },
          { type: "tool_use", id: "3", name: "unknown", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1_x004xakqo", content: [{ type: "text", text: "-4" }] },
          { type: "tool_result", tool_use_id: "2", is_error: true, cache_control: { type: "ephemeral" } },
          {
            type: "tool_result",
            tool_use_id: "3",
            content: [{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }],
          },
          { type: "text", text: "Be quick." },
          { type: "text", text: "So?" },
        ],
      },
    ]);
  });

  test("texts of white space are omitted, but not beside another text of an answer", async () => {
    const call = { type: "tool_call", id: "1", name: "f", args: {} } as const;
    const blank = { type: "text", text: " \n" } as const;
    const said = { type: "text", text: "Hm." } as const;
    const sentTurns = await turns([
      system("Be brief."),
      user([said, blank]),
      assistant([blank, call, blank]),
      toolMessage("\n", { toolCallId: "1" }),
      assistant("\n\n"),
      user(" "),
      assistant([blank, said]),
    ]);
    expect(sentTurns).toEqual([
      { role: "user", content: [said] },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1" }] },
      { role: "assistant", content: [blank, said] },
    ]);
  });

  test("citations of other providers are omitted", async () => {
    const own = { type: "new_location", cited_text: "x" };
    const annotations = [
      { type: "non_standard_annotation", value: { type: "file_path", file_id: "f" } },
      { type: "citation", url: "https://a" },
    ] as const;
    const texts = [
      { type: "text", text: "a", annotations },
      {
        type: "text",
        text: "b",
        annotations: [...annotations, { type: "non_standard_annotation", value: own }],
      },
    ] as const;
    expect(await turns([user("Hi"), assistant([...texts])])).toMatchObject([
      {},
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b", citations: [own] },
        ],
      },
    ]);
    expect(await turns([assistant([texts[0]])])).toEqual([
      { role: "assistant", content: [{ type: "text", text: "a" }] },
    ]);
  });

  test("images and documents, from any source", async () => {
    const citations = { enabled: true };
    const text = btoa(String.fromCharCode(...new TextEncoder().encode("Grüße")));
    const own = { type: "search_result", source: "s", title: "t", content: [] };
    const [turn] = (await turns(
      user([
        {
          type: "image",
          data: "AAAA",
          mimeType: "image/png",
          metadata: { cache_control: { type: "ephemeral" } },
        },
        { type: "image", url: "data:image/gif;base64,BBBB" },
        { type: "file", url: "data:,a%20b%C3%BC" },
        { type: "image", fileId: "file_1" },
        {
          type: "file",
          data: "JVBE",
          mimeType: "application/pdf",
          filename: "a.pdf",
          metadata: { citations },
        },
        { type: "file", url: "https://example.com/a.pdf" },
        { type: "file", fileId: "file_2" },
        { type: "file", data: text, mimeType: "text/plain" },
        { type: "text-plain", text: "Sea.", title: "T", context: "C", metadata: { citations } },
        { type: "text-plain", fileId: "file_3", metadata: { title: "U" } },
        { type: "non_standard", value: own },
      ]),
    )) as { content: unknown }[];
    expect(turn?.content).toEqual([
      {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "AAAA" },
        cache_control: { type: "ephemeral" },
      },
      { type: "image", source: { type: "base64", media_type: "image/gif", data: "BBBB" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a bü" } },
      { type: "image", source: { type: "file", file_id: "file_1" } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
        title: "a.pdf",
        citations,
      },
      { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } },
      { type: "document", source: { type: "file", file_id: "file_2" } },
      { type: "document", source: { type: "text", media_type: "text/plain", data: "Grüße" } },
      {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "Sea." },
        title: "T",
        context: "C",
        citations,
      },
      { type: "document", source: { type: "file", file_id: "file_3" }, title: "U" },
      own,
    ]);
  });

  test("without the metadata and blocks of other providers", async () => {
    expect(
      await turns([
        user("Hi"),
        assistant([
          {
            type: "text",
            text: "Hi",
            annotations: [{ type: "citation", url: "https://example.com", title: "E" }],
            metadata: { id: "msg_2", phase: "final" },
          },
          { type: "reasoning", reasoning: "hm", metadata: { id: "rs_1", encrypted_content: "x" } },
          { type: "server_tool_call", id: "ws_1", name: "web_search", args: {} },
          { type: "server_tool_call_chunk", id: "s", name: "web_search", args: "{" },
          { type: "server_tool_result", toolCallId: "ws_1", status: "success", output: [] },
          {
            type: "tool_call",
            id: "1",
            name: "f",
            args: {},
            metadata: { id: "fc_1", anthropic: { new: 1 } },
          },
        ]),
        toolMessage("a", { toolCallId: "1" }),
      ]),
    ).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Hi" },
          { type: "tool_use", id: "1", name: "f", input: {}, new: 1 },
        ],
      },
      { role: "user" },
    ]);
  });

  describe("calls of server tools without a result", () => {
    const search = (id: string, type = "server_tool_use"): object => ({
      type: "server_tool_call",
      id,
      name: "web_search",
      args: {},
      metadata: { type },
    });
    const result = {
      type: "server_tool_result",
      toolCallId: "s1",
      status: "success",
      output: [],
      metadata: { type: "web_search_tool_result" },
    };
    const answer = (...content: readonly object[]): ReturnType<typeof assistant> =>
      assistant(content as never);
    const said = { type: "text", text: "I look." };
    const use = (id: string): object => ({ type: "server_tool_use", id });

    test("are omitted before the last user message", async () => {
      const paused = [user("Hi"), answer(search("s1")), answer(result, said)];
      const cut = [answer(said, search("s2"), search("s3", "mcp_tool_use")), user("b"), answer(search("s4"))];
      expect(await turns([...paused, user("a"), ...cut, user("c")])).toMatchObject([
        {},
        { content: [use("s1"), { type: "web_search_tool_result", tool_use_id: "s1" }, said] },
        {},
        { content: [said] },
        { content: [{ text: "b" }, { text: "c" }] },
      ]);
    });

    test("are sent back in a message that continues", async () => {
      expect(await turns([user("Hi"), answer(said, search("s1"))])).toMatchObject([
        {},
        { content: [said, use("s1")] },
      ]);
      const call = { type: "tool_call", id: "1", name: "f", args: {} };
      const byCode = [answer(search("s1"), call), toolMessage("a", { toolCallId: "1" })];
      expect(await turns([user("Hi"), ...byCode])).toMatchObject([{}, { content: [use("s1"), {}] }, {}]);
    });
  });

  test.each<[string, MessagesInput, string, RegExp]>([
    ["an image without a source", user({ type: "image" }), "invalid_request", /a url, data or a fileId/],
    [
      "a document without a source",
      user({ type: "text-plain" }),
      "invalid_request",
      /a url, data or a fileId/,
    ],
    [
      "a document that is neither PDF nor text",
      user({ type: "file", data: "", mimeType: "a/b" }),
      "invalid_request",
      /a\/b/,
    ],
    [
      "a text document whose data is not base64",
      user({ type: "file", data: "%%%", mimeType: "text/plain" }),
      "invalid_request",
      /not base64/,
    ],
    [
      "a data: URL that cannot be decoded",
      user({ type: "image", url: "data:image/svg+xml,%E0%A4%A" }),
      "invalid_request",
      /data: URL/,
    ],
    ["audio", user({ type: "audio", data: "", mimeType: "audio/wav" }), "invalid_request", /"audio"/],
    ["a video", user({ type: "video", url: "https://example.com" }), "invalid_request", /"video"/],
    [
      "an image in an assistant message",
      assistant({ type: "image", url: "x" }),
      "invalid_request",
      /"image"/,
    ],
    [
      "an image in a system message",
      [system({ type: "image", url: "x" }), user("a")],
      "invalid_request",
      /only text/,
    ],
    [
      "a tool call in a user message",
      user({ type: "tool_call", id: "1", name: "f", args: {} }),
      "invalid_request",
      /"user" contains a tool_call/,
    ],
    ["a system message without other messages", system("Be brief."), "no_prompt", /at least one message/],
  ])("%s is rejected before anything is sent", async (_, input, code, problem) => {
    const fetch = vi.fn();
    const { error } = await outcomeOf(anthropic({ model: "a", apiKey: "k", fetch }).stream(input));
    expect(error).toMatchObject({ code, message: expect.stringMatching(problem) as string });
    expect(fetch).not.toHaveBeenCalled();
  });
});
