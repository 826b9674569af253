import { type ChatModel, type MessagesInput, tool } from "millrace";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { expect, test } from "vitest";
import { z } from "zod";
import { anthropicMessages, fakeServer, openAIChat, openAIResponses } from "../../models/support/fakes.js";
import { type Fields, fieldsIn, listIn } from "../../models/support/refusals.js";

const geminiModel = (fetch: typeof globalThis.fetch): ChatModel =>
  gemini({ model: "gemini-a", apiKey: "k", fetch });
const ollamaModel = (fetch: typeof globalThis.fetch): ChatModel => ollama({ model: "a", fetch });

const look = tool({
  name: "look",
  schema: z.object({}),
  run: () => "",
  extras: { cache_control: { type: "ephemeral" }, defer_loading: true },
});

test.each([
  ["Anthropic", anthropicMessages],
  ["Chat Completions, beside the function", openAIChat],
  ["Responses", openAIResponses],
])("the extras of a tool reach %s through model.invoke() too", async (_, fake) => {
  const server = await fakeServer(fake, fake.says("Hello"));
  await fake.model(server).invoke("Hi", { tools: [look] });
  const [sent] = listIn(server.requests[0]!.body as Fields, "tools");
  expect(sent).toMatchObject({ cache_control: { type: "ephemeral" }, defer_loading: true });
});

test.each([
  ["Gemini", geminiModel],
  ["Ollama", ollamaModel],
] as const)("the extras that %s has no field for are refused with their key", async (name, model) => {
  const fetch = (): Promise<Response> => Promise.reject(new Error("something was sent"));
  await expect(model(fetch).invoke("Hi", { tools: [look] })).rejects.toMatchObject({
    code: "invalid_request",
    message: `${name} has no field "cache_control" for the tool "look". Remove it from extras.`,
  });
});

test("metadata of a definition takes precedence over its extras", async () => {
  const server = await fakeServer(anthropicMessages, anthropicMessages.says("Hello"));
  const metadata = { defer_loading: false };
  const definition = { name: "a", parameters: { type: "object" }, extras: { defer_loading: true }, metadata };
  await anthropicMessages.model(server).invoke("Hi", { tools: [definition] });
  expect(listIn(server.requests[0]!.body as Fields, "tools")[0]).toMatchObject({ defer_loading: false });
});

test("the extras of a content block count: a file has its name", async () => {
  const file = {
    type: "file",
    data: "aGk=",
    mimeType: "application/pdf",
    extras: { filename: "tea.pdf", cache_control: { type: "ephemeral" } },
  };
  const input = [{ role: "user", content: [file] }] as MessagesInput;
  const sent: Fields[] = [];
  for (const fake of [openAIChat, openAIResponses, anthropicMessages]) {
    const server = await fakeServer(fake, fake.says("Hello"));
    await fake.model(server).invoke(input);
    const body = server.requests[0]!.body as Fields;
    const [message] = [...listIn(body, "messages"), ...listIn(body, "input")];
    sent.push(listIn(message!, "content")[0]!);
  }
  const [chat, responses, claude] = sent;
  expect(fieldsIn(chat!, "file")["filename"]).toBe("tea.pdf");
  expect(responses).toMatchObject({ filename: "tea.pdf" });
  expect(claude).toMatchObject({ title: "tea.pdf", cache_control: { type: "ephemeral" } });
});
