import { type MessagesInput, tool } from "millrace";
import { expect, test } from "vitest";
import { z } from "zod";
import { anthropicMessages, fakeServer, openAIChat, openAIResponses } from "../../models/support/fakes.js";
import { type Fields, fieldsIn, listIn } from "../../models/support/refusals.js";

const look = tool({
  name: "look",
  schema: z.object({}),
  run: () => "",
  extras: { cache_control: { type: "ephemeral" }, defer_loading: true },
});

test("the extras of a tool reach the provider through model.invoke() too", async () => {
  const server = await fakeServer(anthropicMessages, anthropicMessages.says("Hello"));
  await anthropicMessages.model(server).invoke("Hi", { tools: [look] });
  const [sent] = listIn(server.requests[0]!.body as Fields, "tools");
  expect(sent).toMatchObject({ name: "look", cache_control: { type: "ephemeral" }, defer_loading: true });
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
