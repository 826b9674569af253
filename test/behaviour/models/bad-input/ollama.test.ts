import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { errorOf, outcomeOf } from "../../../models/support/models.js";
import { status } from "../../../models/support/server.js";
import { begin, done, modelAt, serving, text } from "../../../models/ollama/support.js";

test("a JSON error is an error of the provider, with its text", async () => {
  const error = await errorOf(
    modelAt(await serving(status(404, { error: 'model "x" not found' }))).stream("Hi"),
  );
  expect(error).toMatchObject({ code: "http", status: 404, retryable: false });
  expect(error.message).toMatch(/404: model "x" not found$/);
});

test("an HTML page in place of lines is an error", async () => {
  const server = await serving((response) =>
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end("<html>"),
  );
  expect(await errorOf(modelAt(server).stream("Hi"))).toMatchObject({ code: "protocol" });
});

test("a connection is reused for the next request, even if the body ends after the last line", async () => {
  const server = await serving((response) => {
    begin(response, text("a"), done());
    setTimeout(() => response.end(), 3);
  });
  for (let i = 0; i < 4; i++) {
    expect((await outcomeOf(modelAt(server).stream("Hi"))).error).toBeUndefined();
    await delay(20);
  }
  expect(server.requests).toHaveLength(4);
  expect(server.connections).toBeLessThan(4);
});
