import { assistant, createAgent, user, type Message, system, tool, toolMessage } from "millrace";
import { trimMessages, type TrimMessagesOptions } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inShort } from "../../support/conversation.js";
import { answers, call } from "../../support/script.js";

/** The messages of a conversation that the model gets. */
async function shown(
  messages: readonly Message[],
  options: TrimMessagesOptions,
  system?: string,
): Promise<readonly Message[]> {
  const model = scriptedModel(["ok"]);
  await createAgent({
    model,
    middleware: [trimMessages(options)],
    ...(system !== undefined && { system }),
  }).invoke(messages);
  return model.calls[0]?.messages ?? [];
}

const use = (...ids: string[]): Message =>
  assistant(ids.map((id) => ({ type: "tool_call", id, name: "t", args: {} })));
const result = (id: string): Message => toolMessage(`r${id}`, { toolCallId: id, status: "success" });

const conversation = [
  user("h1"),
  assistant("a1"),
  user("h2"),
  use("1", "2"),
  result("1"),
  result("2"),
  assistant("a2"),
  user("h3"),
];

/** Counts one token for each message. */
const countTokens = (): number => 1;

describe("the model gets", () => {
  test.each<[what: string, options: TrimMessagesOptions, expected: string[]]>([
    ["all messages within the limit", { maxMessages: 8 }, inShort(conversation)],
    ["calls together with their results", { maxMessages: 6 }, inShort(conversation.slice(2))],
    ["neither a call nor its results if only some fit", { maxMessages: 5 }, ["user | h3"]],
    ["messages beginning with a user message", { maxMessages: 2 }, ["user | h3"]],
    [
      "calls together with their results, by tokens",
      { maxTokens: 6, countTokens },
      inShort(conversation.slice(2)),
    ],
    ["the last user message of any size", { maxTokens: 1, countTokens: () => 9 }, ["user | h3"]],
    ["the messages that both limits allow", { maxMessages: 7, maxTokens: 3, countTokens }, ["user | h3"]],
    [
      "the messages that keep() selects",
      { maxMessages: 2, keep: (_message, index) => index === 0 },
      ["user | h1", "user | h3"],
    ],
    [
      "the unit of a message that keep() selects",
      { maxMessages: 2, keep: (message) => message.role === "tool" && message.toolCallId === "2" },
      ["assistant | t#1({}) | t#2({})", "tool#1 success | r1", "tool#2 success | r2", "user | h3"],
    ],
  ])("%s", async (_, options, expected) => {
    expect(inShort(await shown(conversation, options))).toEqual(expected);
  });

  test("system messages at any position", async () => {
    const messages = [system("s1"), user("h1"), assistant("a1"), system("s2"), user("h2")];
    expect(inShort(await shown(messages, { maxMessages: 1 }))).toEqual([
      "system | s1",
      "system | s2",
      "user | h2",
    ]);
  });

  test("the system prompt, which counts", async () => {
    const room = { maxTokens: 8, countTokens };
    expect(await shown(conversation, room)).toHaveLength(8);
    // The prompt takes one, which leaves seven, but those would begin with an answer.
    expect(inShort(await shown(conversation, room, "Be brief."))).toEqual([
      "system | Be brief.",
      ...inShort(conversation.slice(2)),
    ]);
  });

  test("the end of a run, even if the task is far before it", async () => {
    const long = [user("task"), use("1"), result("1"), use("2"), result("2"), use("3"), result("3")];
    const last = ["user | task", "assistant | t#3({})", "tool#3 success | r3"];
    expect(inShort(trimmed(long, 1))).toEqual(last);
    expect(inShort(trimmed(long, 4))).toEqual(last);
    expect(inShort(trimmed(long, 5))).toEqual(["user | task", ...inShort(long.slice(3))]);
  });
});

/** Trims without a run, which would run open calls. */
function trimmed(messages: readonly Message[], maxMessages: number): readonly Message[] {
  let seen: readonly Message[] = [];
  const run = {
    agent: undefined,
    context: undefined,
    store: undefined,
    signal: new AbortController().signal,
    decisions: new Map(),
  };
  trimMessages({ maxMessages }).aroundModel?.(
    {
      run,
      step: 1,
      model: scriptedModel([]),
      system: undefined,
      messages,
      tools: [],
      responseFormat: undefined,
      options: {},
    },
    (call) => {
      seen = call.messages;
      return scriptedModel([]).stream("");
    },
  );
  return seen;
}

