import { describe, expect, test, vi } from "vitest";
import { createAgent, initModel, ModelError, textOf, tool } from "millrace";
import { toolStrategy, modelFallback } from "millrace/agent";
import { anthropic } from "millrace/anthropic";
import { gemini } from "millrace/gemini";
import { openai } from "millrace/openai";
import { scriptedModel } from "millrace/testing";
import { z } from "zod";
import { anthropicMessages, fakeServer, ollamaChat, openAIChat } from "../../../models/support/fakes.js";
import type { Fields } from "../../../models/support/refusals.js";
import { thrownBy } from "../../../prompts/thrown-by.js";

const keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"];
const withoutKeys = (): void => {
  for (const key of keys) vi.stubEnv(key, "");
};
const report = z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" });
const oslo = { city: "Oslo", celsius: -4 };

describe("createAgent({ model }) with the name of a model", () => {
  test.each([
    ["openai:gpt-4.1", openAIChat, "OPENAI_BASE_URL", "gpt-4.1"],
    ["gpt-5", openAIChat, "OPENAI_BASE_URL", "gpt-5"],
    ["ft:gpt-4o:acme::1", openAIChat, "OPENAI_BASE_URL", "ft:gpt-4o:acme::1"],
    ["o4-mini", openAIChat, "OPENAI_BASE_URL", "o4-mini"],
    ["anthropic:claude-sonnet-4-5", anthropicMessages, "ANTHROPIC_BASE_URL", "claude-sonnet-4-5"],
    ["claude-haiku-4-5", anthropicMessages, "ANTHROPIC_BASE_URL", "claude-haiku-4-5"],
    ["ollama:qwen3:8b", ollamaChat, "OLLAMA_HOST", "qwen3:8b"],
  ])(
    "%s asks that model for the structured response, with the key of the first request",
    async (name, fake, url, model) => {
      withoutKeys();
      const server = await fakeServer(fake, fake.says(JSON.stringify(oslo)));
      const agent = createAgent({ model: name, responseFormat: report });
      vi.stubEnv(url, server.url);
      vi.stubEnv("OPENAI_API_KEY", "sk-openai");
      vi.stubEnv("ANTHROPIC_API_KEY", "sk-anthropic");
      expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(oslo);
      const [request] = server.requests;
      expect((request?.body as Fields)["model"]).toBe(model);
      expect(fake.hasFormat(request?.body as Fields)).toBe(true);
      const { authorization, "x-api-key": key } = request?.headers ?? {};
      expect(authorization ?? key).toBe(
        { [openAIChat.name]: "Bearer sk-openai", [anthropicMessages.name]: "sk-anthropic" }[fake.name],
      );
    },
  );

  test.each(["llama3.2", "gpt-oss:20b", "acme:x", "", "google-genai:gemini-2.5-flash"])(
    "%j does not show its provider, which is an error at once",
    (name) => {
      const unknown = { name: "ModelError", code: "unknown_provider" };
      expect(thrownBy(() => createAgent({ model: name }))).toMatchObject(unknown);
      expect(thrownBy(() => modelFallback(name))).toMatchObject(unknown);
    },
  );

  test("reports options that no model could have at once", () => {
    const clash = tool({ name: "Report", run: () => "" });
    const options = { model: "gpt-5", tools: [clash], responseFormat: toolStrategy(report) };
    expect(thrownBy(() => createAgent(options))).toMatchObject({ code: "invalid_options" });
    expect(thrownBy(() => createAgent({ model: "gpt-5", responseFormat: [] }))).toMatchObject({
      code: "invalid_options",
    });
    expect(
      thrownBy(() => createAgent({ model: "gpt-5", responseFormat: toolStrategy(z.string()) })),
    ).toMatchObject({
      code: "invalid_options",
    });
  });

  test("works again after a run without a key", async () => {
    withoutKeys();
    const server = await fakeServer(openAIChat, openAIChat.says("Hello."));
    const agent = createAgent({ model: "gpt-5" });
    await expect(agent.invoke("Hi")).rejects.toMatchObject({
      code: "no_key",
      environmentVariable: "OPENAI_API_KEY",
    });
    vi.stubEnv("OPENAI_BASE_URL", server.url);
    vi.stubEnv("OPENAI_API_KEY", "sk-openai");
    const { messages } = await agent.invoke("Hi");
    expect(messages.map((message) => textOf(message))).toEqual(["Hi", "Hello."]);
  });

  test("can be a fallback", async () => {
    const server = await fakeServer(anthropicMessages, anthropicMessages.says(JSON.stringify(oslo)));
    vi.stubEnv("ANTHROPIC_BASE_URL", server.url);
    vi.stubEnv("ANTHROPIC_API_KEY", "sk-anthropic");
    const failing = scriptedModel(() => {
      throw new ModelError("http", "Overloaded.", { status: 529 });
    });
    const middleware = [modelFallback("claude-haiku-4-5")];
    const agent = createAgent({ model: failing, responseFormat: report, middleware });
    expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(oslo);
  });
});

describe("a model is made without a key, as in a build", () => {
  test.each([
    [openai, "gpt-5", "OPENAI_API_KEY"],
    [anthropic, "claude-haiku-4-5", "ANTHROPIC_API_KEY"],
    [gemini, "gemini-2.5-flash", "GEMINI_API_KEY"],
  ] as const)("%o: the first request reports it", async (create, model, environmentVariable) => {
    withoutKeys();
    const fetch = (): never => {
      throw new Error("nothing may be sent");
    };
    const missing = { name: "ModelError", code: "no_key", environmentVariable, retryable: false };
    await expect(create({ model, fetch }).invoke("Hi")).rejects.toMatchObject(missing);
    await expect((await initModel(model, { fetch })).invoke("Hi")).rejects.toMatchObject(missing);
    expect(thrownBy(() => create({ model, apiKey: "" }))).toMatchObject(missing);
  });

  test("invalid options are still reported at once", () => {
    withoutKeys();
    expect(thrownBy(() => openai({ model: "gpt-5", baseURL: "file:///v1" }))).toMatchObject({
      code: "invalid_request",
    });
    expect(thrownBy(() => anthropic({ model: "m", headers: { "x y": "z" } }))).toMatchObject({
      code: "invalid_request",
    });
  });

  test("a key from the environment is removed from errors", async () => {
    withoutKeys();
    const model = openai({
      model: "gpt-5",
      maxRetries: 0,
      fetch: () => Promise.reject(new Error("bad sk-late-secret-key")),
    });
    vi.stubEnv("OPENAI_API_KEY", "sk-late-secret-key");
    const error: unknown = await model.invoke("Hi").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "network" });
    expect((error as Error).message).not.toContain("sk-late-secret-key");
  });
});
