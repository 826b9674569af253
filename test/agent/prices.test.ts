import {
  type AgentEvent,
  collect,
  createAgent,
  type MessageChunk,
  ModelError,
  streamObject,
  toAssistantMessage,
  type Usage,
} from "millrace";
import { agentTool, modelFallback, summarizeMessages, type TokenPrices } from "millrace/agent";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { answers, call, ofType } from "./support/script.js";

const prices: TokenPrices = {
  "gpt-5": { input: 10, output: 100 },
  "gpt-5-mini": { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 },
};
const million = 1_000_000;

/** The end of an answer of a model. */
function used(model: string | undefined, usage: Usage): ScriptItem {
  return { content: [], usage, ...(model !== undefined && { model }) };
}

const oneEach: Usage = { inputTokens: million, outputTokens: million };

const costsOf = (events: readonly AgentEvent[]): readonly (number | undefined)[] =>
  ofType(events, "usage").map(({ usage }) => usage.cost);

async function costOf(model: string | undefined, usage: Usage, name = "scripted"): Promise<unknown> {
  const scripted = { ...scriptedModel(["Hi.", used(model, usage)]), model: name };
  const { state } = await createAgent({ model: scripted, prices }).invoke("Hi");
  expect(state.messages.at(-1)).toMatchObject({ usage: state.usage });
  return state.usage?.cost;
}

describe("the cost of usage", () => {
  test("is that of the longest name with which the model begins, with the prices of the cache", async () => {
    const details = { cacheReadTokens: 2 * million, cacheWriteTokens: million };
    const usage = { inputTokens: 4 * million, outputTokens: million, details };
    expect(await costOf("gpt-5-mini-2025-08-07", usage)).toBeCloseTo(1 + 0.2 + 2 + 10);
    expect(await costOf("gpt-5", usage)).toBeCloseTo(40 + 100);
  });

  test("counts reasoning that a provider counts only in the total", async () => {
    expect(await costOf("gpt-5", { ...oneEach, totalTokens: 3 * million })).toBeCloseTo(10 + 200);
  });

  test("takes the requested model if the provider names none", async () => {
    expect(await costOf(undefined, oneEach, "gpt-5")).toBeCloseTo(110);
  });

  test("is absent without a price for the model, and without tokens of both kinds", async () => {
    expect(await costOf("claude-haiku-4-5", oneEach)).toBeUndefined();
    expect(await costOf("gpt-5", { totalTokens: million })).toBeUndefined();
    expect(await costOf("gpt-5", { inputTokens: million })).toBeUndefined();
  });

  test("is absent from a sum if one model has no price", async () => {
    const script = [
      [...call("1", "ask", '{"input": ""}'), used("gpt-5", oneEach)],
      ["End.", used("gpt-5", oneEach)],
    ];
    const run = async (inner: string): Promise<AgentEvent[]> => {
      const ask = agentTool(createAgent({ model: scriptedModel(["In.", used(inner, oneEach)]) }), {
        name: "ask",
        description: "Asks.",
      });
      return collect(createAgent({ model: answers(script), tools: [ask], prices }).stream("Hi"));
    };
    const priced = await run("gpt-5-mini");
    expect(costsOf(priced)).toEqual([11, 110, 110]);
    expect(ofType(priced, "finish")[0]?.state.usage?.cost).toBeCloseTo(231);
    const unpriced = await run("claude-haiku-4-5");
    expect(costsOf(unpriced)).toEqual([undefined, 110, 110]);
    expect(ofType(unpriced, "finish")[0]?.state.usage).toEqual({
      inputTokens: 3 * million,
      outputTokens: 3 * million,
    });
  });

  test("is that of the model that answered, also for a summary and after a fallback", async () => {
    const failing = scriptedModel(() => {
      throw new Error("down");
    });
    const other = { ...scriptedModel(["Hi.", used(undefined, oneEach)]), model: "gpt-5-mini" };
    const writer = { ...scriptedModel(["Short.", used(undefined, oneEach)]), model: "gpt-5" };
    const agent = createAgent({
      model: failing,
      middleware: [summarizeMessages({ model: writer, when: () => true, keep: 1 }), modelFallback(other)],
      prices,
    });
    const events = await collect(
      agent.stream([
        { role: "user", content: "A long message." },
        { role: "assistant", content: "A long answer." },
        { role: "user", content: "Hi" },
      ]),
    );
    expect(ofType(events, "usage").at(-1)?.total.cost).toBeCloseTo(121);
  });

  test("counts answers whose streams broke", async () => {
    const start = used("gpt-5", oneEach) as MessageChunk;
    const model = scriptedModel(async function* ({ index }) {
      await Promise.resolve();
      yield start;
      yield "Hi";
      if (index === 0)
        throw new ModelError("cut", "Cut.", { retryable: true, partial: toAssistantMessage(start) });
    });
    const { state } = await createAgent({ model, prices }).invoke("Hi");
    expect(state.usage).toEqual({ inputTokens: 2 * million, outputTokens: 2 * million, cost: 220 });
  });

  test("comes with the usage of streamObject()", async () => {
    const model = scriptedModel(['{"title": "Tea"}', used("gpt-5", oneEach)]);
    const schema = { type: "object", properties: { title: { type: "string" } } } as const;
    const { usage } = streamObject({ model, schema, prompt: "Tea", prices });
    expect((await usage)?.cost).toBeCloseTo(110);
  });
});
