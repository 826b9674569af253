import { afterEach, describe, expect, test, vi } from "vitest";
import { assistant, type CallOptions, human, type MessagesInput, system, toolMessage } from "millrace";
import { openai, type OpenAIOptions } from "millrace/openai";
import { outcomeOf } from "../support/models.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** What a call sends. */
async function sent(
  input: MessagesInput,
  call?: CallOptions,
  options: Partial<OpenAIOptions> = {},
): Promise<Sent> {
  let seen: Sent | undefined;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    seen = { url, headers, body: JSON.parse(init.body as string) as Sent["body"] };
    return new Response("data: [DONE]\n\n");
  };
  await outcomeOf(openai({ model: "gpt-test", apiKey: "key", fetch, ...options }).stream(input, call));
  if (seen === undefined) throw new Error("nothing was sent");
  return seen;
}

async function messages(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["messages"];
}

describe("a request goes", () => {
  test("to OpenAI, with the key, and asks for a stream with its usage", async () => {
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

  test("with organization, project and headers of one's own, which win", async () => {
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

  test("to the server and with the key that the environment names", async () => {
    vi.stubEnv("OPENAI_API_KEY", " from-env\n");
    vi.stubEnv("OPENAI_BASE_URL", "http://localhost:8000/v1/");
    const request = await sent("Hi", {}, { apiKey: undefined });
    expect(request.url).toBe("http://localhost:8000/v1/chat/completions");
    expect(request.headers["authorization"]).toBe("Bearer from-env");
  });

  test("where there is no environment, as in a browser", async () => {
    const { process } = globalThis;
    vi.stubGlobal("process", undefined);
    try {
      expect((await sent("Hi")).url).toBe("https://api.openai.com/v1/chat/completions");
    } finally {
      vi.stubGlobal("process", process);
    }
  });

  test("to any baseURL, with its query", async () => {
    const baseURL = "https://example.azure.com/openai/deployments/x?api-version=1";
    expect((await sent("Hi", {}, { baseURL })).url).toBe(
      "https://example.azure.com/openai/deployments/x/chat/completions?api-version=1",
    );
  });

  test("through the global fetch of the moment", async () => {
    const fetch = vi.fn(async () => new Response("data: [DONE]\n\n"));
    const model = openai({ model: "a", apiKey: "k" });
    vi.stubGlobal("fetch", fetch);
    await outcomeOf(model.stream("Hi"));
    vi.unstubAllGlobals();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe("the options of a call", () => {
  test("are written as the API has them", async () => {
    const parameters = { type: "object", properties: {} };
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const { body } = await sent("Hi", {
      temperature: 0,
      maxTokens: 5,
      stop: ["a", "b"],
      seed: 0,
      tools: [
        { name: "f", description: "F", parameters, strict: true },
        { name: "g", parameters },
      ],
      toolChoice: { name: "f" },
      responseFormat: { name: "answer", schema },
      extra: { reasoning_effort: "low", stream_options: undefined },
    });
    expect(body).toEqual({
      model: "gpt-test",
      messages: [{ role: "user", content: "Hi" }],
      stream: true,
      temperature: 0,
      max_completion_tokens: 5,
      stop: ["a", "b"],
      seed: 0,
      tools: [
        { type: "function", function: { name: "f", description: "F", parameters, strict: true } },
        { type: "function", function: { name: "g", parameters } },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      response_format: { type: "json_schema", json_schema: { name: "answer", schema, strict: true } },
      reasoning_effort: "low",
    });
  });

  test("are absent where nothing is asked for", async () => {
    const { body } = await sent("Hi", { tools: [], temperature: undefined, toolChoice: undefined });
    expect(Object.keys(body)).toEqual(["model", "messages", "stream", "stream_options"]);
  });

  test("name the token limit as other servers know it", async () => {
    const { body } = await sent("Hi", { maxTokens: 5 }, { baseURL: "http://localhost:8000/v1" });
    expect(body).toMatchObject({ max_tokens: 5 });
    expect(body).not.toHaveProperty("max_completion_tokens");
  });

  test("hold the model to the schema unless told otherwise", async () => {
    const responseFormat = { name: "a", schema: {}, strict: false };
    expect((await sent("Hi", { responseFormat })).body["response_format"]).toMatchObject({
      json_schema: { strict: false },
    });
  });
});

describe("messages are written as the API has them:", () => {
  test("a conversation with a tool", async () => {
    expect(
      await messages([
        system("Be brief.", { name: "boss" }),
        human("How warm?", { name: "ada" }),
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
          { id: "2", type: "function", function: { name: "g", arguments: "{" } },
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

  test("images by URL and by data, and parts that only the provider knows", async () => {
    const audio = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
    expect(
      await messages([
        human([
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

  test("OpenAI-style objects go as they came", async () => {
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

  test.each([
    ["an image without an address", human({ type: "image" }), /to have a url or data/],
    ["image data without its type", human({ type: "image", data: "AAAA" }), /mimeType/],
    [
      "a tool call of a person",
      human({ type: "tool_call", id: "1", name: "f", args: {} }),
      /only an assistant/,
    ],
  ])("%s is refused before anything is sent", async (_, message, problem) => {
    const fetch = vi.fn();
    const { error } = await outcomeOf(openai({ model: "a", apiKey: "k", fetch }).stream(message));
    expect(error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(problem) as string,
    });
    expect(fetch).not.toHaveBeenCalled();
  });
});
