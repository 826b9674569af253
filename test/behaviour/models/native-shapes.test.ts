import {
  assistant,
  collect,
  type MessageChunk,
  type MessagesInput,
  pipe,
  textParser,
  toolMessage,
  user,
} from "millrace";
import { anthropic } from "millrace/anthropic";
import { openai } from "millrace/openai";
import { afterEach, describe, expect, test } from "vitest";
import { serve, type TestServer } from "../../models/support/server.js";
import { strictChat, strictMessages } from "./support/strict-apis.js";

/**
 * Messages in the shapes of other libraries are sent to servers that refuse what the provider refuses, in its own
 * words: OpenHands#7700 and aallam/openai-kotlin#320 (OpenAI), expectedparrot/edsl#2057 and
 * netease-lcap/wave-agent#1368 (Anthropic).
 */

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const call = (id: string): object => ({ type: "tool_use", id, name: "look", input: { at: id } });

const conversations: readonly { readonly name: string; readonly input: unknown }[] = [
  {
    name: "an image of Anthropic",
    input: { role: "user", content: [image, { type: "text", text: "What?" }] },
  },
  {
    name: "an image of LangChain",
    input: {
      role: "user",
      content: [{ type: "image", source_type: "base64", mime_type: "image/png", data: "AAAA" }],
    },
  },
  {
    name: "tuples",
    input: [
      ["system", "Be brief."],
      ["user", "Hi"],
      ["ai", "Hello"],
      ["human", "Bye"],
    ],
  },
  {
    name: "thoughts of Anthropic",
    input: [
      ["user", "Hi"],
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "A" },
        ],
      },
      ["user", "And?"],
    ],
  },
  {
    name: "calls of LangChain",
    input: [
      ["user", "Look."],
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", name: "look", args: {}, type: "tool_call" }],
      },
      { role: "tool", tool_call_id: "1", content: "A mill." },
    ],
  },
  {
    name: "calls of Anthropic, answered with images",
    input: [
      ["user", "Look."],
      { role: "assistant", content: [call("1"), call("2")] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: [image] },
          { type: "tool_result", tool_use_id: "2", content: [{ type: "text", text: "Dark." }, image] },
        ],
      },
    ],
  },
];

describe.each(conversations)("$name", ({ input }) => {
  test("are accepted by OpenAI", async () => {
    server = await serve(strictChat);
    const model = openai({ model: "gpt-4o", apiKey: "k", baseURL: server.url, maxRetries: 0 });
    expect(await answerOf(model.stream(input as MessagesInput))).toBe("Seen.");
  });

  test("are accepted by Anthropic", async () => {
    server = await serve(strictMessages);
    const baseURL = server.url.replace(/\/v1$/, "");
    const model = anthropic({ model: "claude-sonnet-4-5", apiKey: "k", baseURL, maxRetries: 0 });
    expect(await answerOf(model.stream(input as MessagesInput))).toBe("Seen.");
  });
});

test("Chat Completions gets the images of tool results in a user message after all results", async () => {
  server = await serve(strictChat);
  const model = openai({ model: "gpt-4o", apiKey: "k", baseURL: server.url, maxRetries: 0 });
  const png = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
  const calls = ["1", "2", "3"].map((id) => ({ type: "tool_call", id, name: "look", args: {} }) as const);
  await answerOf(
    model.stream([
      user("Look."),
      assistant(calls),
      toolMessage(png, { toolCallId: "1" }),
      toolMessage(["Dark.", png], { toolCallId: "2" }),
      toolMessage("Nothing.", { toolCallId: "3" }),
      user("What is it?"),
    ]),
  );
  const { messages } = server.requests[0]?.body as { messages: unknown[] };
  const part = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const text = { type: "text", text: expect.any(String) as string };
  expect(messages.slice(2)).toEqual([
    { role: "tool", tool_call_id: "1", content: expect.any(String) as string },
    { role: "tool", tool_call_id: "2", content: "Dark." },
    { role: "tool", tool_call_id: "3", content: "Nothing." },
    { role: "user", content: [text, part, text, part] },
    { role: "user", content: "What is it?" },
  ]);
  const [first, , second] = (messages[5] as { content: { text: string }[] }).content;
  expect(first?.text).toContain("1");
  expect(second?.text).toContain("2");
});

async function answerOf(stream: AsyncIterable<MessageChunk>): Promise<string> {
  return (await collect(pipe(stream, textParser().stream))).join("");
}
