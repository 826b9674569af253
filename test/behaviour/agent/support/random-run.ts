import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import {
  type Agent,
  createAgent,
  type Message,
  type MessageChunk,
  ModelError,
  tool,
  type ToolRuntime,
} from "millrace";
import { toolStrategy } from "millrace/agent";
import {
  humanApproval,
  logging,
  type Middleware,
  modelCallLimit,
  modelFallback,
  modelRetry,
  toolCallLimit,
  toolRetry,
  trimMessages,
} from "millrace/agent";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { z } from "zod";
import { noTime } from "../../../agent/support/no-time.js";

const call = fc.record({
  id: fc.constantFrom("a", "a", "b", ""),
  /** Whether the id comes with the first chunk of the call, with its last, or not at all. */
  sent: fc.constantFrom("first", "first", "last", "never"),
  name: fc.constantFrom(
    "plain",
    "steps",
    "fails",
    "direct",
    "slow",
    "odd",
    "unknown",
    "",
    "output",
    "output",
  ),
  args: fc.constantFrom('{"n":1}', '{"n":1}', '{"n":"2"}', '{"n":"x"}', "{}", '{"n":', "", "[1]"),
  /** How many characters of the arguments come first. The rest comes later, after the other blocks if `split`. */
  head: fc.nat(8),
  split: fc.boolean(),
  whole: fc.boolean(),
});
const block = fc.oneof(
  { weight: 3, arbitrary: call },
  { weight: 1, arbitrary: fc.constantFrom("Hi", '{"n": 7}', '{"n": "8"}', '{"n": "x"}', " ") },
);
const answer = fc.record({
  blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
  failure: fc.constantFrom("none", "none", "none", "none", "none", "before", "after"),
  slow: fc.boolean(),
});
const names = [
  "approval",
  "toolRetry",
  "modelRetry",
  "fallback",
  "trim",
  "toolLimit",
  "modelLimit",
  "log",
] as const;

/** The answers of a model, the middleware of its agent in any order, and when and how the consumer leaves. */
export const anyRun = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 2 }),
  middleware: fc.shuffledSubarray([...names], { maxLength: 4 }),
  structured: fc.boolean(),
  leaveAt: fc.nat(24),
  how: fc.constantFrom("return", "abort", "return while it waits", "abort while it waits"),
});
export type RandomRun = typeof anyRun extends fc.Arbitrary<infer T> ? T : never;

/** The resources of a run that are open, and the requests that a provider would refuse. */
export interface Watch {
  open: number;
  readonly problems: string[];
}

/** An agent that behaves the same in each run, and when another one continues its run. */
export function agentOf(
  run: RandomRun,
  decideLater = false,
): { readonly agent: Agent; readonly watch: Watch } {
  const watch: Watch = { open: 0, problems: [] };
  const failed = new Set<number>();
  const model = scriptedModel(({ messages, options }) => {
    const step = options.seed ?? 0; // from `numbered`
    watch.problems.push(...problemsOf(messages, "in a request"));
    return answerOf(run, step, watch, failed);
  });
  const schema = z.object({ n: z.int() }).meta({ title: "output" });
  const agent = createAgent({
    model,
    tools: toolsFor(watch).filter(({ name }) => !run.structured || name !== "output"),
    ...(run.structured && { responseFormat: toolStrategy(schema) }),
    middleware: [numbered, ...run.middleware.map((name) => middleware[name](decideLater))],
    maxSteps: 5,
    maxRetries: 1,
    append: true,
  });
  return { agent, watch };
}

/** Tells the model the number of its step. */
const numbered: Middleware = {
  aroundModel: (it, next) => next({ ...it, options: { ...it.options, seed: it.step } }),
};

async function* answerOf(
  { answers, structured }: RandomRun,
  step: number,
  watch: Watch,
  failed: Set<number>,
): AsyncGenerator<ScriptItem> {
  watch.open++;
  try {
    const written = answers[step - 1];
    if (written === undefined) {
      yield structured
        ? { content: [{ type: "tool_call", id: "z", name: "output", args: { n: 7 } }] }
        : "Done.";
      return;
    }
    const { blocks, failure, slow } = written;
    if (failure === "before" && !failed.has(step)) {
      failed.add(step);
      throw new ModelError("network", "No answer.", { retryable: true });
    }
    for (const chunk of chunksOf(blocks)) {
      if (slow) await turn();
      yield chunk;
    }
    if (failure === "after") throw new ModelError("network", "The connection was cut.");
  } finally {
    watch.open--;
  }
}

