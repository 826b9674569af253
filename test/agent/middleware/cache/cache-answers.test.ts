import {
  assistant,
  collect,
  createAgent,
  mapAsync,
  type Message,
  type MessageChunk,
  ModelError,
  system,
  textOf,
  tool,
  toolMessage,
  user,
} from "millrace";
import {
  cacheAnswers,
  type CacheAnswersOptions,
  modelFallback,
  type AnswerStore,
  serverTool,
} from "millrace/agent";
import { manualClock, scriptedModel, type ScriptItem } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { call, ofType } from "../../support/script.js";

const usage = { inputTokens: 5, outputTokens: 2 };
const end: MessageChunk = { content: [], finishReason: "stop", usage, model: "m-1", id: "msg_1" };

/** An agent whose answers have their number, so a repeated one is known. */
function counting(options: Partial<CacheAnswersOptions> = {}, last: ScriptItem = end) {
  const store = new Map<string, string>();
  const model = scriptedModel(({ index }) => ["Answer ", `${index}`, last]);
  const agent = createAgent({ model, middleware: [cacheAnswers({ store, ...options })] });
  const ask = async (text: string): Promise<string | undefined> => {
    const message = (await agent.invoke(text)).messages.at(-1);
    return message && textOf(message);
  };
  return { store, model, agent, ask };
}

test("an equal request gets the same chunks without asking the model, and without usage", async () => {
  const { model, agent, store } = counting();
  const [first, second] = [await collect(agent.stream("Hi")), await collect(agent.stream("Hi"))];
  const shown = (events: typeof first): unknown[] => events.filter(({ type }) => type === "text");
  expect(shown(second)).toEqual(shown(first));
  expect(shown(first)).toHaveLength(2);
  expect(model.calls).toHaveLength(1);
  expect(ofType(first, "usage")).toHaveLength(1);
  expect(ofType(second, "usage")).toHaveLength(0);
  const { usage: _usage, ...message } = ofType(first, "message")[0]?.message as Message & { usage?: unknown };
  expect(ofType(second, "message")[0]?.message).toEqual(message);
  expect(store.size).toBe(1);
});

test("the key has no text of the request, and the same for the same request", async () => {
  const { store, ask } = counting();
  await ask("A secret.");
  const [key = ""] = store.keys();
  expect(key).toMatch(/^[\da-f]{64}$/);
  const other = counting();
  await other.ask("A secret.");
  expect([...other.store.keys()]).toEqual([key]);
});

describe("the key depends on", () => {
  const get = tool({
    name: "get",
    description: "Gets.",
    schema: z.object({ id: z.string() }),
    run: () => "1",
  });
  const base = { model: "m", system: "Be kind.", tools: [get], callOptions: { temperature: 0 } };
  const keyOf = async (
    { model, ...options }: Omit<Parameters<typeof createAgent>[0], "model"> & { readonly model: string },
    messages: readonly Message[] = [user("Hi")],
  ): Promise<string> => {
    const store = new Map<string, string>();
    const scripted = scriptedModel(["{}"], { model });
    const agent = createAgent({
      ...options,
      model: scripted,
      maxRetries: 0,
      middleware: [cacheAnswers({ store })],
    });
    await agent.invoke(messages).catch(() => {});
    return String([...store.keys()][0]);
  };

  test.each<[what: string, options: object, messages?: readonly Message[]]>([
    ["the model", { model: "n" }],
    ["the system prompt", { system: "Be brief." }],
    ["the tools", { tools: [] }],
    ["the description of a tool", { tools: [{ ...get, description: "Reads." }] }],
    ["the options", { callOptions: { temperature: 1 } }],
    ["the response format", { responseFormat: z.object({}) }],
    ["the messages", {}, [user("Hi!")]],
    ["the role of a message", {}, [system("Hi"), user("Hi")]],
  ])("%s", async (_, options, messages) => {
    expect(await keyOf({ ...base, ...options }, messages)).not.toBe(await keyOf(base));
  });

  test("the forms of a tool that the provider runs", async () => {
    const search = (uses: number) =>
      serverTool({ name: "search", forms: { anthropic: { type: "web_search_20250305", max_uses: uses } } });
    const keys = [1, 2, 1].map((uses) => keyOf({ ...base, tools: [search(uses)] }));
    const [one, two, again] = await Promise.all(keys);
    expect(two).not.toBe(one);
    expect(again).toBe(one);
  });

  test("nothing that the model does not get", async () => {
    const messages = [user("Hi"), assistant("Yes."), toolMessage("1", { toolCallId: "c" }), user("Go on.")];
    const saved = messages.map((message, at): Message => ({
      ...message,
      id: `id-${at}`,
      ...(message.role === "tool" && { artifact: at }),
    }));
    const timeouts = { ...base, callOptions: { maxRetries: 1, timeouts: { total: 9 }, temperature: 0 } };
    const copy = {
      ...base,
      tools: [
        tool({ name: "get", description: "Gets.", schema: z.object({ id: z.string() }), run: () => "2" }),
      ],
    };
    const key = await keyOf(base, messages);
    expect([await keyOf(base, saved), await keyOf(timeouts, messages), await keyOf(copy, messages)]).toEqual([
      key,
      key,
      key,
    ]);
  });

  test("what an option returns", async () => {
    interface Caller {
      readonly tenant: string;
    }
    const store = new Map<string, string>();
    const model = scriptedModel(({ index }) => [`${index}`]);
    const middleware = cacheAnswers<Caller | undefined>({
      store,
      key: ({ messages, ...request }, { run }) =>
        run.context === undefined
          ? undefined
          : { ...request, text: messages.map(textOf).join().trim(), tenant: run.context.tenant },
    });
    const agent = createAgent({ model, middleware: [middleware as never] });
    const ask = async (text: string, context?: Caller): Promise<string> =>
      textOf((await agent.invoke(text, { context })).messages.at(-1) as Message);
    expect(await ask("Hi", { tenant: "a" })).toBe("0");
    expect(await ask("Hi", { tenant: "b" })).toBe("1");
    expect(await ask(" Hi ", { tenant: "a" })).toBe("0");
    expect(await ask("Hi")).toBe("2");
    expect(await ask("Hi")).toBe("3");
    expect(store.size).toBe(2);
  });
});

