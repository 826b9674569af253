import { describe, expect, test, vi } from "vitest";
import {
  assistant,
  type CallOptions,
  user,
  type JsonObject,
  type MessagesInput,
  system,
  toolMessage,
} from "millrace";
import { ollama } from "millrace/ollama";
import { hostAddress } from "#src/models/ollama/endpoint.js";
import { writeSchema } from "#src/models/dialect/write-schema.js";
import { ollamaSchema } from "#src/models/ollama/schema.js";
import { sentBy } from "../support/sent.js";

const sent = sentBy(ollama, { model: "test-1" });

async function messages(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["messages"];
}

describe("a request is sent", () => {
  test("to this machine, without a key", async () => {
    vi.stubEnv("OLLAMA_HOST", "");
    expect(await sent("Hi")).toEqual({
      url: "http://127.0.0.1:11434/api/chat",
      headers: { accept: "application/x-ndjson", "content-type": "application/json" },
      body: { model: "test-1", messages: [{ role: "user", content: "Hi" }], stream: true },
    });
  });

  test("to the server in the environment, or to another one with a key", async () => {
    vi.stubEnv("OLLAMA_HOST", "gpu.local");
    expect((await sent("Hi")).url).toBe("http://gpu.local:11434/api/chat");
    const { url, headers } = await sent("Hi", {}, { baseURL: "https://ollama.com/", apiKey: "key" });
    expect([url, headers["authorization"]]).toEqual(["https://ollama.com/api/chat", "Bearer key"]);
  });

  test.each([
    ["", "http://127.0.0.1:11434"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    [" 0.0.0.0:80 ", "http://127.0.0.1:80"],
    [":5000", "http://127.0.0.1:5000"],
    ["192.168.0.7:5000", "http://192.168.0.7:5000"],
    ["[::]:5000", "http://[::1]:5000"],
    ["[fe80::1]", "http://[fe80::1]:11434"],
    ["host/path", "http://host:11434/path"],
    ["https://host", "https://host"],
    ["http://host:8080/path", "http://host:8080/path"],
  ])("to %s for OLLAMA_HOST, as %s", (host, address) => {
    expect(hostAddress(host)).toBe(address);
  });

  test("only with a model and a valid address", async () => {
    expect(() => ollama({ model: " " })).toThrow(expect.objectContaining({ code: "no_model" }));
    vi.stubEnv("OLLAMA_HOST", "a b");
    expect(() => ollama({ model: "a", baseURL: "a b" })).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
    await expect(ollama({ model: "a" }).invoke("Hi")).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("the options of a call", () => {
  const parameters = { type: "object", properties: { a: { type: "string", stream: "whole" } } };

  test("are converted for the API", async () => {
    const { body } = await sent("Hi", {
      temperature: 0,
      topP: 0.5,
      maxTokens: 5,
      stop: "a",
      seed: 0,
      tools: [{ name: "f", description: "F", parameters }],
      toolChoice: "auto",
      parallelToolCalls: true,
      responseFormat: { name: "answer", schema: parameters },
      reasoning: { effort: "high" },
      extra: { keep_alive: "10m", options: { num_ctx: 8_192, seed: 1 }, truncate: false },
    });
    const plain = { type: "object", properties: { a: { type: "string" } } };
    expect(body).toEqual({
      model: "test-1",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      tools: [{ type: "function", function: { name: "f", description: "F", parameters: plain } }],
      format: plain,
      think: "high",
      keep_alive: "10m",
      truncate: false,
      options: { temperature: 0, top_p: 0.5, num_predict: 5, stop: ["a"], seed: 1, num_ctx: 8_192 },
    });
  });

  test.each([
    [{ reasoning: { effort: "none" } }, { think: false }],
    [{ extra: { think: true } }, { think: true }],
    [{ toolChoice: "none", tools: [{ name: "f", parameters }] }, {}],
    [{ stop: ["a", "b"] }, { options: { stop: ["a", "b"] } }],
    [{ tools: [], extra: { model: "other", options: undefined } }, { model: "other" }],
  ] as const)("%j becomes %j", async (call, expected) => {
    const { body } = await sent("Hi", call);
    expect(body).toEqual({
      model: "test-1",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      ...expected,
    });
  });

  test.each([
    ["disabled parallel tool calls", { parallelToolCalls: false }, /parallelToolCalls/],
    ["a required tool call", { toolChoice: "required" }, /toolChoice/],
    ["a named tool", { toolChoice: { name: "f" } }, /toolChoice/],
    ["a strict tool", { tools: [{ name: "f", parameters, strict: true }] }, /strict tools, such as "f"/],
    ["a token budget for reasoning", { reasoning: { maxTokens: 1 } }, /reasoning.maxTokens/],
    ["an unsupported effort", { reasoning: { effort: "minimal" } }, /"minimal"/],
    [
      "an inexpressible schema",
      { responseFormat: { name: "a", schema: { items: { $ref: "#anchor" } } } },
      /at \/items\/\$ref,/,
    ],
  ] as const)("%s is rejected before anything is sent", async (_, call, problem) => {
    await expect(sent("Hi", call as CallOptions)).rejects.toMatchObject(invalidRequest(problem));
  });
});

describe("messages are converted for the API:", () => {
  test("a conversation with tools", async () => {
    expect(
      await messages([
        system("Be brief."),
        user(["Look: ", { type: "image", data: "AAAA" }, { type: "text-plain", text: "doc" }]),
        user({ type: "image", url: "data:image/png;base64,BBBB" }),
        assistant([
          { type: "reasoning", reasoning: "hm" },
          "I look.",
          { type: "tool_call", id: "call_1", name: "f", args: { a: 1 } },
          { type: "invalid_tool_call", id: "call_2", args: "{", error: "cut" },
          { type: "non_standard", value: 1 },
        ]),
        toolMessage("-4", { toolCallId: "call_1" }),
        assistant({ type: "tool_call", id: "call_1", name: "g", args: {} }),
        toolMessage("5", { toolCallId: "call_1" }),
        toolMessage("6", { toolCallId: "x", name: "h" }),
      ]),
    ).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look: doc", images: ["AAAA"] },
      { role: "user", content: "", images: ["BBBB"] },
      {
        role: "assistant",
        content: "I look.",
        thinking: "hm",
        tool_calls: [
          { id: "call_1", function: { name: "f", arguments: { a: 1 } } },
          { id: "call_2", function: { name: "unknown", arguments: {} } },
        ],
      },
      { role: "tool", content: "-4", tool_name: "f", tool_call_id: "call_1" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_1", function: { name: "g", arguments: {} } }],
      },
      { role: "tool", content: "5", tool_name: "g", tool_call_id: "call_1" },
      { role: "tool", content: "6", tool_name: "h", tool_call_id: "x" },
    ]);
  });

  test.each([
    ["an image by URL", user({ type: "image", url: "https://a" }), /to have data, or a data: URL/],
    ["audio", user({ type: "audio", data: "AAAA", mimeType: "audio/wav" }), /"audio"/],
    ["a file", user({ type: "file", fileId: "1" }), /"file"/],
    ["a part of another provider", user({ type: "non_standard", value: 1 }), /non_standard/],
    [
      "a tool call in a user message",
      user({ type: "tool_call", id: "1", name: "f", args: {} }),
      /"user" contains a tool_call/,
    ],
  ])("%s is rejected before anything is sent", async (_, message, problem) => {
    await expect(sent([message])).rejects.toMatchObject(invalidRequest(problem));
  });
});

describe("a schema is sent to Ollama", () => {
  const cases: readonly [name: string, schema: JsonObject, expected: JsonObject][] = [
    [
      "unchanged",
      { type: "string", pattern: "^[a-z]{2,3}(-[0-9]+)?$" },
      { type: "string", pattern: "^[a-z]{2,3}(-[0-9]+)?$" },
    ],
    [
      "without annotations of this package",
      { items: { stream: "required", type: "object" } },
      { items: { type: "object" } },
    ],
    [
      "with patterns as its grammar reads them",
      { type: "string", pattern: "^\\w+?\\/(?:a|\\d)$" },
      { type: "string", pattern: "^[0-9A-Z_a-z]+/(a|[0-9])$" },
    ],
    [
      "with rules in words that its grammar cannot say",
      { type: "string", pattern: "^(?!a)b$", not: { const: "b" } },
      { type: "string", description: '(pattern: "^(?!a)b$") (not: {"const":"b"})' },
    ],
    [
      "with a tuple as an array of items",
      { type: "array", prefixItems: [{ type: "string" }, {}], items: false },
      {
        type: "array",
        items: [{ type: "string" }, { type: ["object", "array", "string", "number", "boolean", "null"] }],
      },
    ],
  ];
  test.each(cases)("%s", (_, schema, expected) => {
    expect(writeSchema(schema, ollamaSchema, "x")).toEqual(expected);
  });

  test.each([
    [{ properties: { a: { $ref: "#anchor" } } }, "/properties/a/$ref"],
    [{ anyOf: [{ $ref: "b.json#/a" }] }, "/anyOf/0/$ref"],
    [{ items: { $ref: "https://a" } }, "/items/$ref"],
  ])("unless it is inexpressible: %j", (schema, pointer) => {
    expect(() => writeSchema(schema, ollamaSchema, "x")).toThrow(` ${pointer}, `);
  });

  test("unchanged with strict: false", async () => {
    const schema = { not: {}, stream: "whole" };
    const { body } = await sent("Hi", { responseFormat: { name: "a", schema, strict: false } });
    expect(body["format"]).toEqual({ not: {} });
  });
});

test.each([
  ["llama3.2:3b", "structuredOutput toolCalling"],
  ["someone/qwen3:8b", "structuredOutput toolCalling reasoning"],
  ["qwen2.5vl", "structuredOutput image"],
  ["gpt-oss:20b", "toolCalling reasoning"],
  ["gemma3:27b", "structuredOutput image"],
  ["deepseek-r1", "structuredOutput toolCalling reasoning"],
  ["my-own", "structuredOutput"],
])("the profile of %s is: %s", (model, expected) => {
  const { profile } = ollama({ model });
  const able = Object.entries(profile).flatMap(([name, can]) => (can === true ? [name] : []));
  expect([...able, ...profile.input.slice(1)].join(" ")).toBe(expected);
});

function invalidRequest(problem: RegExp): object {
  return { code: "invalid_request", message: expect.stringMatching(problem) as string };
}
