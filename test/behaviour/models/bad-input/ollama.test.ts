import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  type BrokenProvider,
  describeBrokenStreams,
  describeClosing,
  describeForeignAnswers,
} from "./broken-streams.js";
import { errorOf, outcomeOf } from "../../../models/support/models.js";
import { status } from "../../../models/support/server.js";
import { begin, done, modelAt, serving, text } from "../../../models/ollama/support.js";

const provider: BrokenProvider = {
  modelAt,
  say: (response, ...texts) => begin(response, ...texts.map(text)),
  contentType: "application/x-ndjson",
};

test("a JSON error is an error of the provider, with its text", async () => {
  const error = await errorOf(
    modelAt(await serving(status(404, { error: 'model "x" not found' }))).stream("Hi"),
  );
  expect(error).toMatchObject({ code: "http", status: 404, retryable: false });
  expect(error.message).toMatch(/404: model "x" not found$/);
});

describeForeignAnswers(provider, [
  ["an HTML page", "<html>", "protocol"],
  ["lines that are not JSON", "hello\nthere\n", "protocol"],
  ["lines of another type", '{"choices": []}\n', "protocol"],
]);

describeBrokenStreams(provider, [
  ["an error line", (response) => response.end('{"error":"out of memory"}\n'), { code: "provider" }],
  [
    "invalid text between lines",
    (response) => response.end("<html>\n"),
    { code: "protocol", excerpt: "<html>" },
  ],
]);

describeClosing(provider);

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
