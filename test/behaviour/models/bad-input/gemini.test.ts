import { inspect } from "node:util";
import { expect, test } from "vitest";
import { errorOf } from "../../../models/support/models.js";
import { begin, status } from "../../../models/support/server.js";
import { finish, modelAt, parts, serving, stream } from "../../../models/gemini/support.js";

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

test("the error of a stream that fails has the unfinished tool call", async () => {
  const call = { name: "f", willContinue: true, partialArgs: [{ jsonPath: "$.a", stringValue: "x" }] };
  const error = await errorOf(modelAt(await serving(stream(parts({ functionCall: call })))).stream("Hi"));
  expect(error).toMatchObject({ code: "cut" });
  expect(error.partial?.content).toMatchObject([{ type: "tool_call_chunk", name: "f", args: '{"a":"x"' }]);
});

test("an answer with only an end marker is cut", async () => {
  const server = await serving((response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end("data: [DONE]\n\n"),
  );
  expect(await errorOf(modelAt(server).stream("Hi"))).toMatchObject({ code: "cut" });
});

test("the connection is also closed after the finish reason, because there is no end marker", async () => {
  const server = await serving((response) => begin(response, finish()));
  for await (const _ of modelAt(server).stream("Hi")) break;
  await server.requests[0]?.left;
});
