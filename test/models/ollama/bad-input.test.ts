import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ModelError, textOf } from "millrace";
import { errorOf, outcomeOf } from "../support/models.js";
import { type Answer, status } from "../support/server.js";
import { begin, done, modelAt, serving, text } from "./support.js";

test("an error document is the server's error, in its own words", async () => {
  const error = await errorOf(
    modelAt(await serving(status(404, { error: 'model "x" not found' }))).stream("Hi"),
  );
  expect(error).toMatchObject({ code: "http", status: 404, retryable: false });
  expect(error.message).toMatch(/answered 404: model "x" not found$/);
});

test.each([
  ["a page", "<html>", "protocol"],
  ["lines that are no JSON", "hello\nthere\n", "protocol"],
  ["lines of another kind", '{"choices": []}\n', "protocol"],
  ["nothing", "", "cut"],
])("an answer that says all is well, but sends %s, is an error", async (_, body, code) => {
  const answer: Answer = (response) =>
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end(body);
  expect(await errorOf(modelAt(await serving(answer)).stream("Hi"))).toMatchObject({ code });
});

describe("a stream that goes wrong on its way has a typed error with the message so far:", () => {
  const cases: readonly [name: string, break_: Answer, expected: object][] = [
    ["an error line", (response) => response.end('{"error":"out of memory"}\n'), { code: "provider" }],
    [
      "a connection that is destroyed",
      (response) => setTimeout(() => response.destroy(), 5),
      { code: "cut", retryable: true },
    ],
    ["a body that ends early", (response) => response.end(), { code: "cut", retryable: true }],
    [
      "garbage between lines",
      (response) => response.end("<html>\n"),
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
    expect(error).toMatchObject(expected);
    expect(textOf((error as ModelError).partial!)).toBe("Hello");
    expect(server.requests).toHaveLength(1);
  });
});

describe("the connection", () => {
  const oneToken: Answer = (response) => begin(response, text("Hel"));

  test("is closed when the signal is aborted", async () => {
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

  test("is closed when its stream is left", async () => {
    const server = await serving(oneToken);
    for await (const _ of modelAt(server).stream("Hi")) break;
    await server.requests[0]?.left;
  });

  test("serves the next request too, also if the server ends the body after the last line", async () => {
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
});
