import { describe, expect, test } from "vitest";
import { assistant, type ContentBlock } from "millrace";
import { chatGeneration, chatGenerationChunk } from "millrace/models";

const thought: ContentBlock = { type: "reasoning", reasoning: "Hm." };
const call: ContentBlock = { type: "tool_call", id: "1", name: "look", args: {} };

describe("chatGeneration", () => {
  test.each([
    { name: "a text", content: ["Hi"], text: "Hi" },
    { name: "reasoning before the text", content: [thought, "Hi"], text: "Hi" },
    { name: "two texts", content: ["One", thought, "Two"], text: "One" },
    { name: "a call alone", content: [call], text: "" },
    { name: "nothing", content: [], text: "" },
    { name: "an empty first text", content: [{ type: "text" as const, text: "" }, "Two"], text: "" },
  ])("has the first text block as its text: $name", ({ content, text }) => {
    const message = assistant(content);
    expect(chatGeneration(message)).toEqual({ text, message });
    expect(chatGenerationChunk(message)).toEqual({ text, message });
  });

  test("keeps the message and its metadata", () => {
    const message = assistant("Hi");
    const generation = chatGeneration(message, { logprobs: [0.5] });
    expect(generation.message).toBe(message);
    expect(generation.info).toEqual({ logprobs: [0.5] });
    expect("info" in chatGeneration(message)).toBe(false);
    expect(chatGenerationChunk({ content: [] }, { a: 1 }).info).toEqual({ a: 1 });
  });
});
