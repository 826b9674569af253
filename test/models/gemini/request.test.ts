import { describe, expect, test, vi } from "vitest";
import {
  assistant,
  type CallOptions,
  user,
  last,
  mergeChunks,
  type MessagesInput,
  pipe,
  system,
  toolMessage,
} from "millrace";
import { serverTool } from "millrace/agent";
import { gemini, type GeminiExtra } from "millrace/gemini";
import { outcomeOf } from "../support/models.js";
import { sentBy } from "../support/sent.js";
import { finish, modelAt, parts, serving, stream } from "./support.js";

const search = serverTool({ name: "search", forms: { gemini: { googleSearch: {} } } });
const sent = sentBy(gemini, { model: "gemini-test", apiKey: "key" });

async function contents(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["contents"];
}

async function config(call: CallOptions<GeminiExtra>, model = "gemini-test"): Promise<unknown> {
  return (await sent("Hi", call, { model })).body["generationConfig"];
}

describe("a request is sent", () => {
  test("to Google, with the key in a header, and requests events", async () => {
    expect(await sent("Hi")).toEqual({
      url: "https://generativelanguage.googleapis.com/v1beta/models/gemini-test:streamGenerateContent?alt=sse",
      headers: { accept: "text/event-stream", "content-type": "application/json", "x-goog-api-key": "key" },
      body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    });
  });

  test("with the key in the environment", async () => {
    vi.stubEnv("GEMINI_API_KEY", "");
    vi.stubEnv("GOOGLE_API_KEY", "google");
    const key = async (): Promise<unknown> =>
      (await sent("Hi", {}, { apiKey: undefined })).headers["x-goog-api-key"];
    expect(await key()).toBe("google");
    vi.stubEnv("GEMINI_API_KEY", " gemini\n");
    expect(await key()).toBe("gemini");
  });

  test("to Vertex AI, without a key but with a custom header", async () => {
    vi.stubEnv("GEMINI_API_KEY", "");
    vi.stubEnv("GOOGLE_API_KEY", "");
    const options = {
      apiKey: undefined,
      baseURL: "https://eu-aiplatform.googleapis.com/v1/projects/p/locations/eu/publishers/google/",
      headers: { Authorization: "Bearer t" },
    };
    const { url, headers } = await sent("Hi", {}, options);
    expect(url).toBe(
      "https://eu-aiplatform.googleapis.com/v1/projects/p/locations/eu/publishers/google/models/gemini-test:streamGenerateContent?alt=sse",
    );
    expect(headers).toMatchObject({ authorization: "Bearer t" });
    expect(headers).not.toHaveProperty("x-goog-api-key");
  });

  test("to a tuned model, with the query string of the baseURL", async () => {
    const { url } = await sent("Hi", {}, { model: "tunedModels/mine", baseURL: "http://localhost:1/x?a=b" });
    expect(url).toBe("http://localhost:1/x/tunedModels/mine:streamGenerateContent?a=b&alt=sse");
  });

  test("only with a model and, for Google, with a key", async () => {
    vi.stubEnv("GEMINI_API_KEY", "");
    vi.stubEnv("GOOGLE_API_KEY", "");
    await expect(gemini({ model: "gemini-test" }).invoke("Hi")).rejects.toMatchObject({ code: "no_key" });
    expect(() => gemini({ model: "" })).toThrow(expect.objectContaining({ code: "no_model" }));
    const fetch = (): Promise<Response> => Promise.resolve(new Response("seen", { status: 400 }));
    const withHeader = gemini({ model: "a", headers: { "x-goog-api-key": "k" }, fetch });
    await expect(withHeader.invoke("Hi")).rejects.toMatchObject({ status: 400 });
  });
});

