import { anthropic } from "millrace/anthropic";
import { collect, createAgent, type ChatModel } from "millrace";
import { serverTool, ToolError } from "millrace/agent";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { openai } from "millrace/openai";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { answers, call, ofType } from "../../agent/support/script.js";

const forms = {
  openai: { type: "web_search", search_context_size: "low" },
  anthropic: { type: "web_search_20250305", name: "web_search", max_uses: 3 },
  gemini: { googleSearch: {} },
};
const search = serverTool({ name: "web_search", forms });

/** The models of all providers, which note the tools that they send. */
function models(sent: unknown[]): Readonly<Record<string, ChatModel>> {
  const fetch: typeof globalThis.fetch = (_, init) => {
    sent.push((JSON.parse(init?.body as string) as { readonly tools?: unknown }).tools);
    return Promise.resolve(new Response("no", { status: 400 }));
  };
  const common = { apiKey: "key", fetch, maxRetries: 0 };
  return {
    responses: openai({ model: "gpt-5-mini", api: "responses", ...common }),
    chat: openai({ model: "gpt-5-mini", baseURL: "https://api.openai.com/v1", ...common }),
    compatible: openai({ model: "llama", baseURL: "https://api.example.com/v1", ...common }),
    anthropic: anthropic({ model: "claude-haiku-4-5", ...common }),
    gemini: gemini({ model: "gemini-3.8-flash", ...common }),
    ollama: ollama({ model: "qwen3", fetch, maxRetries: 0 }),
  };
}

async function ask(name: string): Promise<{ readonly sent: readonly unknown[]; readonly error: unknown }> {
  const sent: unknown[] = [];
  const agent = createAgent({ model: models(sent)[name]!, tools: [search] });
  const error: unknown = await agent.invoke("Hi").catch((error: unknown) => error);
  return { sent, error };
}

describe("serverTool()", () => {
  test.each([
    ["responses", forms.openai],
    ["compatible", forms.openai],
    ["anthropic", forms.anthropic],
    ["gemini", forms.gemini],
  ])("is sent in the form of %s", async (name, form) => {
    expect((await ask(name)).sent).toEqual([[form]]);
  });

  test.each([
    ["ollama", /qwen3 \(ollama\) does not support the server tool "web_search".* openai, anthropic, gemini/],
    ["chat", /Chat Completions does not support the server tool "web_search"\. Use the Responses API/],
  ])("is refused by %s before anything is sent", async (name, problem) => {
    const { sent, error } = await ask(name);
    expect(sent).toEqual([]);
    expect(error).toMatchObject({ name: "ModelError", code: "invalid_request" });
    expect((error as Error).message).toMatch(problem);
  });

  test("is refused by a model that writes calls as text", async () => {
    const model = scriptedModel(["Hi."]);
    const agent = createAgent({ model, tools: [search], textToolCalls: "hermes" });
    await expect(agent.invoke("Hi")).rejects.toMatchObject({ code: "invalid_request" });
    expect(model.calls).toEqual([]);
  });

  test("extra.tools is refused, in favour of it", async () => {
    for (const model of Object.values(models([]))) {
      const asking = model.invoke("Hi", { extra: { tools: [forms.openai] } });
      await expect(asking).rejects.toMatchObject({ code: "invalid_request" });
      await expect(asking).rejects.toThrow("serverTool(");
    }
  });

  test("never runs here, whatever the model writes", async () => {
    const model = answers([call("c0", "web_search", "{}"), ["Sorry."]]);
    const [error] = ofType(await collect(createAgent({ model, tools: [search] }).stream("Hi")), "tool_error");
    expect(error?.error).toBeInstanceOf(ToolError);
    expect(String(error?.error)).toContain("is run by the provider");
  });

  test("needs a valid name and a form", () => {
    expect(() => serverTool({ name: "web search", forms })).toThrow(ToolError);
    expect(() => serverTool({ name: "search", forms: {} })).toThrow(ToolError);
    expect(() => serverTool({ name: "search", forms, run: 1 } as never)).toThrow("run");
  });
});