describe("only complete answers are kept", () => {
  test.each<[what: string, last: ScriptItem]>([
    ["cut by the token limit", { content: [], finishReason: "length" }],
    ["withheld", { content: [], finishReason: "content_filter" }],
    ["ended with an error", { content: [], finishReason: "error" }],
    ["refused", { content: [], refusal: "No.", finishReason: "stop" }],
    ["with an unknown end", { content: [], finishReason: "other" }],
  ])("not one that is %s", async (_, last) => {
    const { store, ask } = counting({}, last);
    await ask("Hi").catch(() => {});
    expect(store.size).toBe(0);
    expect(await ask("Hi")).toBe("Answer 1");
  });

  test("not one that breaks, or whose reader leaves", async () => {
    const store = new Map<string, string>();
    const model = scriptedModel(function* () {
      yield "A";
      yield "B";
      throw new ModelError("http", "Bad.", { status: 400 });
    });
    const agent = createAgent({ model, middleware: [cacheAnswers({ store })] });
    await expect(agent.invoke("Hi")).rejects.toThrow("Bad.");
    for await (const event of agent.stream("Hi")) if (event.type === "text") break;
    expect(store.size).toBe(0);
  });

  test("not one that is too long", async () => {
    const { store, ask } = counting({ maxLength: 60 });
    await ask("Hi");
    expect(store.size).toBe(0);
    const { store: larger, ask: askLarger } = counting({ maxLength: 1_000 });
    await askLarger("Hi");
    expect(larger.size).toBe(1);
  });

  test("not an invalid structured response that was stopped", async () => {
    const store = new Map<string, string>();
    const model = scriptedModel(({ index }) => (index === 0 ? ['{"n": "', 'x"}'] : ['{"n": 1}']));
    const agent = createAgent({
      model,
      responseFormat: z.object({ n: z.number() }),
      middleware: [cacheAnswers({ store })],
    });
    expect((await agent.invoke("Hi")).structuredResponse).toEqual({ n: 1 });
    expect(store.size).toBe(1);
  });
});

test("a run with tools is repeated as a whole, and its tools run again", async () => {
  let runs = 0;
  const get = tool({ name: "get", schema: z.object({}), run: () => `r${++runs}`.slice(0, 1) });
  const model = scriptedModel(({ index }) => (index === 0 ? call("1", "get", "{", "}") : ["Done."]));
  const agent = createAgent({
    model,
    tools: [get],
    middleware: [cacheAnswers({ store: new Map<string, string>() })],
  });
  const first = await agent.invoke("Hi");
  expect(await agent.invoke("Hi")).toEqual(first);
  expect([model.calls.length, runs]).toEqual([2, 2]);
});

