import { collect, createAgent, type JsonPatch, ModelError } from "millrace";
import { AgentError, type AgentErrorCode } from "millrace/agent";
import { JsonParseError, JsonParser } from "millrace/json";
import {
  agUiHandler,
  boundedHandler,
  memoryLog,
  runHandler,
  toEventStream,
  toUiMessageStream,
} from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { memoryThreads, thread, threadHandler } from "millrace/thread";
import { afterEach, describe, expect, test, vi } from "vitest";

async function* throwing(error: unknown): AsyncGenerator<JsonPatch, undefined, undefined> {
  await Promise.resolve();
  throw error;
}

/** The error event of a run that ends with this error. */
async function shown(error: unknown): Promise<{ code: string; message: string }> {
  const text = await toEventStream(throwing(error)).text();
  return JSON.parse(/event: error\ndata: (.*)/.exec(text)?.[1] ?? "") as { code: string; message: string };
}

const secret = "sk-1234 at https://internal.example/v1";
const modelErrors = [
  ["http", 429, "rate_limited"],
  ["http", 500, "overloaded"],
  ["http", 529, "overloaded"],
  ["provider", 529, "overloaded"],
  ["http", 401, "run_failed"],
  ["network", undefined, "unreachable"],
  ["timeout", undefined, "timeout"],
  ["cut", undefined, "cut"],
  ["no_key", undefined, "run_failed"],
] as const;

test.each(modelErrors)("a ModelError %s %s is shown as %s", async (code, status, expected) => {
  const found = await shown(new ModelError(code, secret, { status }));
  expect(found.code).toBe(expected);
  expect(found.message).not.toContain("1234");
});

const agentErrors: readonly (readonly [AgentErrorCode, string])[] = [
  ["truncated", "too_long"],
  ["content_filter", "withheld"],
  ["refused", "refused"],
  ["invalid_response", "invalid_answer"],
  ["max_steps", "too_many_steps"],
  ["invalid_options", "run_failed"],
];

test.each(agentErrors)("an AgentError %s is shown as %s", async (code, expected) => {
  expect(await shown(new AgentError(code, secret))).toMatchObject({ code: expected });
});

test("any other error is shown as run_failed, whatever its fields are", async () => {
  const own = Object.assign(new Error(secret), { code: "toString", status: 429, name: "__proto__" });
  for (const error of [own, null, undefined, "text", { name: "ModelError", status: 429 }])
    expect(await shown(error)).toEqual({ code: "run_failed", message: "The run failed." });
});

test("a run ends for its readers, whatever the fields of its error are", async () => {
  const trap = (): never => {
    throw new Error(secret);
  };
  const bare: unknown = Object.create(null);
  for (const field of ["name", "code"])
    for (const descriptor of [{ value: bare }, { value: 1 }, { get: trap }]) {
      const error = Object.defineProperty(new Error(secret), field, descriptor);
      const text = await toEventStream(throwing(error), { log: memoryLog(), id: "1" }).text();
      expect(text).toContain('event: error\ndata: {"code":"run_failed","message":"The run failed."}');
    }
});

test("onError shows a code and a message, and nothing else of what a logger returns", async () => {
  const error = new ModelError("http", secret, { status: 429 });
  const own = { code: "busy", message: "Later." };
  const trap = (): never => {
    throw new Error(secret);
  };
  const words = { code: "rate_limited", message: expect.stringContaining("too many requests") as string };
  const returned: readonly (readonly [unknown, object])[] = [
    [{ ...own, headers: { authorization: secret } }, own],
    [error, words], // of (it) => (last = it)
    [{ ...own, message: 1 }, words],
    [new Proxy({}, { get: trap, getPrototypeOf: trap }), words],
  ];
  const agent = createAgent({ model: scriptedModel(() => throwing(error) as never) });
  for (const [value, expected] of returned) {
    const onError = (): { code: string; message: string } => value as typeof own;
    const text = await toEventStream(throwing(error), { onError }).text();
    expect(JSON.parse(/event: error\ndata: (.*)/.exec(text)?.[1] ?? "")).toEqual(expected);
    const chat = await thread(agent, { store: memoryThreads(), id: "1", onError });
    await expect(collect(chat.stream("Hi"))).rejects.toBe(error);
    expect([chat.status, chat.problem]).toEqual(["failed", expected]);
  }
});

