import { describe, expect, test, vi } from "vitest";
import {
  assistant,
  type JsonObject,
  type MessagesInput,
  type ReasoningBlock,
  system,
  type ToolCallBlock,
  toolMessage,
  user,
} from "millrace";
import type { Metadata } from "millrace/models";
import { openai } from "millrace/openai";
import { outcomeOf } from "../../support/models.js";
import { refusal, sent } from "../support.js";

async function messages(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["messages"];
}

describe("a request goes", () => {
  test("to OpenAI, with the key, and requests a stream with usage", async () => {
    vi.stubEnv("OPENAI_BASE_URL", "");
    expect(await sent("Hi")).toEqual({
      url: "https://api.openai.com/v1/chat/completions",
      headers: {
        accept: "text/event-stream",
        authorization: "Bearer key",
        "content-type": "application/json",
      },
      body: {
        model: "gpt-test",
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
        stream_options: { include_usage: true },
      },
    });
  });

  test("with organization, project and custom headers, which take precedence", async () => {
    const options = {
      organization: "org",
      project: "proj",
      headers: { "X-Own": "1", Authorization: "Basic x" },
    };
    expect((await sent("Hi", {}, options)).headers).toMatchObject({
      "openai-organization": "org",
      "openai-project": "proj",
      "x-own": "1",
      authorization: "Basic x",
    });
  });

  test("to the server and with the key in the environment", async () => {
    vi.stubEnv("OPENAI_API_KEY", " from-env\n");
    vi.stubEnv("OPENAI_BASE_URL", "http://localhost:8000/v1/");
    const request = await sent("Hi", {}, { apiKey: undefined });
    expect(request.url).toBe("http://localhost:8000/v1/chat/completions");
    expect(request.headers["authorization"]).toBe("Bearer from-env");
  });

  test("without an environment, as in a browser", async () => {
    const { process } = globalThis;
    vi.stubGlobal("process", undefined);
    try {
      expect((await sent("Hi")).url).toBe("https://api.openai.com/v1/chat/completions");
    } finally {
      vi.stubGlobal("process", process);
    }
  });

  test("to any baseURL, with its query string", async () => {
    const baseURL = "https://example.azure.com/openai/deployments/x?api-version=1";
    expect((await sent("Hi", {}, { baseURL })).url).toBe(
      "https://example.azure.com/openai/deployments/x/chat/completions?api-version=1",
    );
  });

  test("through the current global fetch", async () => {
    const fetch = vi.fn(async () => new Response("data: [DONE]\n\n"));
    const model = openai({ model: "a", apiKey: "k" });
    vi.stubGlobal("fetch", fetch);
    await outcomeOf(model.stream("Hi"));
    vi.unstubAllGlobals();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe("the options of a call", () => {
  test("are converted for the API", async () => {
    const parameters = { type: "object", properties: {} };
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const { body } = await sent("Hi", {
      temperature: 0,
      maxTokens: 5,
      stop: ["a", "b"],
      seed: 0,
      tools: [
        { name: "f", description: "F", parameters, strict: true },
        { name: "g", parameters: { type: "object" } },
      ],
      topP: 0.5,
      parallelToolCalls: false,
      reasoning: { effort: "low" },
      toolChoice: { name: "f" },
      responseFormat: { name: "answer", schema },
      extra: { top_logprobs: 2, seed: 7, stream_options: undefined },
    });
    expect(body).toEqual({
      model: "gpt-test",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      temperature: 0,
      max_completion_tokens: 5,
      stop: ["a", "b"],
      seed: 7,
      top_p: 0.5,
      top_logprobs: 2,
      parallel_tool_calls: false,
      tools: [
        {
          type: "function",
          function: {
            name: "f",
            description: "F",
            parameters: { ...parameters, required: [], additionalProperties: false },
            strict: true,
          },
        },
        { type: "function", function: { name: "g", parameters: { type: "object" } } },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
      reasoning_effort: "low",
    });
  });

  test("are absent by default", async () => {
    const { body } = await sent("Hi", { tools: [], temperature: undefined, toolChoice: undefined });
    expect(Object.keys(body)).toEqual(["model", "messages", "stream", "stream_options"]);
  });

  test.each(["gpt-5-mini", "openai/gpt-6.1-terra", "o3-mini"])(
    "use max_completion_tokens for %s behind a gateway, because OpenAI refuses max_tokens",
    async (model) => {
      const { body } = await sent("Hi", { maxTokens: 5 }, { model, baseURL: "https://a.example/v1" });
      expect(body).toMatchObject({ max_completion_tokens: 5 });
      expect(body).not.toHaveProperty("max_tokens");
    },
  );

  test("use max_tokens for compatible servers", async () => {
    const { body } = await sent("Hi", { maxTokens: 5 }, { baseURL: "http://localhost:8000/v1" });
    expect(body).toMatchObject({ max_tokens: 5 });
    expect(body).not.toHaveProperty("max_completion_tokens");
  });

  test("are those that Mistral knows, at its API", async () => {
    const options = { baseURL: "https://api.mistral.ai/v1", model: "mistral-large-latest" };
    const { body } = await sent("Hi", { seed: 7, maxTokens: 5 }, options);
    const { messages: _, ...rest } = body;
    expect(rest).toEqual({ model: options.model, stream: true, max_tokens: 5, random_seed: 7 });
  });

  test("enforce the schema by default, and send it unchanged with strict: false", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, minProperties: 1 };
    const formatOf = async (strict?: boolean): Promise<unknown> =>
      (await sent("Hi", { responseFormat: { name: "a", schema, strict } })).body["response_format"];
    expect(await formatOf()).toMatchObject({
      json_schema: { strict: true, schema: { required: ["a"], description: "(minProperties: 1)" } },
    });
    expect(await formatOf(false)).toEqual({
      type: "json_schema",
      json_schema: { name: "a", schema, strict: false },
    });
  });

  test("send the description of a schema beside it", async () => {
    const schema = {
      type: "object",
      title: "a",
      description: "A cup.",
      properties: { a: { type: "string" } },
    };
    const { body } = await sent("Hi", { responseFormat: { name: "a", schema, strict: false } });
    expect(body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: {
        name: "a",
        description: "A cup.",
        schema: { type: "object", properties: { a: { type: "string" } } },
        strict: false,
      },
    });
  });

  test("never send options of this package to the provider", async () => {
    const marked = {
      type: "object",
      properties: { a: { type: "string", stream: "whole" }, stream: { type: "string" } },
    };
    const { body } = await sent("Hi", {
      tools: [{ name: "f", parameters: marked }],
      responseFormat: { name: "r", schema: marked, strict: false },
    });
    const clean = { type: "object", properties: { a: { type: "string" }, stream: { type: "string" } } };
    expect(body["tools"]).toEqual([{ type: "function", function: { name: "f", parameters: clean } }]);
    expect(body["response_format"]).toMatchObject({ json_schema: { schema: clean } });
  });

  test("reject a maximum of reasoning tokens", async () => {
    expect(await refusal("Hi", { reasoning: { maxTokens: 100 } })).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("reasoning.maxTokens") as string,
    });
  });

  test.each([
    ["the response format", { responseFormat: { name: "r", schema: { type: "array" } } }, /format "r".*root/],
    ["a tool", { tools: [{ name: "t", parameters: {}, strict: true }] }, /tool "t".*at its root/],
  ])("name the schema that strict mode cannot express: %s", async (_, call, message) => {
    expect(await refusal("Hi", call)).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(message) as string,
    });
  });
});