test("trimming never separates a call from its result, and keeps the order and the end", () => {
  const part = fc.oneof(
    fc.constant([user("h")]),
    fc.constant([assistant("a")]),
    fc.constant([system("s")]),
    fc.integer({ min: 1, max: 3 }).map((count) => {
      const ids = Array.from({ length: count }, (_, at) => String(at));
      return [use(...ids), ...ids.map(result)];
    }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 20 }),
      (parts, max) => {
        // Each message is a separate object, to find it by identity.
        const messages = parts.flat().map((message) => ({ ...message }));
        const kept = trimmed(messages, max);
        expect(kept).toEqual(messages.filter((message) => kept.includes(message)));
        expect(kept.at(-1)).toBe(messages.at(-1));
        for (const message of messages) {
          if (message.role === "system") expect(kept).toContain(message);
        }
        const lastHuman = messages.findLast(({ role }) => role === "user");
        if (lastHuman !== undefined) expect(kept).toContain(lastHuman);
        // A call and its results are all kept or all removed.
        let first: Message | undefined;
        for (const message of messages) {
          if (message.role !== "tool") first = message;
          else expect(kept.includes(message)).toBe(kept.includes(first as Message));
        }
        if (messages.length <= max) expect(kept).toHaveLength(messages.length);
      },
    ),
    { numRuns: 300 },
  );
});

test("the state keeps all messages, and each step is trimmed separately", async () => {
  const model = answers([call("1", "t", '{"input": ""}'), ["Done."]]);
  const agent = createAgent({
    model,
    tools: [tool({ name: "t", run: () => "r" })],
    middleware: [trimMessages({ maxMessages: 3 })],
  });
  const { messages } = await agent.invoke([user("h1"), assistant("a1"), user("h2")]);
  expect(messages).toHaveLength(6);
  expect(model.calls.map((it) => it.messages.map(({ role }) => role).join(" "))).toEqual([
    "user assistant user",
    "user assistant tool",
  ]);
});

test("countTokens is called once for each message", async () => {
  const counted: Message[] = [];
  const model = answers([call("1", "t", '{"input": ""}'), call("2", "t", '{"input": ""}'), ["Done."]]);
  const agent = createAgent({
    model,
    tools: [tool({ name: "t", run: () => "r" })],
    middleware: [trimMessages({ maxTokens: 99, countTokens: (message) => counted.push(message) && 1 })],
  });
  await agent.invoke("Go.");
  expect(counted).toHaveLength(5);
  expect(new Set(counted).size).toBe(5);
});

test("the default estimate counts the arguments of calls, whatever their names", async () => {
  const args = { data: "x".repeat(4_000), url: `data:,${"x".repeat(4_000)}` };
  const long = assistant([{ type: "tool_call", id: "1", name: "t", args }]);
  const messages = [user("a"), long, result("1"), user("b")];
  expect(await shown(messages, { maxTokens: 1_900 })).toEqual([user("b")]);
  expect(await shown(messages, { maxTokens: 2_200 })).toEqual(messages);
});

test("the default estimate does not count the data of images", async () => {
  const picture = user(["Look.", { type: "image", mimeType: "image/png", data: "A".repeat(100_000) }]);
  const messages = [user("Hi"), assistant("Hi."), picture, assistant("Nice."), user("And?")];
  expect(await shown(messages, { maxTokens: 200 })).toHaveLength(5);
  const long = [user("x".repeat(1_000)), assistant("Hi."), user("And?")];
  expect(await shown(long, { maxTokens: 200 })).toHaveLength(1);
});

test("rejects missing and invalid limits", () => {
  expect(() => trimMessages({})).toThrow(expect.objectContaining({ code: "invalid_options" }));
  expect(() => trimMessages({ maxMessages: 0 })).toThrow(RangeError);
  expect(() => trimMessages({ maxTokens: 1.5 })).toThrow(RangeError);
});