describe("the options of a call", () => {
  const parameters = { type: "object", properties: { a: { type: "string", pattern: "x", stream: "whole" } } };

  test("are converted for the API", async () => {
    const { body } = await sent("Hi", {
      temperature: 0,
      topP: 0.5,
      maxTokens: 5,
      stop: ["a", "b"],
      seed: 0,
      tools: [{ name: "f", description: "F", parameters, metadata: { behavior: "BLOCKING" } }],
      toolChoice: { name: "f" },
      responseFormat: {
        name: "answer",
        schema: { type: "object", properties: { a: { const: "x", stream: "whole" } } },
      },
    });
    expect(body).toEqual({
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      tools: [
        {
          functionDeclarations: [
            {
              name: "f",
              description: "F",
              behavior: "BLOCKING",
              parametersJsonSchema: { type: "object", properties: { a: { type: "string", pattern: "x" } } },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
      generationConfig: {
        temperature: 0,
        topP: 0.5,
        maxOutputTokens: 5,
        stopSequences: ["a", "b"],
        seed: 0,
        responseMimeType: "application/json",
        responseJsonSchema: { type: "object", properties: { a: { enum: ["x"] } } },
      },
    });
  });

  test("are absent by default", async () => {
    const { body } = await sent("Hi", { tools: [], temperature: undefined, parallelToolCalls: true });
    expect(Object.keys(body)).toEqual(["contents"]);
  });

  test.each([
    ["auto", false, "AUTO"],
    ["none", false, "NONE"],
    ["required", false, "ANY"],
    ["auto", true, "VALIDATED"],
    [undefined, true, "VALIDATED"],
    ["required", true, "ANY"],
  ] as const)("toolChoice %s with strict: %s becomes %s", async (toolChoice, strict, mode) => {
    const { body } = await sent("Hi", { toolChoice, tools: [{ name: "f", parameters, strict }] });
    expect(body["toolConfig"]).toEqual({ functionCallingConfig: { mode } });
  });

  test("limit strict tools to what Gemini can express, and send other schemas unchanged", async () => {
    const { body } = await sent("Hi", { tools: [{ name: "f", parameters, strict: true }] });
    expect(body["tools"]).toMatchObject([
      {
        functionDeclarations: [
          { parametersJsonSchema: { properties: { a: { description: '(pattern: "x")' } } } },
        ],
      },
    ]);
    const schema = { not: {}, stream: "whole" };
    expect(await config({ responseFormat: { name: "a", schema, strict: false } })).toMatchObject({
      responseJsonSchema: { not: {} },
    });
  });

  test.each([
    ["gemini-3-pro", { effort: "low" }, { thinkingLevel: "low", includeThoughts: true }],
    ["gemini-flash-latest", { effort: "minimal" }, { thinkingLevel: "minimal", includeThoughts: true }],
    ["models/gemini-2.5-pro", { effort: "medium" }, { thinkingBudget: 8_192, includeThoughts: true }],
    ["gemini-2.5-flash-lite", { effort: "none" }, { thinkingBudget: 0 }],
    ["gemini-3-pro", { maxTokens: 100 }, { thinkingBudget: 100, includeThoughts: true }],
    ["gemini-2.5-flash", { maxTokens: 0 }, { thinkingBudget: 0, includeThoughts: false }],
  ] as const)("reasoning of %s with %j becomes %j", async (model, reasoning, thinkingConfig) => {
    expect(await config({ reasoning }, model)).toEqual({ thinkingConfig });
  });

  test("are merged with extra, which has precedence", async () => {
    const { body } = await sent("Hi", {
      temperature: 1,
      maxTokens: 5,
      reasoning: { maxTokens: 9 },
      toolChoice: "auto",
      tools: [{ name: "f", parameters: {} }, search],
      extra: {
        safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
        cachedContent: "cachedContents/1",
        toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
        generationConfig: { temperature: 0, topK: 3, thinkingConfig: { includeThoughts: false } },
        labels: undefined,
      },
    });
    expect(body).toMatchObject({
      safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }],
      cachedContent: "cachedContents/1",
      tools: [{ functionDeclarations: [{ name: "f" }] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: "AUTO", streamFunctionCallArguments: true } },
      generationConfig: {
        temperature: 0,
        maxOutputTokens: 5,
        topK: 3,
        thinkingConfig: { thinkingBudget: 9, includeThoughts: false },
      },
    });
    expect((await sent("Hi", { tools: [search], extra: { contents: undefined } })).body).toEqual({
      tools: [{ googleSearch: {} }],
    });
  });

  test.each([
    ["disabled parallel tool calls", { parallelToolCalls: false }, /parallelToolCalls/],
    ["an effort together with a token budget", { reasoning: { effort: "low", maxTokens: 1 } }, /not both/],
    ["the effort none for a model that always reasons", { reasoning: { effort: "none" } }, /always thinks/],
    [
      "an inexpressible schema",
      { responseFormat: { name: "a", schema: { items: { not: {} } } } },
      /at \/items\/not,/,
    ],
  ] as const)("%s is rejected before anything is sent", async (_, call, problem) => {
    await expect(sent("Hi", call as CallOptions)).rejects.toMatchObject(invalidRequest(problem));
  });
});

describe("messages are converted for the API:", () => {
  test("a conversation with tools; results get the order of their calls", async () => {
    const { body } = await sent([
      system("Be brief."),
      user("How warm?"),
      assistant([
        { type: "reasoning", reasoning: "hm", metadata: { thoughtSignature: "s0" } },
        { type: "reasoning", reasoning: "another provider's" },
        "I look.",
        {
          type: "tool_call",
          id: "c1",
          name: "f",
          args: { city: "Oslo" },
          metadata: { thoughtSignature: "s1", id: "c1" },
        },
        { type: "tool_call", id: "r1_2", name: "f", args: {} },
        {
          type: "invalid_tool_call",
          id: "r1_3",
          name: "g",
          args: "{",
          error: "cut",
          metadata: { id: "fc_1" },
        },
      ]),
      toolMessage("cut", { toolCallId: "r1_3", status: "error" }),
      toolMessage(["-", "4"], { toolCallId: "c1" }),
      toolMessage([{ type: "image", data: "AAAA", mimeType: "image/png" }], { toolCallId: "r1_2" }),
      system("Be kind."),
      assistant("Cold."),
      toolMessage("?", { toolCallId: "unknown", name: "h" }),
    ]);
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }, { text: "Be kind." }] },
      contents: [
        { role: "user", parts: [{ text: "How warm?" }] },
        {
          role: "model",
          parts: [
            { text: "hm", thought: true, thoughtSignature: "s0" },
            { text: "I look." },
            { functionCall: { id: "c1", name: "f", args: { city: "Oslo" } }, thoughtSignature: "s1" },
            { functionCall: { name: "f", args: {} } },
            { functionCall: { name: "g", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "c1", name: "f", response: { output: "-4" } } },
            {
              functionResponse: {
                name: "f",
                response: { output: "" },
                parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }],
              },
            },
            { functionResponse: { name: "g", response: { error: "cut" } } },
          ],
        },
        { role: "model", parts: [{ text: "Cold." }] },
        { role: "user", parts: [{ functionResponse: { name: "h", response: { output: "?" } } }] },
      ],
    });
  });

  test("a repeated call id refers to the latest call", async () => {
    const call = (name: string): ReturnType<typeof assistant> =>
      assistant({ type: "tool_call", id: "call_0", name, args: {} });
    expect(
      await contents([
        "Hi",
        call("f"),
        toolMessage("1", { toolCallId: "call_0" }),
        call("g"),
        toolMessage("2", { toolCallId: "call_0" }),
      ]),
    ).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { name: "f" } }] },
      {},
      { parts: [{ functionResponse: { name: "g" } }] },
    ]);
  });

  test("a call whose id was repeated keeps Gemini's id", async () => {
    const call = { type: "tool_call", id: "c_1", name: "f", args: {}, metadata: { id: "c" } } as const;
    expect(await contents(["Hi", assistant(call), toolMessage("1", { toolCallId: "c_1" })])).toMatchObject([
      {},
      { parts: [{ functionCall: { id: "c", name: "f" } }] },
      { parts: [{ functionResponse: { id: "c", name: "f" } }] },
    ]);
  });

  test("media by data and by URL", async () => {
    expect(
      await contents([
        user([
          "Look.",
          { type: "image", data: "AAAA", mimeType: "image/png", detail: "high" },
          { type: "image", url: "data:image/jpeg;base64,BBBB", detail: "auto" },
          { type: "image", url: "data:image/svg+xml,%3Csvg/%3E" },
          { type: "audio", data: "CCCC", mimeType: "audio/wav" },
          { type: "video", url: "https://youtu.be/x", metadata: { videoMetadata: { fps: 1 } } },
          { type: "file", fileId: "https://files/1", mimeType: "application/pdf" },
          { type: "text-plain", title: "T", text: "body" },
          { type: "text-plain", data: "RA==", mimeType: "text/plain" },
          { type: "non_standard", value: { hologram: 1 } },
          "",
        ]),
      ]),
    ).toEqual([
      {
        role: "user",
        parts: [
          { text: "Look." },
          {
            inlineData: { mimeType: "image/png", data: "AAAA" },
            mediaResolution: { level: "MEDIA_RESOLUTION_HIGH" },
          },
          { inlineData: { mimeType: "image/jpeg", data: "BBBB" } },
          { inlineData: { mimeType: "image/svg+xml", data: btoa("<svg/>") } },
          { inlineData: { mimeType: "audio/wav", data: "CCCC" } },
          { fileData: { fileUri: "https://youtu.be/x" }, videoMetadata: { fps: 1 } },
          { fileData: { fileUri: "https://files/1", mimeType: "application/pdf" } },
          { text: "T\n\nbody" },
          { inlineData: { mimeType: "text/plain", data: "RA==" } },
          { hologram: 1 },
        ],
      },
    ]);
  });

  test.each([
    ["an image without a source", user({ type: "image" }), /to have data, a url or a fileId/],
    ["data without a MIME type", user({ type: "video", data: "AAAA" }), /mimeType/],
    [
      "a tool call in a user message",
      user({ type: "tool_call", id: "1", name: "f", args: {} }),
      /"user" contains a tool_call/,
    ],
    ["an image in a system message", system({ type: "image", url: "https://a" }), /only text/],
    ["the result of an unknown call", toolMessage("1", { toolCallId: "x" }), /"x" needs a name/],
  ])("%s is rejected before anything is sent", async (_, message, problem) => {
    await expect(sent([message])).rejects.toMatchObject(invalidRequest(problem));
  });
});

