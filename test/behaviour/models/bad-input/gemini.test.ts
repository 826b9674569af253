import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { jsonParser, pipe } from "millrace";
import {
  type BrokenProvider,
  describeBrokenStreams,
  describeClosing,
  describeForeignAnswers,
} from "./broken-streams.js";
import { errorOf } from "../../../models/support/models.js";
import { begin, status } from "../../../models/support/server.js";
import { finish, modelAt, parts, serving, stream, text } from "../../../models/gemini/support.js";

const provider: BrokenProvider = {
  modelAt,
  say: (response, ...texts) => begin(response, ...texts.map(text)),
  contentType: "text/event-stream",
};

test("a JSON error is an error of the provider, also inside an array, and never contains the key", async () => {
  const error = { code: 400, message: "API key not valid: secret-key", status: "INVALID_ARGUMENT" };
  for (const body of [{ error }, [{ error }]]) {
    const server = await serving(status(400, body));
    const thrown = await errorOf(modelAt(server).stream("Hi"));
    expect(thrown).toMatchObject({
      code: "http",
      status: 400,
      providerCode: "INVALID_ARGUMENT",
      retryable: false,
    });
    expect(thrown.message).toMatch(/400: API key not valid: \[key\]$/);
    expect(inspect(thrown, { depth: 9 })).not.toContain("secret-key");
    const well = await errorOf(modelAt(await serving(status(200, body))).stream("Hi"));
    expect(well).toMatchObject({ code: "provider", providerCode: "INVALID_ARGUMENT" });
  }
});

describeForeignAnswers(provider, [
  ["text that is not an event stream", "hello\nthere\n", "protocol"],
  ["events that are not responses", "data: hello\n\n", "protocol"],
  ["events of another provider", 'data: {"choices": []}\n\n', "protocol"],
  ["only an end marker", "data: [DONE]\n\n", "cut"],
]);

describeBrokenStreams(provider, [
  [
    "an error event",
    (response) => response.end('data: {"error":{"code":503,"message":"Busy"}}\n\n'),
    { code: "provider", status: 503, retryable: true, requestId: "req_1" },
  ],
  [
    "a body that ends inside an event",
    (response) => response.end('data: {"candidates": [{"con'),
    { code: "cut", requestId: "req_1" },
  ],
  [
    "invalid text between events",
    (response) => response.end("data: <html>\n\n"),
    { code: "protocol", excerpt: "<html>", requestId: "req_1" },
  ],
]);

describe("the error of a stream that fails", () => {
  test("has the unfinished tool call", async () => {
    const call = { name: "f", willContinue: true, partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] };
    const error = await errorOf(modelAt(await serving(stream(parts({ functionCall: call })))).stream("Hi"));
    expect(error).toMatchObject({ code: "cut" });
    expect(error.partial?.content).toMatchObject([{ type: "tool_call_chunk", name: "f", args: '{"a":"x"' }]);
  });

  test("reaches later stages as the same object, after all chunks", async () => {
    const stream_ = modelAt(await serving(stream(text('{"title": "Soup", "steps": ["Cut the')))).stream("Hi");
    const snapshots: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const snapshot of pipe(stream_, jsonParser().stream)) snapshots.push(snapshot);
    };
    await expect(read()).rejects.toMatchObject({ name: "ModelError", code: "cut" });
    expect(snapshots.at(-1)).toEqual({ title: "Soup", steps: ["Cut the"] });
  });
});

describeClosing(provider);

test("the connection is also closed after the finish reason, because there is no end marker", async () => {
  const server = await serving((response) => begin(response, finish()));
  for await (const _ of modelAt(server).stream("Hi")) break;
  await server.requests[0]?.left;
});
