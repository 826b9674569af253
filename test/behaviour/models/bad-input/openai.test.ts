import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createServer, type AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { textOf, TimeoutError } from "millrace";
import { openai } from "millrace/openai";
import { errorOf, modelAt, outcomeOf, serving } from "../../../models/support/models.js";
import {
  type Answer,
  begin,
  content,
  delta,
  finish,
  hello,
  status,
  stream,
} from "../../../models/support/server.js";

const unhandled = vi.fn();
beforeEach(() => {
  unhandled.mockReset();
  process.on("unhandledRejection", unhandled);
});
afterEach(async () => {
  await delay(0);
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

describe("before a request is made", () => {
  test("a model is required", () => {
    expect(() => openai({ model: " ", apiKey: "k" })).toThrow(expect.objectContaining({ code: "no_model" }));
    expect(() => openai({} as never)).toThrow(/model/);
  });

  test("a key is required for OpenAI, but not for other servers", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    vi.stubEnv("OPENAI_BASE_URL", "");
    expect(await errorOf(openai({ model: "gpt-5" }).stream("Hi"))).toMatchObject({ code: "no_key" });
    const fetch = (): Promise<Response> => Promise.resolve(new Response("seen", { status: 400 }));
    const withHeader = openai({ model: "gpt-5", headers: { Authorization: "Bearer x" }, fetch });
    expect(await errorOf(withHeader.stream("Hi"))).toMatchObject({ status: 400 });
    const server = await serving(hello);
    await outcomeOf(openai({ model: "test-1", baseURL: server.url }).stream("Hi"));
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each(["", [], [{ role: "user", content: "" }], [{ role: "system", content: [] }]] as const)(
    "a prompt is required, and %j is empty",
    async (input) => {
      const server = await serving(hello);
      expect(await errorOf(modelAt(server).stream(input))).toMatchObject({
        code: "no_prompt",
        retryable: false,
      });
      expect(server.requests).toEqual([]);
    },
  );

  test("an invalid message is rejected", async () => {
    const { error } = await outcomeOf(modelAt(await serving(hello)).stream(7 as never));
    expect(error).toMatchObject({ name: "MessageError", code: "invalid_input" });
  });

  test("a web address is required", () => {
    for (const baseURL of ["localhost:1234/v1", "nonsense", "file:///v1"]) {
      expect(() => openai({ model: "a", baseURL })).toThrow(
        expect.objectContaining({ code: "invalid_request" }),
      );
    }
  });

  test("a key that is not a valid header value is not in the error", () => {
    const attempt = (): unknown => openai({ model: "a", apiKey: "sk-secret\nkey" });
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid_request" }));
    expect(() => openai({ model: "a", apiKey: "k", headers: { "api-key": "se\ncret" } })).toThrow(
      /"api-key"/,
    );
    try {
      attempt();
    } catch (error) {
      expect(inspect(error)).not.toContain("secret");
    }
  });
});

describe("a status that is not 2xx", () => {
  const answers: readonly [name: string, answer: Answer, expected: object][] = [
    [
      "is an unknown model: the error has the provider's text and code",
      status(
        404,
        {
          error: {
            message: "The model `gpt-9` does not exist",
            type: "invalid_request_error",
            code: "model_not_found",
          },
        },
        { "x-request-id": "req_7" },
      ),
      {
        status: 404,
        retryable: false,
        providerCode: "model_not_found",
        requestId: "req_7",
        message: expect.stringMatching(
          /^127\.0\.0\.1:\d+\/v1\/chat\/completions .*404: The model `gpt-9` does not exist \(request req_7\)$/,
        ) as string,
      },
    ],
    [
      "is an invalid key",
      status(401, { error: { message: "Incorrect API key", code: "invalid_api_key" } }),
      { status: 401, retryable: false, providerCode: "invalid_api_key" },
    ],
    [
      "is a rate limit: the error has the delay",
      status(429, { error: { message: "Slow down" } }, { "retry-after": "7" }),
      { status: 429, retryable: true, retryAfter: 7_000 },
    ],
    [
      "has an HTML page",
      status(502, "<html>\n<h1>Bad gateway</h1>"),
      { status: 502, retryable: true, excerpt: "<html> <h1>Bad gateway</h1>" },
    ],
    ["has no body", status(500, ""), { status: 500, message: expect.stringMatching(/500/) as string }],
    ["has a long body", status(500, "x".repeat(200_000)), { excerpt: `${"x".repeat(300)}…` }],
  ];
  test.each(answers)("%s", async (_, answer, expected) => {
    const server = await serving(answer);
    const error = await errorOf(modelAt(server).stream("Hi"));
    expect(error).toMatchObject({ code: "http", ...expected });
    expect(error.partial).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  test("never shows the key, even if the server repeats it", async () => {
    const server = await serving(
      status(401, { error: { message: "No such key: sk-secret-key, nor password1" } }),
    );
    const error = await errorOf(modelAt(server, { headers: { "x-auth": "password1" } }).stream("Hi"));
    expect(error.message).toMatch(/No such key: \[key\], nor \[key\]$/);
    expect(inspect(error, { depth: 9 })).not.toMatch(/sk-secret-key|password1/);
  });
});

test("a key inside an invalid event is not in the error nor in its cause", async () => {
  const server = await serving((response) => {
    begin(response);
    response.end('data: {"error": sk-secret-key}\n\n');
  });
  const error = await errorOf(modelAt(server).stream("Hi"));
  expect(error).toMatchObject({ code: "protocol", excerpt: '{"error": [key]}' });
  expect(inspect(error, { depth: 9 })).not.toContain("sk-secret-key");
});

describe("an answer with status 200", () => {
  test("and an HTML page is a protocol error with the start of the page", async () => {
    const page: Answer = (response) =>
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<h1>Log in</h1>");
    const error = await errorOf(modelAt(await serving(page)).stream("Hi"));
    expect(error).toMatchObject({ code: "protocol", status: 200, excerpt: "<h1>Log in</h1>" });
    expect(error.message).toMatch(/text\/html; charset=utf-8.*: <h1>Log in<\/h1>$/);
  });

  test("and an error as JSON is an error of the provider", async () => {
    const error = await errorOf(
      modelAt(await serving(status(200, { error: { message: "No credit", code: "billing" } }))).stream("Hi"),
    );
    expect(error).toMatchObject({ code: "provider", providerCode: "billing", status: 200 });
    expect(error.message).toMatch(/: No credit$/);
  });

  test("and a completion without choices as JSON is a protocol error", async () => {
    const answer = status(200, { choices: [] });
    expect(await errorOf(modelAt(await serving(answer)).stream("Hi"))).toMatchObject({ code: "protocol" });
  });

  test.each([
    ["control characters", "\u0000\u0001\n\n\u0002", "protocol"],
    ["only an end marker", "data: [DONE]\n\n", "protocol"],
  ])("and %s is an error", async (_, body, code) => {
    const answer: Answer = (response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    expect(await errorOf(modelAt(await serving(answer)).stream("Hi"))).toMatchObject({ code });
  });
});

test("the error of a stream that fails has the unfinished tool call", async () => {
  const answer: Answer = (response) => {
    begin(
      response,
      delta({ tool_calls: [{ index: 0, id: "1", function: { name: "f", arguments: '{"a"' } }] }),
    );
    response.end();
  };
  const error = await errorOf(modelAt(await serving(answer)).stream("Hi"));
  expect(error.partial?.content).toMatchObject([
    { type: "tool_call_chunk", id: "1", name: "f", args: '{"a"' },
  ]);
});

describe("an unreachable server is a network error:", () => {
  test("a closed port", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const error = await errorOf(
      openai({ model: "a", baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 }).stream("Hi"),
    );
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(error.message).toMatch(
      /127\.0\.0\.1:\d+\/chat\/completions: fetch failed, connect ECONNREFUSED [\d.:]+\. Is the server running\?$/,
    );
  });

  test.each([
    ["http://127.0.0.1:11434/v1", / Is Ollama running\?$/],
    ["http://localhost:1234/v1", / Is LM Studio running\?$/],
    ["http://[::1]:9999/v1", / Is the server running\?$/],
    ["https://localhost.example/v1", /fetch failed\.$/],
  ])("which asks whether a server on this machine is running: %s", async (baseURL, end) => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
    const error = await errorOf(
      openai({ model: "a", baseURL, fetch, maxRetries: 0, apiKey: "none" }).stream("Hi"),
    );
    expect(error.message).toMatch(end);
  });

  test("a connection that is closed without an answer", async () => {
    const error = await errorOf(modelAt(await serving((response) => response.destroy())).stream("Hi"));
    expect(error).toMatchObject({ code: "network", retryable: true });
  });

  test("a server that does not speak HTTP", async () => {
    const server = createServer((socket) => socket.resume().end("SSH-2.0-OpenSSH\r\n"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const error = await errorOf(
      openai({ model: "a", baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 }).stream("Hi"),
    );
    expect(error).toMatchObject({ code: "network" });
    server.close();
    await once(server, "close");
  });
});

describe("a slow server is a timeout error", () => {
  const hang: Answer = () => {};

  test("before its answer", async () => {
    const server = await serving(hang);
    const error = await errorOf(modelAt(server, { timeouts: { firstToken: 30 } }).stream("Hi"));
    expect(error).toMatchObject({ code: "timeout", retryable: true });
    expect(error.partial).toBeUndefined();
    expect(error.cause).toBeInstanceOf(TimeoutError);
    expect(error.cause).toMatchObject({ limit: "first" });
    await server.requests[0]?.left;
  });

  test("before its first token, even after the first event", async () => {
    const server = await serving((response) => begin(response, delta({ role: "assistant", content: "" })));
    const error = await errorOf(modelAt(server).stream("Hi", { timeouts: { firstToken: 30 } }));
    expect(error).toMatchObject({ code: "timeout", cause: { limit: "first" } });
    await server.requests[0]?.left;
  });

  test("between two tokens", async () => {
    const server = await serving((response) => begin(response, content("Hel")));
    const error = await errorOf(modelAt(server, { timeouts: { idle: 30 } }).stream("Hi"));
    expect(error).toMatchObject({ code: "timeout", requestId: "req_1", cause: { limit: "idle", items: 1 } });
    expect(textOf(error.partial!)).toBe("Hel");
    await server.requests[0]?.left;
  });

  test("after the total limit", async () => {
    const server = await serving((response) => {
      const timer = setInterval(() => begin(response, content("x")), 5);
      response.once("close", () => clearInterval(timer));
    });
    const error = await errorOf(modelAt(server, { timeouts: { idle: 10_000, total: 60 } }).stream("Hi"));
    expect(error).toMatchObject({ code: "timeout", cause: { limit: "total" } });
    await server.requests[0]?.left;
  });

  test("but not if only the consumer is slow", async () => {
    const stream_ = modelAt(await serving(stream(content("a"), content("b"), finish())), {
      timeouts: { idle: 300, total: 500 },
    });
    const texts: string[] = [];
    for await (const chunk of stream_.stream("Hi")) {
      await delay(200);
      texts.push(textOf(chunk));
    }
    expect(texts).toEqual(["a", "b", ""]);
  });
});
