import {
  type AgentState,
  assistant,
  collect,
  createAgent,
  type Message,
  type MessageChunk,
  ModelError,
  system,
  textOf,
  tool,
  toolCallsOf,
  toolMessage,
  user,
} from "millrace";
import {
  email,
  type Middleware,
  modelRetry,
  redactText,
  summarizeMessages,
  trimMessages,
} from "millrace/agent";
import { durable, type DurableRun, memoryJournal } from "millrace/durable";
import { type ScriptedModel, scriptedModel, type ScriptItem } from "millrace/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../../support/conversation.js";
import { noTime } from "../../support/no-time.js";
import { call, ofType } from "../../support/script.js";

const heading = "Summary of the conversation so far:\n\n";
const asks = (...ids: string[]): Message =>
  assistant(ids.map((id) => ({ type: "tool_call", id, name: "get", args: { id } })));
const result = (id: string): Message => toolMessage(`r${id}`, { toolCallId: id, status: "success" });

const conversation = [
  system("s1"),
  user("h1"),
  assistant("a1"),
  user("h2"),
  asks("1", "2"),
  result("1"),
  result("2"),
  assistant("a2"),
  user("h3"),
];
const countTokens = (): number => 1;
const usage = { inputTokens: 7, outputTokens: 3 };
const sum = (text: string): ScriptItem[] => [text, { content: [], usage, finishReason: "stop" }];

/** The conversation that the model gets in its last call. */
function sentTo(model: ScriptedModel): string[] {
  return inShort(model.calls.at(-1)?.messages ?? []);
}

/** The summaries in a conversation, with the messages that have them. */
function summariesIn(messages: readonly Message[]): unknown[] {
  return messages.flatMap((message) =>
    message.metadata === undefined ? [] : [[inShort([message])[0], message.metadata]],
  );
}

function withoutMetadata(messages: readonly Message[]): Message[] {
  return messages.map(({ metadata: _metadata, ...message }) => message as Message);
}