/** A store, and the times for which it was asked to keep answers. */
function timedStore(): { readonly store: AnswerStore; readonly ttls: readonly unknown[] } {
  const ttls: unknown[] = [];
  const map = new Map<string, string>();
  const set: AnswerStore["set"] = (key, value, { ttl }) => {
    ttls.push(ttl);
    map.set(key, value);
  };
  return { store: { get: (key) => map.get(key), set }, ttls };
}

test("an answer is used for its time", async () => {
  let date = 1_000;
  const { store, ttls } = timedStore();
  const { ask } = counting({ store, ttl: 50, now: () => date });
  expect(await ask("Hi")).toBe("Answer 0");
  date += 49;
  expect(await ask("Hi")).toBe("Answer 0");
  date += 1;
  expect(await ask("Hi")).toBe("Answer 1");
  expect(ttls).toEqual([50, 50]);
});

test("an answer is used for ever with an infinite time", async () => {
  const { store, ttls } = timedStore();
  const { ask } = counting({ store, ttl: Infinity });
  expect([await ask("Hi"), await ask("Hi")]).toEqual(["Answer 0", "Answer 0"]);
  expect(ttls).toEqual([undefined]);
});

test("an operator changes how a kept answer is repeated", async () => {
  const seen: string[] = [];
  const replay = mapAsync(async (chunk: MessageChunk) => {
    seen.push(textOf(chunk));
    return await Promise.resolve(chunk);
  });
  const { ask } = counting({ replay });
  await ask("Hi");
  expect(seen).toEqual([]);
  expect(await ask("Hi")).toBe("Answer 0");
  expect(seen).toEqual(["Answer ", "0", ""]);
});

describe("a store that fails never breaks a run", () => {
  const failing = (): never => {
    throw new Error("Down.");
  };
  test.each<[what: string, store: AnswerStore, errors: number]>([
    ["throws", { get: failing, set: failing }, 4],
    [
      "rejects",
      { get: () => Promise.reject(new Error("Down.")), set: () => Promise.reject(new Error("Down.")) },
      4,
    ],
    ["only reads", { get: () => null, set: failing }, 2],
    ["has no JSON", { get: () => "nonsense", set: () => {} }, 2],
    ["has other JSON", { get: () => '{"version":1,"chunks":[{"content":7}]}', set: () => {} }, 2],
    ["has JSON of no answer", { get: () => "null", set: () => {} }, 2],
    ["has an answer of a later version", { get: () => '{"version":2}', set: () => {} }, 0],
    ["has another type", { get: () => 7 as never, set: () => {} }, 0],
  ])("one that %s", async (_, store, count) => {
    const errors: unknown[] = [];
    const { ask } = counting({ store, onError: (error) => errors.push(error) });
    expect([await ask("Hi"), await ask("Hi")]).toEqual(["Answer 0", "Answer 1"]);
    expect(errors).toHaveLength(count);
  });

  test("one that never answers", async () => {
    const clock = manualClock();
    const errors: unknown[] = [];
    const never = (): Promise<never> => new Promise(() => {});
    const { ask } = counting({
      store: { get: never, set: never },
      clock,
      timeout: 100,
      onError: (error) => errors.push(error),
    });
    const answer = ask("Hi");
    for (let waits = 0; waits < 2; waits++) {
      await vi.waitUntil(() => clock.timers > 0);
      clock.advance(100);
    }
    expect(await answer).toBe("Answer 0");
    expect(errors).toMatchObject([{ name: "TimeoutError" }, { name: "TimeoutError" }]);
  });
});

test("the answer of a fallback is not kept for the model that failed", async () => {
  const store = new Map<string, string>();
  const first = scriptedModel(({ index }) => {
    if (index === 0) throw new ModelError("http", "Overloaded.", { status: 529 });
    return ["First."];
  });
  const middleware = [cacheAnswers({ store }), modelFallback(scriptedModel(["Second."]))];
  const agent = createAgent({ model: first, maxRetries: 0, middleware });
  const texts = async (): Promise<string> => textOf((await agent.invoke("Hi")).messages.at(-1) as Message);
  expect([await texts(), await texts()]).toEqual(["Second.", "First."]);
});

test.each([
  {},
  { store: new Map(), ttl: -1 },
  { store: new Map(), maxLength: 0 },
  { store: new Map(), keys: 1 },
])("refuses %j", (options) => {
  expect(() => cacheAnswers(options as never)).toThrow();
});
