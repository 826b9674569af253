import { ModelError } from "millrace";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { expect, test } from "vitest";
import { modelAt, outcomeOf, serving } from "../../models/support/models.js";

const providers = { openai, anthropic, gemini, ollama };

test.each(Object.entries(providers))(
  "%s sends nothing, and no key, to the target of a redirect",
  async (_, create) => {
    const other = await serving((response) => response.end());
    const target = `${other.url}/elsewhere`;
    const first = await serving((response) =>
      response.writeHead(307, { location: `${target}?token=secret` }).end(),
    );
    const model = create({ model: "m-1", apiKey: "a-key-of-mine", baseURL: first.url, maxRetries: 2 });
    const { chunks, error } = await outcomeOf(model.stream("Hi"));
    expect(other.requests).toEqual([]);
    expect(first.requests).toHaveLength(1);
    expect(chunks).toEqual([]);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "http", status: 307, retryable: false });
    expect((error as ModelError).message).toContain(`redirects to ${target}.`);
    expect((error as ModelError).message).not.toContain("secret");
  },
);

test("a redirect to a path of the same server is an error with the whole address", async () => {
  const server = await serving((response) => response.writeHead(308, { location: "/v2/chat" }).end());
  const { error } = await outcomeOf(modelAt(server).stream("Hi"));
  expect((error as ModelError).message).toContain(new URL("/v2/chat", server.url).href);
});

test.each([
  ["that a browser hides", Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" })],
  ["without a location", new Response("", { status: 302 })],
  ["with an invalid location", new Response("", { status: 302, headers: { location: "http://" } })],
])("a redirect %s counts as one to another address", async (_, response) => {
  const model = openai({
    model: "m-1",
    apiKey: "k",
    baseURL: "http://localhost:1/v1",
    fetch: () => Promise.resolve(response),
  });
  const { error } = await outcomeOf(model.stream("Hi"));
  expect((error as ModelError).message).toContain("redirects to another address");
});
