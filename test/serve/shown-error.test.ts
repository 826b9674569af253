import { createAgent, type JsonPatch, ModelError } from "millrace";
import { AgentError, type AgentErrorCode } from "millrace/agent";
import { JsonParseError, JsonParser } from "millrace/json";
import { toEventStream, toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";

/** The error event of a run that ends with this error. */
async function shown(error: unknown): Promise<{ code: string; message: string }> {
  async function* failing(): AsyncGenerator<JsonPatch, undefined, undefined> {
    await Promise.resolve();
    throw error;
  }
  const text = await toEventStream(failing()).text();
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
