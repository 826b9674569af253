import { describe, expect, test } from "vitest";
import {
  assistant,
  chatPrompt,
  user,
  type Message,
  MessageError,
  placeholder,
  PromptError,
  system,
  textOf,
  toolMessage,
} from "millrace";
import { thrownBy } from "./thrown-by.js";

const text = (words: string): { type: "text"; text: string } => ({ type: "text", text: words });

describe("chatPrompt", () => {
  test.each([undefined, null, "Hello {name}", { role: "user" }])(
    "rejects %j as a list of messages",
    (parts) => {
      const error = thrownBy(() => chatPrompt(parts as never));
      expect(error).toBeInstanceOf(PromptError);
      expect(error).toMatchObject({ code: "invalid_template", place: "messages" });
    },
  );

  test("converts roles and texts to messages", () => {
    const prompt = chatPrompt([
      ["system", "You are {role}."],
      "Hello {name}",
      ["ai", "Hi, {name}."],
      ["developer", "Be brief."],
      { role: "user", content: "{question}" },
      system("As {role}."),
    ]);
    expect(prompt.variables).toEqual(["role", "name", "question"]);
    expect(prompt.format({ role: "a guide", name: "Ada", question: "{name}?" })).toEqual([
      system("You are a guide."),
      user("Hello Ada"),
      assistant("Hi, Ada."),
      system("Be brief."),
      user("{name}?"),
      system("As a guide."),
    ]);
  });

  test("fills in media blocks, ours and OpenAI's", () => {
    const prompt = chatPrompt([
      [
        "user",
        [
          text("What is on {what}?"),
          { type: "image", url: "https://example.com/{id}.png", detail: "low" },
          { type: "image", data: "{bytes}", mimeType: "image/{kind}" },
          { type: "file", fileId: "{id}", filename: "{what}.pdf" },
          { type: "text-plain", text: "{what}", title: "On {what}", mimeType: "text/plain" },
          { type: "image_url", image_url: { url: "data:image/png;base64,{bytes}" } },
          { type: "input_audio", input_audio: { data: "{bytes}", format: "wav" } },
        ],
      ],
    ]);
    expect(prompt.variables).toEqual(["what", "id", "bytes", "kind"]);
    const [message] = prompt.format({ what: "it", id: 7, bytes: "AAAA", kind: "png" });
    expect(message?.content).toEqual([
      text("What is on it?"),
      { type: "image", url: "https://example.com/7.png", detail: "low" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "file", fileId: "7", filename: "it.pdf" },
      { type: "text-plain", text: "it", title: "On it", mimeType: "text/plain" },
      { type: "image", url: "data:image/png;base64,AAAA" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
    ]);
  });

  test("reads a part that becomes several messages, such as one with a tool result of Anthropic", () => {
    const prompt = chatPrompt([
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "1", content: "{raw}" },
          { type: "text", text: "As {role}." },
        ],
      },
      placeholder("history"),
      "{question}",
    ]);
    expect(prompt.variables).toEqual(["role", "history", "question"]);
    expect(prompt.format({ role: "a guide", history: "Hi", question: "Where?" })).toEqual([
      toolMessage("{raw}", { toolCallId: "1" }),
      user("As a guide."),
      user("Hi"),
      user("Where?"),
    ]);
  });

  test("keeps the other parts of a message unchanged", () => {
    const call = { type: "tool_call", id: "{1}", name: "look", args: { at: "{place}" } } as const;
    const example: Message[] = [
      { role: "assistant", content: [{ type: "reasoning", reasoning: "{" }, call], name: "{n}" },
      toolMessage("At {place}", { toolCallId: "{1}", artifact: "{" }),
      { role: "user", content: [{ type: "text", text: "{place}", metadata: { key: "{" } }] },
      { role: "assistant", content: [{ type: "audio", data: "AAAA", transcript: "{said}" }] },
      { role: "user", content: [{ type: "text", text: "Hi", id: "{2}" } as { type: "text"; text: string }] },
    ];
    const prompt = chatPrompt(example);
    expect(prompt.variables).toEqual(["place"]);
    expect(prompt.format({ place: "home" })).toEqual([
      example[0],
      example[1],
      { role: "user", content: [{ type: "text", text: "home", metadata: { key: "{" } }] },
      example[3],
      example[4],
    ]);
  });

  test("omits a text block that is empty after formatting", () => {
    const prompt = chatPrompt([["user", [text("{a}"), text("{b}")]], "{a}"]);
    expect(prompt.format({ a: "", b: "x" })).toEqual([user("x"), user("")]);
  });

  test("inserts messages at their placeholder, and does not treat them as templates", () => {
    const prompt = chatPrompt([placeholder("shots"), ["user", "{q}"], placeholder("shots")]);
    const shots = [user("{q}"), assistant("}{")];
    const messages = prompt.format({ shots, q: "{shots}" });
    expect(messages).toEqual([...shots, user("{shots}"), ...shots]);
    expect(messages[0]).toBe(shots[0]);
    expect(prompt.format({ shots: "Hi", q: "x" }).map(textOf)).toEqual(["Hi", "x", "Hi"]);
    expect(prompt.format({ shots: [], q: "x" })).toEqual([user("x")]);
    expect(prompt.format({ shots: { role: "ai", content: "y" }, q: "x" })[0]).toEqual(assistant("y"));
  });

  test("requires the messages of a placeholder, unless it is optional", () => {
    const prompt = chatPrompt([placeholder("few", { optional: true }), placeholder("history")]);
    expect(prompt.format({ history: [] })).toEqual([]);
    expect(prompt.partial({ few: "a" }).format({ history: "b" }).map(textOf)).toEqual(["a", "b"]);
    expect(thrownBy(() => prompt.format({} as never))).toMatchObject({
      code: "missing_variable",
      variable: "history",
      place: "messages[1]",
    });
  });

  test.each([
    [Infinity, "abcd"],
    [5, "abcd"],
    [4, "abcd"],
    [3, "bcd"],
    [1, "d"],
    [0, ""],
  ])("keeps at most the last %d messages", (maxMessages, result) => {
    const prompt = chatPrompt([placeholder("history", { maxMessages })]);
    expect(
      prompt
        .format({ history: ["a", "b", "c", "d"] })
        .map(textOf)
        .join(""),
    ).toBe(result);
  });

  test("drops tool results whose call was dropped", () => {
    const history = [
      user("a"),
      assistant([
        { type: "tool_call", id: "1", name: "look", args: {} },
        { type: "tool_call", id: "2", name: "look", args: {} },
      ]),
      toolMessage("r", { toolCallId: "1" }),
      toolMessage("s", { toolCallId: "2" }),
      assistant("b"),
    ];
    const last = (maxMessages: number): string[] =>
      chatPrompt([placeholder("history", { maxMessages })])
        .format({ history })
        .map(textOf);
    expect(last(5)).toEqual(["a", "", "r", "s", "b"]);
    expect(last(4)).toEqual(["", "r", "s", "b"]);
    expect(last(3)).toEqual(["b"]);
    expect(last(2)).toEqual(["b"]);
    const onlyResults = chatPrompt([placeholder("history", { maxMessages: 1 })]);
    expect(onlyResults.format({ history: history.slice(0, 4) })).toEqual([]);
  });

  test("rejects an invalid maxMessages", () => {
    expect(() => placeholder("a", { maxMessages: -1 })).toThrow(RangeError);
    expect(() => placeholder("a", { maxMessages: 1.5 })).toThrow(RangeError);
  });

  test("reports the place of a missing or invalid variable", () => {
    const prompt = chatPrompt([["system", "Hi"], ["user", [text("a"), { type: "image", url: "x/{id}" }]]]); // prettier-ignore
    expect(thrownBy(() => prompt.format({} as never))).toMatchObject({
      code: "missing_variable",
      variable: "id",
      place: "messages[1].content[1].url",
      offset: 2,
    });
    expect(thrownBy(() => prompt.format({ id: user("a") } as never))).toMatchObject({
      code: "invalid_value",
      variable: "id",
      place: "messages[1].content[1].url",
    });
  });

  test("reports the placeholder that got an invalid message, with the cause", () => {
    const prompt = chatPrompt([placeholder("history")]);
    const error = thrownBy(() => prompt.format({ history: [{ role: "nobody" }] } as never));
    expect(error).toBeInstanceOf(PromptError);
    expect(error).toMatchObject({ code: "invalid_value", variable: "history", place: "messages[0]" });
    expect((error as PromptError).cause).toBeInstanceOf(MessageError);
    expect(thrownBy(() => prompt.format({ history: 7 } as never))).toMatchObject({ code: "invalid_value" });
    expect(thrownBy(() => prompt.format({ history: null } as never))).toMatchObject({
      code: "invalid_value",
    });
  });

  test("rejects an invalid template when it is created, with its place", () => {
    expect(() => chatPrompt(["a", null as never])).toThrow(MessageError);
    expect(() => chatPrompt(["a", 7 as never])).toThrow(/messages\[1\]/);
    expect(thrownBy(() => chatPrompt(["a", ["user", [text("b"), text("{")]]]))).toMatchObject({
      code: "invalid_template",
      place: "messages[1].content[1].text",
      offset: 0,
    });
    expect(thrownBy(() => chatPrompt(["a", ["nobody", "b"] as never]))).toMatchObject({
      code: "unknown_role",
      message: expect.stringContaining("messages[1].role") as string,
    });
  });

  test("rejects a name that is used for a text and for messages", () => {
    const error = thrownBy(() => chatPrompt([["system", "{a} {b}"], "x", placeholder("b")]));
    expect(error).toMatchObject({ code: "invalid_template", variable: "b", place: "messages[2]" });
    expect((error as Error).message).toContain("messages[0]");
  });

  test("partial() keeps values for every format()", () => {
    const prompt = chatPrompt([["system", "{role}"], placeholder("history"), "{q}"]);
    const partial = prompt.partial({ role: "r", history: "h" });
    expect(partial.variables).toEqual(["q"]);
    expect(partial.format({ q: "1" }).map(textOf)).toEqual(["r", "h", "1"]);
    expect(partial.format({ q: "2" }).map(textOf)).toEqual(["r", "h", "2"]);
    expect(prompt.variables).toEqual(["role", "history", "q"]);
  });
});

test("a hole in the list is no message", () => {
  const parts: string[] = [];
  parts[0] = "a";
  parts[2] = "c";
  expect(thrownBy(() => chatPrompt(parts))).toMatchObject({
    name: "MessageError",
    message: expect.stringContaining("messages[1]") as string,
  });
});
