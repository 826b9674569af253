import { expect, test } from "vitest";
import { initModel } from "millrace";

test("initModel makes the model of a provider by name, and hands on its options", async () => {
  const model = await initModel("openai:ft:gpt-4o:acme", { apiKey: "k", profile: { reasoning: true } });
  expect(model).toMatchObject({ provider: "openai", model: "ft:gpt-4o:acme", profile: { reasoning: true } });
});

test.each([
  [
    "gpt-5",
    "unknown_provider",
    'The model name "gpt-5" does not say whose model it is: write "openai:gpt-5", for example. Known providers: openai.',
  ],
  [
    "acme:x",
    "unknown_provider",
    'There is no provider "acme", as "acme:x" asks for. Known providers: openai.',
  ],
  [
    "toString:x",
    "unknown_provider",
    'There is no provider "toString", as "toString:x" asks for. Known providers: openai.',
  ],
  ["", "unknown_provider", expect.stringContaining("Known providers: openai.")],
  [":x", "unknown_provider", expect.stringContaining('There is no provider ""')],
  ["openai:", "no_model", expect.stringContaining("needs the name of a model")],
])("initModel(%j) is a ModelError", async (name, code, message) => {
  await expect(initModel(name, { apiKey: "k" })).rejects.toMatchObject({
    name: "ModelError",
    code,
    message: message as string,
  });
});