test.each([
  ["only system messages", system("Be brief.")],
  ["an empty text", user("")],
  ["an empty text block", user({ type: "text", text: "" })],
])("a conversation of %s has no prompt", async (_, message) => {
  await expect(sent([message])).rejects.toMatchObject({ code: "no_prompt" });
});

test("an answer is sent back unchanged: signatures, thoughts, calls, code and media", async () => {
  const written = [
    { text: "hm", thought: true, thoughtSignature: "s1" },
    { text: "Look: ", thoughtSignature: "s2" },
    { text: "this" },
    { executableCode: { language: "PYTHON", code: "1" }, thoughtSignature: "s3" },
    { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
    { toolCall: { id: "t", toolType: "URL_CONTEXT", args: {} } },
    { toolResponse: { id: "t", toolType: "URL_CONTEXT", response: {} } },
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s4" },
    { functionCall: { id: "c", name: "f", args: { a: [1] } }, thoughtSignature: "s5" },
    { functionCall: { name: "g", args: {} } },
    { hologram: true },
    { text: "", thoughtSignature: "s6" },
  ];
  const server = await serving(stream(...written.map((part) => parts(part)), finish()), stream(finish()));
  const model = modelAt(server);
  const answer = await last(pipe(model.stream("Hi"), mergeChunks()));
  await outcomeOf(model.stream(["Hi", answer!, toolMessage("ok", { toolCallId: "c" })]));
  const { contents } = server.requests[1]?.body as { contents: unknown[] };
  expect(contents.slice(1)).toEqual([
    { role: "model", parts: written },
    { role: "user", parts: [{ functionResponse: { id: "c", name: "f", response: { output: "ok" } } }] },
  ]);
});

test.each([
  ["gemini-2.5-flash", "structuredOutput toolCalling reasoning image audio video file"],
  [
    "models/gemini-3-pro-preview",
    "structuredOutput structuredOutputWithTools toolCalling reasoning image audio video file",
  ],
  [
    "gemini-flash-lite-latest",
    "structuredOutput structuredOutputWithTools toolCalling reasoning image audio video file",
  ],
  ["gemini-2.0-flash", "structuredOutput toolCalling image audio video file"],
  ["gemini-2.5-flash-image", "image | text image"],
  ["gemini-3-pro-image-preview", "structuredOutput reasoning image | text image"],
  ["gemini-2.5-flash-preview-tts", " | audio"],
  ["gemma-3-27b-it", ""],
  ["my-own", "toolCalling"],
])("the profile of %s is: %s", (model, expected) => {
  const { profile } = gemini({ model, apiKey: "k" });
  const able = Object.entries(profile).flatMap(([name, can]) => (can === true ? [name] : []));
  const output = profile.output.join(" ");
  const input = [...able, ...profile.input.slice(1)].join(" ");
  expect(output === "text" ? input : `${input} | ${output}`).toBe(expected);
});

function invalidRequest(problem: RegExp): object {
  return { code: "invalid_request", message: expect.stringMatching(problem) as string };
}
