import { expect, test, vi } from "vitest";
import { collect, initModel } from "millrace";

const providers = ["openai", "anthropic", "gemini", "ollama"];

test.each([
  ["openai", "ft:gpt-4o:acme"],
  ["anthropic", "claude-sonnet-4-5"],
  ["gemini", "gemini-2.5-flash"],
  ["ollama", "qwen3:8b"],
])("initModel creates the model of %s by name, and passes its options on", async (provider, name) => {
  const model = await initModel(`${provider}:${name}`, { apiKey: "k", profile: { contextTokens: 7 } });
  expect(model).toMatchObject({ provider, model: name, profile: { contextTokens: 7 } });
});

test.each([
  ["gpt-5-mini", "openai"],
  ["chatgpt-4o-latest", "openai"],
  ["ft:gpt-4o:acme", "openai"],
  ["o3", "openai"],
  ["claude-sonnet-4-5", "anthropic"],
  ["gemini-2.5-flash", "gemini"],
])("the name %s shows its provider, %s", async (model, provider) => {
  expect(await initModel(model, { apiKey: "k" })).toMatchObject({ provider, model });
});

test("initModel accepts the options of the provider, such as api", async () => {
  const asked: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    asked.push(url);
    return Promise.resolve(new Response(null, { status: 400 }));
  };
  const options = { apiKey: "k", baseURL: "http://localhost/v1", fetch };
  for (const api of ["chat", "responses"] as const) {
    const model = await initModel("openai:gpt-5-mini", { ...options, api });
    await expect(collect(model.stream("Hi"))).rejects.toMatchObject({ status: 400 });
  }
  expect(asked).toEqual(["http://localhost/v1/chat/completions", "http://localhost/v1/responses"]);
});

test("initModel loads only the code of the requested provider", async () => {
  const loaded: string[] = [];
  for (const provider of providers) {
    vi.doMock(`#src/models/${provider}/model.js`, () => {
      loaded.push(provider);
      return { [provider]: () => provider };
    });
  }
  vi.resetModules();
  const fresh = await import("#src/models/init-model.js");
  expect(loaded).toEqual([]);
  expect(await fresh.initModel("gemini:x")).toBe("gemini");
  expect(loaded).toEqual(["gemini"]);
  for (const provider of providers) vi.doUnmock(`#src/models/${provider}/model.js`);
  vi.resetModules(); // later test files share the modules
});

test.each([
  ["llama3.2", "unknown_provider", expect.stringContaining('"ollama:llama3.2"')],
  ["gpt-oss:20b", "unknown_provider", expect.stringContaining("ollama")],
  ["acme:x", "unknown_provider", expect.stringContaining('"acme"')],
  ["toString:x", "unknown_provider", expect.stringContaining('"toString"')],
  ["", "unknown_provider", expect.stringContaining("openai, anthropic, gemini, ollama")],
  [":x", "unknown_provider", expect.stringContaining('provider ""')],
  [undefined as never, "no_model", expect.stringContaining("but found undefined")],
  ["openai:", "no_model", expect.stringContaining('Write "openai:MODEL"')],
  ["gemini", "no_model", expect.stringContaining('"gemini" is a provider.')],
])("initModel(%j) is a ModelError", async (name, code, message) => {
  await expect(initModel(name, { apiKey: "k" })).rejects.toMatchObject({
    name: "ModelError",
    code,
    message: message as string,
  });
});
