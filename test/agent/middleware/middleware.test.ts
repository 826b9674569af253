import {
  type AgentEvent,
  collect,
  createAgent,
  from,
  user,
  map,
  type MessageChunk,
  tap,
  tool,
} from "millrace";
import type { Middleware } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../support/conversation.js";
import { answers, call } from "../support/script.js";

const weather = tool({ name: "weather", schema: z.object({ city: z.string() }), run: ({ city }) => city });

test("the first middleware is the outermost around the run, the model and the tools", async () => {
  const log: string[] = [];
  const named = (name: string): Middleware => ({
    aroundRun: (run, next) => {
      log.push(`${name} run`);
      return next(run);
    },
    aroundModel: (it, next) => {
      log.push(`${name} model ${it.step}`);
      return next(it);
    },
    aroundTool: (it, next) => {
      log.push(`${name} tool ${it.call.id}`);
      return next(it);
    },
    beforeStep: () => {
      log.push(`${name} before`);
      return undefined;
    },
    afterStep: () => {
      log.push(`${name} after`);
      return undefined;
    },
  });
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["Done."]]);
  await createAgent({ model, tools: [weather], middleware: [named("a"), named("b")] }).invoke("Go.");
  const step = (n: number): string[] => ["a before", "b before", `a model ${n}`, `b model ${n}`];
  expect(log).toEqual([
    "a run",
    "b run",
    ...step(1),
    "a tool 1",
    "b tool 1",
    "a after",
    "b after",
    ...step(2),
    "a after",
    "b after",
  ]);
});

test("a middleware can choose another model, other messages, tools, options and response format", async () => {
  const other = answers([call("1", "extra", '{"input": "x"}'), ['{"n": 1}']]);
  const ran: string[] = [];
  const extra = tool({
    name: "extra",
    run: (input) => {
      ran.push(input);
      return "";
    },
  });
  const choose: Middleware = {
    aroundModel: (it, next) =>
      next({
        ...it,
        model: other,
        messages: [user("Instead.")],
        tools: [extra],
        responseFormat: it.step === 2 ? z.object({ n: z.number() }) : undefined,
        options: { ...it.options, temperature: 0 },
      }),
  };
  const model = answers([]);
  const events = await collect(
    createAgent({ model, tools: [weather], middleware: [choose], callOptions: { maxTokens: 5 } }).stream(
      "Go.",
    ),
  );
  expect(model.calls.length).toBe(0);
  expect(ran).toEqual(["x"]);
  expect(other.calls[0]).toMatchObject({
    options: { temperature: 0, maxTokens: 5, tools: [{ name: "extra" }] },
  });
  expect(inShort(other.calls[0]?.messages ?? [])).toEqual(["user | Instead."]);
  expect(events.at(-1)).toMatchObject({ reason: "structured", structuredResponse: { n: 1 } });
});

test("a middleware can change the chunks of the model", async () => {
  const shout: Middleware = {
    aroundModel: (it, next) =>
      map((chunk: MessageChunk) => ({
        ...chunk,
        content: chunk.content.map((block) =>
          block.type === "text" ? { ...block, text: block.text.toUpperCase() } : block,
        ),
      }))(next(it)),
  };
  const { messages } = await createAgent({ model: answers([["hel", "lo"]]), middleware: [shout] }).invoke(
    "Hi",
  );
  expect(inShort(messages).at(-1)).toBe("assistant | HELLO");
});

test("a middleware can answer instead of the model and instead of a tool", async () => {
  const recorded = scriptedModel(['{"name": "Ada"}']);
  const cached: Middleware = { aroundModel: () => recorded.stream("Hi") };
  const model = answers([]);
  const agent = createAgent({ model, middleware: [cached], responseFormat: z.object({ name: z.string() }) });
  expect((await agent.invoke("Hi")).structuredResponse.name).toBe("Ada");
  expect(model.calls.length).toBe(0);
});

test("beforeStep and afterStep can change the messages and end the run", async () => {
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["never"]]);
  const trim: Middleware = {
    beforeStep: ({ messages, step }) =>
      step === 0 ? { messages: [...messages, user("Also this.")] } : undefined,
    afterStep: () => ({ end: true }),
  };
  const events = await collect(createAgent({ model, tools: [weather], middleware: [trim] }).stream("Go."));
  const finish = events.at(-1);
  expect(finish).toMatchObject({ type: "finish", reason: "ended", state: { status: "finished", step: 1 } });
  expect(inShort(model.calls[0]?.messages ?? [])).toEqual(["user | Go.", "user | Also this."]);
  expect(model.calls.length).toBe(1);
});

test("beforeStep and afterStep can report tokens that they used", async () => {
  const used = (inputTokens: number): Pick<Middleware, "beforeStep" | "afterStep"> => ({
    beforeStep: () => ({ usage: { inputTokens } }),
    afterStep: () =>
      Promise.resolve({ usage: { outputTokens: inputTokens, details: { reasoningTokens: 1 } } }),
  });
  const usage = { inputTokens: 1, outputTokens: 2 };
  const model = answers([["Done.", { content: [], usage, finishReason: "stop" }]]);
  const events = await collect(createAgent({ model, middleware: [used(10), used(20)] }).stream("Go."));
  expect(events.filter(({ type }) => type === "usage")).toEqual([
    { type: "usage", usage: { inputTokens: 30 }, total: { inputTokens: 30 } },
    { type: "usage", usage, total: { inputTokens: 31, outputTokens: 2 } },
    {
      type: "usage",
      usage: { outputTokens: 30, details: { reasoningTokens: 2 } },
      total: { inputTokens: 31, outputTokens: 32, details: { reasoningTokens: 2 } },
    },
  ]);
  expect(events.at(-1)).toMatchObject({ state: { usage: { inputTokens: 31, outputTokens: 32 } } });
});