test("an answer that is no JSON is an invalid answer", async () => {
  let error: unknown;
  try {
    new JsonParser().write("{]");
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(JsonParseError);
  expect(await shown(error)).toMatchObject({ code: "invalid_answer" });
});

test("a page with useChat gets the words, too", async () => {
  const model = scriptedModel(async function* () {
    yield "It is ";
    await Promise.resolve();
    throw new ModelError("http", secret, { status: 429 });
  });
  const text = await toUiMessageStream(createAgent({ model }).stream("Hi")).text();
  expect(text).toContain(
    '"errorText":"There are too many requests at the moment. Please try again in a minute."',
  );
});

describe("in development", () => {
  afterEach(() => vi.unstubAllEnvs());
  const words = "The model cannot be reached. Please try again later.";
  const reason = "ModelError network: No response from 127.0.0.1:11434/api/chat. Is Ollama running?";
  const error = new ModelError("network", "No response from 127.0.0.1:11434/api/chat. Is Ollama running?");

  test.each([undefined, "", "production", "test", "Development"])("is not NODE_ENV=%s", async (value) => {
    vi.stubEnv("NODE_ENV", value);
    expect(await shown(error)).toEqual({ code: "unreachable", message: words });
  });

  test("a failure has the same code, and says why after the words for users", async () => {
    vi.stubEnv("NODE_ENV", "development");
    expect(await shown(error)).toEqual({
      code: "unreachable",
      message: `${words}\nIn development: ${reason}`,
    });
  });

  test("what onError returns is shown instead", async () => {
    vi.stubEnv("NODE_ENV", "development");
    const own = { code: "busy", message: "Later." };
    const text = await toEventStream(throwing(error), { onError: () => own }).text();
    expect(text).toContain('{"code":"busy","message":"Later."}');
  });

  test.each([
    ["a key of the environment", "Wrong key abcdef123456 of Bo.", "Wrong key [key] of Bo."],
    ["a password in a URL", "No route to redis://bo:hunter2@host:1/x", "No route to redis://[key]@host:1/x"],
  ])("does not show %s", async (_, message, expected) => {
    vi.stubEnv("NODE_ENV", "development");
    vi.stubEnv("SOME_API_KEY", "abcdef123456");
    const found = await shown(new TypeError(message));
    expect(found.message).toBe(`The run failed.\nIn development: TypeError: ${expected}`);
    expect(found.message).not.toContain("shown-error.test");
  });

  test("no thrown value breaks it", async () => {
    vi.stubEnv("NODE_ENV", "development");
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const thrown of [
      null,
      undefined,
      "text",
      proxy,
      {
        get name() {
          throw new Error("no");
        },
      },
    ])
      expect(await shown(thrown)).toMatchObject({ code: "run_failed" });
  });

  const failing = scriptedModel(() => {
    throw error;
  });
  const agent = createAgent({ model: failing });
  const post = (url: string, body: unknown): Request =>
    new Request(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const handlers: Readonly<Record<string, () => Promise<Response>>> = {
    "toUiMessageStream()": async () => Promise.resolve(toUiMessageStream(agent.stream("Hi"))),
    "agUiHandler()": () =>
      agUiHandler(agent)(
        post("http://localhost/", {
          ...{ threadId: "1", runId: "1" },
          messages: [{ id: "1", role: "user", content: "Hi" }],
        }),
      ),
    "runHandler()": () =>
      runHandler((_, run) => toEventStream(agent.patches("Hi"), run), { log: memoryLog() })(
        post("http://localhost/?run=1", "Hi"),
      ),
    "threadHandler()": () =>
      threadHandler({ agent, store: memoryThreads() })(
        post("http://localhost/?thread=1", { type: "send", text: "Hi" }),
      ),
    "boundedHandler()": () =>
      boundedHandler(() => {
        throw error;
      })(post("http://localhost/", "Hi")),
  };
  test.each(Object.entries(handlers))("%s says why, and in production it does not", async (_, respond) => {
    expect(await (await respond()).text()).not.toContain("Ollama");
    vi.stubEnv("NODE_ENV", "development");
    expect(await (await respond()).text()).toContain(
      JSON.stringify(`\nIn development: ${reason}`).slice(1, -1),
    );
  });
});
