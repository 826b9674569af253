import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { jsonParser, ModelError, pipe, textOf } from "millrace";
import { errorOf, outcomeOf } from "../support/models.js";
import { type Answer, begin, status } from "../support/server.js";
import { finish, modelAt, parts, serving, stream, text } from "./support.js";

test("an error document is the provider's error, also inside an array, and never shows the key", async () => {
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
    expect(thrown.message).toMatch(/answered 400: API key not valid: \[key\]$/);
    expect(inspect(thrown, { depth: 9 })).not.toContain("secret-key");
    const well = await errorOf(modelAt(await serving(status(200, body))).stream("Hi"));
    expect(well).toMatchObject({ code: "provider", providerCode: "INVALID_ARGUMENT" });
  }
});

describe("an answer that says all is well, but", () => {
  test.each([
    ["text that is no event stream", "hello\nthere\n", "protocol"],
    ["events that are no responses", "data: hello\n\n", "protocol"],
    ["the answers of another provider", 'data: {"choices": []}\n\n', "protocol"],
    ["an end marker alone", "data: [DONE]\n\n", "cut"],
    ["nothing", "", "cut"],
  ])("sends %s", async (_, body, code) => {
    const answer: Answer = (response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
    expect(await errorOf(modelAt(await serving(answer)).stream("Hi"))).toMatchObject({ code });
  });
});

describe("a stream that goes wrong on its way has a typed error with the message so far:", () => {
  const cases: readonly [name: string, break_: Answer, expected: object][] = [
    [
      "an error event",
      (response) => response.end('data: {"error":{"code":503,"message":"Busy"}}\n\n'),
      { code: "provider", status: 503, retryable: true },
    ],
    [
      "a connection that is destroyed",
      (response) => setTimeout(() => response.destroy(), 5),
      { code: "cut", retryable: true },
    ],
    ["a body that ends early", (response) => response.end(), { code: "cut", retryable: true }],
    [
      "a body that ends inside an event",
      (response) => response.end('data: {"candidates": [{"con'),
      { code: "cut" },
    ],
    [
      "garbage between events",
      (response) => response.end("data: <html>\n\n"),
      { code: "protocol", excerpt: "<html>" },
    ],
  ];
  test.each(cases)("%s", async (_, break_, expected) => {
    const answer: Answer = (response, ...rest) => {
      begin(response, text("Hel"), text("lo"));
      return break_(response, ...rest);
    };
    const server = await serving(answer);
    const { chunks, error } = await outcomeOf(modelAt(server, { retries: 2 }).stream("Hi"));
    expect(chunks.map(textOf).join("")).toBe("Hello");
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ requestId: "req_1", ...expected });
    expect(textOf((error as ModelError).partial!)).toBe("Hello");
    expect(server.requests).toHaveLength(1);
  });

  test("a call that was being written is in it, unfinished", async () => {
    const call = { name: "f", willContinue: true, partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] };
    const error = await errorOf(modelAt(await serving(stream(parts({ functionCall: call })))).stream("Hi"));
    expect(error).toMatchObject({ code: "cut" });
    expect(error.partial?.content).toMatchObject([{ type: "tool_call_chunk", name: "f", args: '{"a":"x"' }]);
  });

  test("and the stages behind it get the same error, after all that came before", async () => {
    const stream_ = modelAt(await serving(stream(text('{"title": "Soup", "steps": ["Cut')))).stream("Hi");
    const snapshots: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const snapshot of pipe(stream_, jsonParser().stream)) snapshots.push(snapshot);
    };
    await expect(read()).rejects.toMatchObject({ name: "ModelError", code: "cut" });
    expect(snapshots.at(-1)).toEqual({ title: "Soup", steps: ["Cut"] });
  });
});

describe("the connection is closed when", () => {
  const oneToken: Answer = (response) => begin(response, text("Hel"));

  test("the signal is aborted", async () => {
    const server = await serving(oneToken);
    const controller = new AbortController();
    const reason = new Error("enough");
    const read = async (): Promise<void> => {
      for await (const _ of modelAt(server).stream("Hi", { signal: controller.signal }))
        controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    await server.requests[0]?.left;
  });

  test("its stream is left, also behind the finish reason, as there is no end marker", async () => {
    const server = await serving(oneToken, (response) => begin(response, finish()));
    for (let i = 0; i < 2; i++) {
      for await (const _ of modelAt(server).stream("Hi")) break;
      await server.requests[i]?.left;
    }
    expect(server.requests).toHaveLength(2);
  });
});