test("all afterStep hooks see the step, but no beforeStep hook a step that does not take place", async () => {
  const called: string[] = [];
  const hooks = (name: string, ending: string): Middleware => ({
    beforeStep: () => {
      called.push(`${name} before`);
      return { end: ending === "before" };
    },
    afterStep: ({ messages }) => {
      called.push(`${name} after`);
      return { messages: [...messages, user(name)], end: ending === "after" };
    },
  });
  const run = (ending: string): ReturnType<ReturnType<typeof createAgent>["invoke"]> =>
    createAgent({ model: answers([["Hi."]]), middleware: [hooks("a", ending), hooks("b", "")] }).invoke(
      "Go.",
    );
  const { messages } = await run("after");
  expect(inShort(messages)).toEqual(["user | Go.", "assistant | Hi.", "user | a", "user | b"]);
  await run("before");
  expect(called).toEqual(["a before", "b before", "a after", "b after", "a before"]);
});

test.each([
  ["has ended", ["Hello."]],
  ["has failed", undefined],
])("the signal of a run is aborted once it %s", async (_, answer) => {
  const seen: boolean[] = [];
  let signal: AbortSignal | undefined;
  const watch: Middleware = {
    aroundRun: (run, next) => {
      ({ signal } = run);
      return tap<AgentEvent>(() => seen.push(run.signal.aborted))(next(run));
    },
  };
  const model = answers(answer === undefined ? [] : [answer]);
  await createAgent({ model, middleware: [watch] })
    .invoke("Hi")
    .catch(() => {});
  expect(seen).not.toContain(true);
  expect(signal?.aborted).toBe(true);
});

test("invoke() rejects with ended if the run ends without a structured response", async () => {
  const agent = createAgent({
    model: answers([]),
    responseFormat: z.object({}),
    middleware: [{ beforeStep: () => ({ end: true }) }],
  });
  await expect(agent.invoke("Go.")).rejects.toMatchObject({ code: "ended", state: { step: 0 } });
});

test("aroundRun can read and change the events", async () => {
  const types: string[] = [];
  const seen: Middleware = {
    aroundRun: (run, next) =>
      tap<AgentEvent>(({ type }) => {
        types.push(type);
      })(next(run)),
  };
  await createAgent({ model: answers([["Hello."]]), middleware: [seen] }).invoke("Hi");
  expect(types).toEqual(["step", "text", "message", "step_end", "finish"]);
});

test("an error of a hook ends the run unchanged", async () => {
  const mine = new Error("mine");
  const broken: Middleware = {
    beforeStep: () => {
      throw mine;
    },
  };
  await expect(createAgent({ model: answers([]), middleware: [broken] }).invoke("Hi")).rejects.toBe(mine);
});

// [the hook, what it returns, what the message says that it returned]
type Wrong = [hook: keyof Middleware, run: () => unknown, found: string];
const wrong: readonly Wrong[] = [
  ...(["aroundRun", "aroundModel", "aroundTool"] as const).flatMap((hook): Wrong[] => [
    [hook, () => undefined, "returned undefined"],
    [hook, () => Promise.resolve([]), "returned an object (Promise)"],
    [hook, () => "text", "returned a string"],
  ]),
  ["aroundTool", () => from([null]), "yielded null"],
  ["aroundTool", () => from([{ type: "result" }]), 'yielded {"type":"result"}'],
  ...(["beforeStep", "afterStep"] as const).flatMap((hook): Wrong[] => [
    [hook, () => 5, "returned 5"],
    [hook, () => null, "returned null"],
    [hook, () => ({ messages: ["Hi"] }), 'returned {"messages":["Hi"]}'],
    [hook, () => Promise.resolve({ stop: true }), 'returned {"stop":true}'],
    [hook, () => ({ usage: 7 }), 'returned {"usage":7}'],
  ]),
];
test.each(wrong)("%s() that does not do its job is named: %s", async (hook, run, found) => {
  const model = answers([call("1", "weather", '{"city": "Oslo"}'), ["Done."]]);
  const middleware = [{ name: "mine", [hook]: run }] as Middleware[];
  const error: unknown = await createAgent({ model, tools: [weather], middleware })
    .invoke("Go.")
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "AgentError", code: "invalid_middleware" });
  expect((error as Error).message).toContain(`${hook}() of `);
  expect((error as Error).message).toContain(found);
});

test("a tool may change its arguments: the message keeps those that the model wrote", async () => {
  const args = { city: "Oslo", days: [{ n: 1 }] };
  const greedy = tool({
    name: "greedy",
    schema: z.looseObject({ days: z.array(z.looseObject({})) }),
    run: (own) => {
      own.days.push({ n: 2 });
      own.days[0]!["n"] = 0;
      own["city"] = "Bergen";
      return "ok";
    },
  });
  const written = JSON.stringify(args).slice(0, -1) + ',"__proto__":{"a":[1]}}';
  const model = answers([call("1", "greedy", written), ["Done."]]);
  const { messages } = await createAgent({ model, tools: [greedy] }).invoke("Go.");
  expect(JSON.stringify(messages[1]?.content)).toContain(`"args":${written}`);
});