function chunksOf(blocks: RandomRun["answers"][number]["blocks"]): MessageChunk[] {
  const chunks: MessageChunk[] = [];
  const later: MessageChunk[] = [];
  blocks.forEach((it, index) => {
    if (typeof it === "string") {
      chunks.push({ content: [{ type: "text", text: it, index }] });
      return;
    }
    const { id, sent, name, args, head, split, whole } = it;
    if (whole && args.endsWith("}")) {
      chunks.push({ content: [{ type: "tool_call", id, name, args: JSON.parse(args) as { n: number } }] });
      return;
    }
    const type = "tool_call_chunk";
    const rest = { type, index, args: args.slice(head), ...(sent === "last" && { id }) } as const;
    chunks.push({
      content: [{ type, index, name, args: args.slice(0, head), ...(sent === "first" && { id }) }],
    });
    if (rest.args !== "" || sent === "last") (split ? later : chunks).push({ content: [rest] });
  });
  return [...chunks, ...later, { content: [], usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }];
}

function toolsFor(watch: Watch) {
  const schema = z.object({ n: z.int() });
  const make = (name: string, run: (n: number, runtime: ToolRuntime) => unknown, more = {}) =>
    tool({ name, schema, run: ({ n }, runtime) => run(n, runtime), ...more });
  return [
    make("plain", (n) => `It is ${n}.`),
    make("output", (n) => n),
    make("direct", (n) => n, { returnDirect: true }),
    make("odd", () => 10n),
    make("fails", () => Promise.reject(new Error("It is broken."))),
    make("slow", (n, { signal }) => turn(n, { signal }), { concurrency: 1, timeout: 10_000 }),
    make("steps", async function* (n, { emit }) {
      watch.open++;
      try {
        emit("begun");
        yield n;
        await turn();
        yield n + 1;
        return { n };
      } finally {
        watch.open--;
      }
    }),
  ];
}

/** The middleware that can be part of a run. Decisions depend on the call alone. */
const middleware: Readonly<Record<(typeof names)[number], (decideLater: boolean) => Middleware>> = {
  approval: (decideLater) =>
    humanApproval({
      decide: async ({ id, name }) => {
        if (decideLater || name === "plain") return { type: "approve" };
        if (id.startsWith("b")) return { type: "edit", args: { n: 42 } };
        if (name === "direct") return { type: "reject" };
        return id.length % 2 === 0 ? turn(0).then(() => ({ type: "approve" as const })) : undefined;
      },
    }),
  toolRetry: () => toolRetry({ maxRetries: 1, clock: noTime }),
  modelRetry: () => modelRetry({ maxRetries: 1, clock: noTime }),
  fallback: () => ({
    aroundModel: (it, next) => modelFallback(it.model).aroundModel?.(it, next) ?? next(it),
  }),
  trim: () => trimMessages({ maxMessages: 2 }),
  toolLimit: () => toolCallLimit({ maxPerRun: 1 }),
  modelLimit: () => modelCallLimit({ maxPerRun: 2 }),
  log: () => logging({ log: () => {}, level: "debug", captureContent: true }),
};

/** The mistakes in a conversation for which providers refuse it. */
export function problemsOf(messages: readonly Message[], where: string, mayBeOpen = false): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.toolCallId)) problems.push(`a result without a call ${where}`);
      continue;
    }
    if (open.size > 0) problems.push(`a call without a result ${where}`);
    open = new Set();
    if (message.role !== "assistant") continue;
    if (message.content.length === 0) problems.push(`an empty message ${where}`);
    for (const it of message.content) {
      if (it.type !== "tool_call" && it.type !== "invalid_tool_call") continue;
      if (it.id === "" || ids.has(it.id)) problems.push(`a call with the id "${it.id}" ${where}`);
      ids.add(it.id);
      open.add(it.id);
    }
  }
  if (open.size > 0 && !mayBeOpen) problems.push(`a call without a result ${where}`);
  return problems;
}