describe("the role of system messages", () => {
  const role = async (options: Partial<Parameters<typeof openai>[0]>): Promise<unknown> => {
    const [message] = (await sent([system("Be brief."), "Hi"], {}, options)).body["messages"] as {
      role: string;
    }[];
    return message?.role;
  };

  test.each([
    ["developer", "to a reasoning model of OpenAI", { model: "gpt-5-mini" }],
    ["developer", "to one whose profile says so", { model: "new", profile: { reasoning: true } }],
    ["system", "to other models of OpenAI", { model: "gpt-4o" }],
    ["system", "at another server", { model: "gpt-5-mini", baseURL: "http://localhost:8000/v1" }],
  ])("has the role %s %s", async (expected, _, options) => {
    expect(await role({ ...options })).toBe(expected);
  });
});

describe("messages are converted for the API:", () => {
  test("a conversation with a tool", async () => {
    expect(
      await messages([
        system("Be brief.", { name: "boss" }),
        user("How warm?", { name: "ada" }),
        assistant([
          { type: "reasoning", reasoning: "hm" },
          "I look.",
          { type: "tool_call", id: "1", name: "f", args: { city: "Oslo" } },
          { type: "invalid_tool_call", id: "2", name: "g", args: "{", error: "cut" },
        ]),
        toolMessage("-4", { toolCallId: "1" }),
        assistant({ type: "tool_call", id: "3", name: "f", args: {} }),
        toolMessage(["a", "b"], { toolCallId: "3", status: "error" }),
        assistant("Cold.", { refusal: "no" }),
      ]),
    ).toEqual([
      { role: "system", content: "Be brief.", name: "boss" },
      { role: "user", content: "How warm?", name: "ada" },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "1", type: "function", function: { name: "f", arguments: '{"city":"Oslo"}' } },
          { id: "2", type: "function", function: { name: "g", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "1", content: "-4" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "3", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "3", content: "ab" },
      { role: "assistant", content: "Cold.", refusal: "no" },
    ]);
  });

  test("images by URL and by data, and provider-specific parts", async () => {
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    expect(
      await messages([
        user([
          "What is this?",
          { type: "image", url: "https://example.com/a.png", detail: "low" },
          { type: "image", data: "AAAA", mimeType: "image/jpeg" },
          { type: "non_standard", value: audio },
        ]),
      ]),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
          { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
          audio,
        ],
      },
    ]);
  });

  test("OpenAI-style objects are sent unchanged", async () => {
    const input = [
      { role: "developer", content: "a" },
      {
        role: "user",
        content: [
          { type: "text", text: "b" },
          { type: "image_url", image_url: { url: "data:," } },
        ],
      },
    ] as const;
    expect(await messages(input)).toEqual([{ ...input[0], role: "system" }, input[1]]);
  });

  test("audio, documents and plain text", async () => {
    const [message] = (await messages([
      user([
        { type: "audio", data: "AAAA", mimeType: "audio/mpeg" },
        { type: "audio", url: "data:audio/x-wav;base64,BBBB" },
        { type: "audio", data: "DDDD", mimeType: "audio/wav;codecs=1" },
        { type: "file", fileId: "file-1" },
        { type: "file", data: "CCCC", mimeType: "application/pdf", filename: "a.pdf" },
        { type: "file", data: "CCCC", mimeType: "application/pdf" },
        { type: "file", data: "CCCC", mimeType: `text/csv${";".repeat(200_000)}\n` },
        { type: "text-plain", text: "Once.", title: "Tale", context: "Old." },
      ]),
    ])) as { content: unknown }[];
    const pdf = "data:application/pdf;base64,CCCC";
    expect(message?.content).toEqual([
      { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
      { type: "input_audio", input_audio: { data: "BBBB", format: "wav" } },
      { type: "input_audio", input_audio: { data: "DDDD", format: "wav" } },
      { type: "file", file: { file_id: "file-1" } },
      { type: "file", file: { file_data: pdf, filename: "a.pdf" } },
      { type: "file", file: { file_data: pdf, filename: "file.pdf" } },
      { type: "file", file: { file_data: expect.any(String) as string, filename: "file.csv" } },
      { type: "text", text: "Tale\n\nOld.\n\nOnce." },
    ]);
  });

  test("speech of the assistant is sent by its id, and its provider-specific parts unchanged", async () => {
    const part = { type: "refusal", refusal: "no" };
    expect(
      await messages([
        assistant({ type: "audio", data: "AAAA", transcript: "Hi", metadata: { id: "audio_1" } }),
        assistant(["Sorry.", { type: "non_standard", value: part }]),
        assistant([{ type: "text-plain", text: "a" }, "b", { type: "reasoning", reasoning: "c" }]),
        assistant([
          { type: "server_tool_call", id: "1", name: "web_search", args: {} },
          { type: "server_tool_result", toolCallId: "1", status: "success" },
        ]),
      ]),
    ).toEqual([
      { role: "assistant", content: null, audio: { id: "audio_1" } },
      { role: "assistant", content: [{ type: "text", text: "Sorry." }, part] },
      { role: "assistant", content: "ab" },
      { role: "assistant", content: "" },
    ]);
  });

  describe("to a compatible server, what it sent before:", () => {
    const baseURL = "https://api.example.com/v1";
    const call = (id: string, metadata?: Metadata): ToolCallBlock => ({
      type: "tool_call",
      id,
      name: "f",
      args: {},
      ...(metadata && { metadata }),
    });
    const sentCall = (id: string, more?: object): object => ({
      ...more,
      id,
      type: "function",
      function: { name: "f", arguments: "{}" },
    });
    const thought = (reasoning: string): ReasoningBlock => ({
      type: "reasoning",
      reasoning,
      metadata: { type: "reasoning_content" },
    });
    const fields = { extra_content: { google: { thought_signature: "SIG" } } };
    const reasoning_details = [
      { type: "reasoning.text", text: "H", index: 0, signature: null },
      { type: "reasoning.text", text: "m", index: 0 },
      { type: "reasoning.text", signature: "S", index: 0 },
      { type: "reasoning.text", text: "Next", index: 0 },
      { type: "reasoning.summary", summary: "a", index: 1 },
      { type: "reasoning.summary", summary: "b", index: 1 },
      { type: "reasoning.summary", summary: "c", index: 2 },
      { type: "reasoning.encrypted", data: "A", index: 3 },
      { type: "reasoning.encrypted", data: "B", index: 3 },
      "unknown",
    ];
    const history = [
      "Hi",
      assistant([thought("Hm"), call("1"), call("2", { id: "fc_2", tool_call: fields })]),
      toolMessage("4", { toolCallId: "1" }),
      assistant([{ type: "reasoning", reasoning: "of another provider" }, call("3")]),
      toolMessage("4", { toolCallId: "3" }),
      assistant([thought("Well"), "4"]),
      assistant("4", { metadata: { reasoning_details } }),
    ];

    test("reasoning with calls, fields of calls, and reasoning details", async () => {
      const { body } = await sent(history, {}, { baseURL });
      expect(body["messages"]).toEqual([
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          reasoning_content: "Hm",
          tool_calls: [sentCall("1"), sentCall("2", fields)],
        },
        { role: "tool", tool_call_id: "1", content: "4" },
        { role: "assistant", content: null, reasoning_content: "", tool_calls: [sentCall("3")] },
        { role: "tool", tool_call_id: "3", content: "4" },
        { role: "assistant", content: "4" },
        {
          role: "assistant",
          content: "4",
          reasoning_details: [
            { type: "reasoning.text", text: "Hm", signature: "S", index: 0 },
            { type: "reasoning.text", text: "Next", index: 0 },
            { type: "reasoning.summary", summary: "ab", index: 1 },
            { type: "reasoning.summary", summary: "c", index: 2 },
            { type: "reasoning.encrypted", data: "A", index: 3 },
            { type: "reasoning.encrypted", data: "B", index: 3 },
            "unknown",
          ],
        },
      ]);
    });

    test("reasoning details with any names, which stay as they are in the message", async () => {
      const detail = { type: "reasoning.text", index: 0 };
      const own = JSON.parse('{"__proto__": {"a": 1}}') as JsonObject;
      const reasoning_details = [
        { ...detail, text: "a" },
        { ...detail, ...own, text: "b" },
      ];
      const before = structuredClone(reasoning_details);
      const { body } = await sent(
        ["Hi", assistant("4", { metadata: { reasoning_details } })],
        {},
        { baseURL },
      );
      const [, message] = body["messages"] as JsonObject[];
      expect(message?.["reasoning_details"]).toEqual([{ ...detail, ...own, text: "ab" }]);
      expect(reasoning_details).toEqual(before);
    });

    test("no reasoning_content, if no message had it", async () => {
      const { body } = await sent(
        [assistant([{ type: "reasoning", reasoning: "a" }, call("1")])],
        {},
        { baseURL },
      );
      expect(body["messages"]).toEqual([{ role: "assistant", content: null, tool_calls: [sentCall("1")] }]);
    });

    test("nothing of it, to OpenAI", async () => {
      const { body } = await sent(history);
      expect(JSON.stringify(body)).not.toMatch(/reasoning|extra_content/);
    });
  });

  test("an artifact is never sent", async () => {
    const result = toolMessage("4", { toolCallId: "1", artifact: { rows: ["secret"] } });
    expect(JSON.stringify(await messages(["Hi", result]))).not.toMatch(/artifact|secret/);
  });

  test.each([
    ["an image without a source", user({ type: "image" }), /to have a url or data/],
    ["image data without a MIME type", user({ type: "image", data: "AAAA" }), /mimeType/],
    [
      "a tool call in a user message",
      user({ type: "tool_call", id: "1", name: "f", args: {} }),
      /"user" contains a tool_call/,
    ],
    ["an image by file id", user({ type: "image", fileId: "f" }), /to have a url or data/],
    ["a document by URL", user({ type: "file", url: "https://a.example/a.pdf" }), /data or a fileId/],
    ["audio by URL", user({ type: "audio", url: "https://a.example/a.mp3" }), /to have data/],
    ["a video", user({ type: "video", url: "https://a.example/a.mp4" }), /video/],
    ["an image in an assistant message", assistant({ type: "image", url: "data:," }), /"image"/],
    [
      "audio of the assistant without an id",
      assistant({ type: "audio", data: "A", mimeType: "audio/wav" }),
      /metadata\.id/,
    ],
  ])("%s is rejected before anything is sent", async (_, message, problem) => {
    const fetch = vi.fn();
    const { error } = await outcomeOf(openai({ model: "a", apiKey: "k", fetch }).stream(message));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(problem) as string,
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});

test("a long conversation with calls and answers in turn is written in linear time", async () => {
  const turns = Array.from({ length: 150_000 }, (_, i) => [
    assistant([{ type: "tool_call", id: `c${i}`, name: "f", args: {} }]),
    toolMessage("", { toolCallId: `c${i}` }),
  ]);
  expect(await messages(turns.flat())).toHaveLength(300_000); // took minutes
});
