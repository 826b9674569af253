import { collect, createAgent, from, pipe, toAssistantMessage, tool, toolCallsParser } from "millrace";
import { type AgentResponseFormat, type ToolError, toolStrategy } from "millrace/agent";
import { type ScriptedModel, scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ofType } from "../support/script.js";

/** The schema strips the other key of each, so it allows these arguments. */
const unclear = [
  { Amount: "5", amount: 6 },
  { AMOUNT: 5, amount: 6 },
  { place: { City: "Oslo", city: "Rome" }, amount: 6 },
];
const schema = z.object({ amount: z.number(), place: z.object({ city: z.string() }).optional() });

function callOf(args: object): ReturnType<typeof toAssistantMessage> {
  return toAssistantMessage({
    content: [{ type: "tool_call_chunk", id: "1", name: "pay", args: JSON.stringify(args) }],
    finishReason: "tool_calls",
  });
}

describe("arguments with two keys for one member", () => {
  test.each(unclear)("run no tool of an agent: %j", async (args) => {
    const ran: unknown[] = [];
    const pay = tool({ name: "pay", schema, run: ({ amount }) => void ran.push(amount) });
    const block = { type: "tool_call", id: "1", name: "pay", args } as const;
    const model = scriptedModel(({ index }) => (index === 0 ? [{ content: [block] }] : ["Done."]));
    const events = await collect(createAgent({ model, tools: [pay] }).stream("Pay."));
    expect(ran).toEqual([]);
    const error = ofType(events, "tool_error")[0]?.error as ToolError;
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("two ways");
  });

  test.each(unclear)("are an error of toolCallsParser(): %j", async (args) => {
    const parser = toolCallsParser({ tools: [{ name: "pay", schema }] });
    await expect(collect(pipe(from([callOf(args)]), parser.final))).rejects.toMatchObject({ code: "schema" });
  });

  test.each(unclear)("are no structured response: %j", async (args) => {
    const Order = schema.meta({ title: "Order" });
    const block = { type: "tool_call", id: "1", name: "Order", args } as const;
    const whole = scriptedModel([{ content: [block] }]);
    const text = scriptedModel([JSON.stringify(args)]);
    const ways: readonly (readonly [ScriptedModel, AgentResponseFormat])[] = [
      [whole, toolStrategy(Order)],
      [text, Order],
    ];
    for (const [model, responseFormat] of ways) {
      for (const failFast of [true, false]) {
        const agent = createAgent({ model, responseFormat, failFast, maxRetries: 0 });
        await expect(agent.invoke("Order.")).rejects.toMatchObject({ code: "invalid_response" });
      }
    }
  });

  test("are read without coercion", async () => {
    const parser = toolCallsParser({ tools: [{ name: "pay", schema }], coerce: false });
    const [calls] = await collect(pipe(from([callOf({ Amount: "5", amount: 6 })]), parser.final));
    expect(calls).toEqual([{ name: "pay", args: { amount: 6 } }]);
  });

  test("are clear if the member came under its own name first", async () => {
    const parser = toolCallsParser({ tools: [{ name: "pay", schema }] });
    const [calls] = await collect(pipe(from([callOf({ amount: 6, Amount: "5" })]), parser.final));
    expect(calls).toEqual([{ name: "pay", args: { amount: 6 } }]);
  });
});