describe("a summary is sent in the place of the older messages", () => {
  test("and the state has it in the first message after them", async () => {
    const model = scriptedModel(["Fine."]);
    const small = scriptedModel(sum(" They met. \n"));
    const middleware = [summarizeMessages({ model: small, maxTokens: 8, keep: 2, countTokens })];
    const { state } = await createAgent({ model, middleware }).invoke(conversation);
    expect(sentTo(model)).toEqual([
      "system | s1",
      `user | ${heading}They met.`,
      "assistant | a2",
      "user | h3",
    ]);
    expect(withoutMetadata(state.messages)).toEqual([
      ...conversation,
      { ...assistant("Fine."), finishReason: "stop" },
    ]);
    expect(summariesIn(state.messages)).toEqual([["assistant | a2", { summary: "They met." }]]);
    expect(small.calls.map(({ messages }) => messages.map(({ role }) => role))).toEqual([["system", "user"]]);
    expect(small.calls[0]?.options.tools ?? []).toEqual([]);
    expect(small.calls[0]?.messages.slice(1).map(textOf)).toEqual([
      '<user>\nh1\n</user>\n<assistant>\na1\n</assistant>\n<user>\nh2\n</user>\n<assistant>\nCalls get: {"id":"1"}\nCalls get: {"id":"2"}\n</assistant>\n<tool>\nr1\n</tool>\n<tool>\nr2\n</tool>',
    ]);
  });

  test.each<[keep: number, kept: string[]]>([
    [1, ["user | h3"]],
    [2, ["assistant | a2", "user | h3"]],
    [4, ["assistant | a2", "user | h3"]],
    [5, inShort(conversation.slice(4))],
    [6, inShort(conversation.slice(3))],
  ])("keep: %i keeps calls with their results", async (keep, kept) => {
    const model = scriptedModel(["ok"]);
    const middleware = [summarizeMessages({ model: scriptedModel(sum("S")), when: () => true, keep })];
    await createAgent({ model, middleware }).invoke(conversation);
    expect(sentTo(model)).toEqual(["system | s1", `user | ${heading}S`, ...kept]);
  });

  test("of which at most half of maxTokens is kept", async () => {
    const model = scriptedModel(["ok"]);
    const middleware = [summarizeMessages({ model: scriptedModel(sum("S")), maxTokens: 5, countTokens })];
    await createAgent({ model, middleware, system: "S0" }).invoke(conversation);
    expect(sentTo(model).slice(3)).toEqual(["assistant | a2", "user | h3"]);
  });

  test("but the last message of the user stays", async () => {
    const messages = [
      user("old"),
      assistant("Yes."),
      user("task"),
      asks("1"),
      result("1"),
      asks("2"),
      result("2"),
    ];
    const model = scriptedModel(["ok"]);
    const middleware = [summarizeMessages({ model: scriptedModel(sum("S")), when: () => true, keep: 1 })];
    await createAgent({ model, middleware }).invoke(messages);
    expect(sentTo(model)).toEqual([
      `user | ${heading}S`,
      "user | task",
      'assistant | get#2({"id":"2"})',
      "tool#2 success | r2",
    ]);
  });

  test("once, and the next summary goes on from it", async () => {
    const get = tool({ name: "get", schema: z.object({}), run: () => "r" });
    const model = scriptedModel(({ index }) => (index < 6 ? call(`c${index}`, "get", "{}") : ["Done."]));
    const small = scriptedModel(({ index }) => sum(`S${index}`));
    const middleware = [summarizeMessages({ model: small, maxTokens: 6, keep: 2, countTokens })];
    const agent = createAgent({ model, tools: [get], middleware });
    const { state } = await agent.invoke("Go.");
    expect(small.calls.length).toBeGreaterThan(1);
    expect(small.calls.length).toBeLessThan(model.calls.length / 2 + 1);
    for (const [at, { messages }] of small.calls.entries()) {
      const text = textOf(messages[1] as Message);
      expect(
        text.startsWith(at === 0 ? "<user>\nGo." : `<summary>\nS${at - 1}\n</summary>\n<assistant>`),
      ).toBe(true);
      expect(text.match(/Calls get/g)).toHaveLength(at === 0 ? 2 : 2);
    }
    for (const { messages } of model.calls) expect(messages.length).toBeLessThanOrEqual(6);
    expect(state.messages).toHaveLength(14);
    expect(state.usage?.inputTokens).toBe(7 * small.calls.length);
  });

  test("in later runs, also from a state that was saved", async () => {
    const model = scriptedModel(["ok"]);
    const small = scriptedModel(sum("S"));
    const middleware = [summarizeMessages({ model: small, maxTokens: 8, keep: 2, countTokens })];
    const agent = createAgent({ model, middleware });
    const { state } = await agent.invoke(conversation);
    const resume = JSON.parse(JSON.stringify(state)) as AgentState;
    await agent.invoke({ resume, messages: "Go on." });
    expect(sentTo(model)).toEqual([
      "system | s1",
      `user | ${heading}S`,
      "assistant | a2",
      "user | h3",
      "assistant | ok",
      "user | Go on.",
    ]);
    expect(small.calls).toHaveLength(1);
  });

  test("of any conversation, with every call followed by its results", async () => {
    const unit = fc.constantFrom("user", "answer", "calls", "system");
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { maxLength: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (units, keep) => {
          const messages = units.flatMap((kind, n): Message[] => {
            if (kind === "calls") return [asks(`${n}a`, `${n}b`), result(`${n}a`), result(`${n}b`)];
            return [
              kind === "user" ? user(`u${n}`) : kind === "system" ? system(`s${n}`) : assistant(`a${n}`),
            ];
          });
          const model = scriptedModel(["ok"]);
          const middleware = [summarizeMessages({ model: scriptedModel(sum("S")), when: () => true, keep })];
          const agent = createAgent({ model, middleware });
          let { state } = await agent.invoke([...messages, user("end")]);
          for (let run = 0; run < 3; run++) {
            const sent = model.calls.at(-1)?.messages ?? [];
            const calls = sent.flatMap(toolCallsOf).map(({ id }) => id);
            const answers = sent.flatMap((it) => (it.role === "tool" ? it.toolCallId : []));
            expect(answers).toEqual(calls);
            expect(withoutMetadata(sent.filter(({ role }) => role === "system"))).toEqual(
              messages.filter(({ role }) => role === "system"),
            );
            expect(textOf(sent.at(-1) as Message)).toBe(run === 0 ? "end" : `more ${run}`);
            expect(withoutMetadata(state.messages).slice(0, messages.length)).toEqual(messages);
            ({ state } = await agent.invoke({ resume: state, messages: `more ${run + 1}` }));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("nothing is summarized", () => {
  test.each<[why: string, messages: readonly Message[]]>([
    ["of a short conversation", conversation.slice(0, 3)],
    [
      "if all older messages are instructions",
      [...Array.from({ length: 9 }, (_, n) => system(`s${n}`)), user("h")],
    ],
  ])("%s", async (_, messages) => {
    const small = scriptedModel(sum("S"));
    const middleware = [
      summarizeMessages({ model: small, when: ({ messages: { length } }) => length !== 3, keep: 1 }),
    ];
    const { state } = await createAgent({ model: scriptedModel(["ok"]), middleware }).invoke(messages);
    expect(state.messages.slice(0, -1)).toEqual(messages);
    expect(small.calls).toHaveLength(0);
  });

  test("if a middleware before it has removed messages", async () => {
    const small = scriptedModel(sum("S"));
    const middleware = [
      trimMessages({ maxMessages: 3 }),
      summarizeMessages({ model: small, when: () => true, keep: 1 }),
    ];
    const { state } = await createAgent({ model: scriptedModel(["ok"]), middleware }).invoke(conversation);
    expect(state.messages.slice(0, -1)).toEqual(conversation);
    expect(small.calls).toHaveLength(0);
  });
});

describe("a summary that fails loses nothing", () => {
  const failures: readonly [why: string, answer: () => readonly ScriptItem[], code: string][] = [
    [
      "with an error",
      () => {
        throw new ModelError("http", "Overloaded.", { status: 529 });
      },
      "http",
    ],
    ["without text", () => [" \n"], "empty"],
    ["that is cut", () => ["They", { content: [], finishReason: "length" }], "truncated"],
    ["that is withheld", () => ["They", { content: [], finishReason: "content_filter" }], "empty"],
  ];
  test.each(failures)("%s", async (_, answer, code) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const middleware = [
      summarizeMessages({ model: scriptedModel(answer), when: () => true, keep: 1, onError }),
    ];
    const model = scriptedModel(["ok"]);
    const { state } = await createAgent({ model, middleware }).invoke(conversation);
    expect(model.calls[0]?.messages).toEqual(conversation);
    expect(state.messages.slice(0, -1)).toEqual(conversation);
    expect(errors).toMatchObject([{ code }]);
  });

  test("and is tried once in a step, and again in the next", async () => {
    const get = tool({ name: "get", schema: z.object({}), run: () => "r" });
    const small = scriptedModel(({ index }) => (index === 0 ? [""] : sum("S")));
    let attempts = 0;
    const failing: Middleware = {
      aroundModel: (asked, next) => {
        if (asked.tools.length > 0 && attempts++ === 0)
          throw new ModelError("network", "No.", { retryable: true });
        return next(asked);
      },
    };
    const model = scriptedModel(({ index }) => (index === 0 ? call("c1", "get", "{}") : ["Done."]));
    const middleware = [
      modelRetry({ clock: noTime }),
      summarizeMessages({ model: small, when: () => true, keep: 1 }),
      failing,
    ];
    const { state } = await createAgent({ model, tools: [get], middleware }).invoke(conversation);
    expect(attempts).toBe(3);
    expect(small.calls).toHaveLength(2);
    expect(sentTo(model)[1]).toBe(`user | ${heading}S`);
    expect(summariesIn(state.messages)).toHaveLength(1);
  });

  test("and so does a step that fails after it", async () => {
    const broken = scriptedModel(() => {
      throw new ModelError("http", "Bad.", { status: 400 });
    });
    const middleware = [summarizeMessages({ model: scriptedModel(sum("S")), when: () => true, keep: 1 })];
    const states: AgentState[] = [];
    const run = async (): Promise<void> => {
      for await (const event of createAgent({ model: broken, middleware }).stream(conversation))
        if (event.type === "step_end") states.push(event.state);
    };
    await expect(run()).rejects.toMatchObject({ code: "http" });
    expect(states).toEqual([]);
  });
});

test("the summary is no event of the run, and its tokens are", async () => {
  const answer: MessageChunk = {
    content: [],
    usage: { inputTokens: 1, outputTokens: 1 },
    finishReason: "stop",
  };
  const middleware = [summarizeMessages({ model: scriptedModel(sum("SECRET")), when: () => true, keep: 1 })];
  const agent = createAgent({ model: scriptedModel(["ok", answer]), middleware });
  const events = await collect(agent.stream(conversation));
  const shown = events.filter(({ type }) => type !== "step_end" && type !== "finish");
  expect(JSON.stringify(shown)).not.toContain("SECRET");
  expect(ofType(events, "usage")).toEqual([
    { type: "usage", usage: answer.usage, total: answer.usage },
    { type: "usage", usage, total: { inputTokens: 8, outputTokens: 4 } },
  ]);
  expect(ofType(events, "finish")[0]?.state.usage).toEqual({ inputTokens: 8, outputTokens: 4 });
  expect(events.map(({ type }) => type)).toEqual([
    "step",
    "text",
    "message",
    "usage",
    "usage",
    "step_end",
    "finish",
  ]);
});

test("a run that is aborted during the summary ends", async () => {
  const controller = new AbortController();
  const model = scriptedModel(["ok"]);
  const small = scriptedModel(async function* () {
    controller.abort(new Error("Stopped."));
    yield* [];
    await new Promise(() => {});
  });
  const middleware = [summarizeMessages({ model: small, when: () => true, keep: 1 })];
  const run = createAgent({ model, middleware }).invoke(conversation, { signal: controller.signal });
  await expect(run).rejects.toThrow("Stopped.");
  expect(model.calls).toHaveLength(0);
});

test("the call for the summary passes through the middleware after it", async () => {
  const small = scriptedModel(sum("ada@example.com met Bo."));
  const redact = redactText({ detectors: { email } });
  const middleware = [summarizeMessages({ model: small, when: () => true, keep: 1 }), redact];
  const messages = [user("I am ada@example.com."), assistant("Hi."), user("And?")];
  const model = scriptedModel(["ok"]);
  const { state } = await createAgent({ model, middleware }).invoke(messages);
  expect(small.calls[0]?.messages.map(textOf).join()).not.toContain("ada@");
  expect(sentTo(model)[0]).toBe(`user | ${heading}[email] met Bo.`);
  expect(state.messages[2]?.metadata).toEqual({ summary: "[email] met Bo." });
});

test("a run that pauses keeps its open call", async () => {
  const get = tool({ name: "get", schema: z.object({}), run: () => "r" });
  let open = true;
  const pausing: Middleware = {
    aroundTool: (run, next) => {
      if (!open) return next(run);
      return (async function* () {
        yield await Promise.resolve({ type: "paused" as const });
      })();
    },
  };
  const model = scriptedModel(({ index }) => (index === 0 ? call("c1", "get", "{}") : ["Done."]));
  const small = scriptedModel(sum("S"));
  const middleware = [summarizeMessages({ model: small, maxTokens: 5, keep: 1, countTokens }), pausing];
  const agent = createAgent({ model, tools: [get], middleware });
  const { state } = await agent.invoke(conversation);
  expect(summariesIn(state.messages)).toEqual([["user | h3", { summary: "S" }]]);
  expect(inShort(state.messages).at(-1)).toBe("assistant | get#c1({})");
  open = false;
  const { messages } = await agent.invoke({ resume: JSON.parse(JSON.stringify(state)) as AgentState });
  expect(inShort(messages).at(-1)).toBe("assistant | Done.");
  expect(sentTo(model).slice(0, 3)).toEqual(["system | s1", `user | ${heading}S`, "user | h3"]);
});

test("the model of the call writes the summary by default", async () => {
  const model = scriptedModel(({ index }) => (index === 0 ? sum("S") : ["ok"]), {
    profile: { structuredOutput: true },
  });
  const middleware = [summarizeMessages({ when: () => true, keep: 1, system: "Be brief." })];
  const agent = createAgent({
    model,
    middleware,
    system: "Be kind.",
    responseFormat: z.object({}),
    callOptions: { temperature: 1 },
  });
  await agent.invoke(conversation).catch(() => {});
  expect(model.calls[0]?.messages.map(textOf)[0]).toBe("Be brief.");
  expect(model.calls[0]?.options).not.toMatchObject({ temperature: 1 });
  expect(model.calls[0]?.options.responseFormat).toBeUndefined();
  expect(model.calls[1]?.options).toMatchObject({ temperature: 1 });
});

test.each([
  {},
  { maxTokens: 0 },
  { maxTokens: 5, keep: 0 },
  { maxTokens: 5, model: "nobody" },
  { maxTokens: 5, keeps: 1 },
])("refuses %j", (options) => {
  expect(() => summarizeMessages(options as never)).toThrow();
});

test("a durable run that is repeated does not write the summary again", async () => {
  const small = scriptedModel(sum("S"));
  const model = scriptedModel(["ok"]);
  const middleware = [summarizeMessages({ model: small, when: () => true, keep: 1 })];
  const agent = createAgent({ model, middleware });
  const records = new Map<string, string>();
  const attempt = (): DurableRun => durable(agent, { journal: memoryJournal(records), id: "run" });
  const first = await attempt().invoke(conversation);
  const second = await attempt().invoke();
  expect(second.state).toEqual(first.state);
  expect(summariesIn(second.messages)).toEqual([["user | h3", { summary: "S" }]]);
  expect([small.calls.length, model.calls.length]).toEqual([1, 1]);
});
