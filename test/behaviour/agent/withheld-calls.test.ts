import { createAgent, textOf, tool } from "millrace";
import { type AgentResponseFormat, promptStrategy } from "millrace/agent";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ChatModel } from "millrace";
import { answers } from "../../agent/support/script.js";
import { providerWires } from "../../models/support/wires.js";
import { responseOf } from "../../support/provider-events.js";

/** The texts of a run whose model may call `pay`, and how often that has run. */
async function runOf(
  model: ChatModel,
  responseFormat?: AgentResponseFormat,
): Promise<{ readonly paid: number; readonly texts: string[] }> {
  let paid = 0;
  const pay = tool({
    name: "pay",
    description: "Pays",
    schema: { type: "object" },
    run: () => `paid ${++paid}`,
  });
  const { state } = await createAgent({
    model,
    tools: [pay],
    ...(responseFormat && { responseFormat }),
  }).invoke("Hi");
  return { paid, texts: state.messages.map(textOf) };
}

const stops: Readonly<Record<string, string>> = { Gemini: "SAFETY", Anthropic: "refusal" };

test.each(providerWires)(
  "$name: an answer that the content filter ends runs no tool that has not started",
  async ({ name, wire, model }) => {
    const start = wire.start?.() ?? [];
    const call = wire.call?.({ id: "c1", name: "pay", args: ["{", "}"] }, 1) ?? [];
    const bodies = [
      [...start, ...wire.text(["Well"], 0), ...call, ...wire.end(stops[name] ?? "content_filter")],
      [...start, ...wire.text(["Sorry."], 0), ...wire.end(wire.reasons?.stop ?? "stop")],
    ];
    const { paid, texts } = await runOf(model(async () => responseOf(bodies.shift() ?? [])));
    expect(paid).toBe(0);
    expect(texts).toEqual(["Hi", "Well", expect.stringContaining("content filter"), "Sorry."]);
  },
);

test.each(providerWires)(
  "$name: an answer that the token limit ends runs no tool that has not started",
  async ({ wire, model }) => {
    for (const args of [[], ["{", "}"]]) {
      const call = wire.call?.({ id: "c1", name: "pay", args }, 1) ?? [];
      const pieces = [...call, ...wire.end(wire.reasons?.length ?? "length")];
      const whole = new Uint8Array(Buffer.concat([...(wire.start?.() ?? []), ...pieces]));
      const bodies = [[whole], [...(wire.start?.() ?? []), ...wire.text(["Done."], 0), ...wire.end("stop")]];
      const { paid, texts } = await runOf(model(async () => responseOf(bodies.shift() ?? [])));
      expect(paid).toBe(0);
      expect(texts).toEqual(["Hi", "", expect.stringContaining("token limit"), "Done."]);
    }
  },
);

test("an answer of a model of one's own that ends with an error runs no tool, either", async () => {
  const call = { type: "tool_call_chunk", index: 0, id: "c1", name: "pay", args: "{}" } as const;
  const model = answers([[{ content: [call], finishReason: "error" }], ["Sorry."]]);
  const { paid, texts } = await runOf(model);
  expect(paid).toBe(0);
  expect(texts).toEqual(["Hi", "", expect.stringContaining("ended with an error"), "Sorry."]);
});

test("an answer that is stopped for its response runs no tool whose arguments have not begun", async () => {
  const block = { type: "tool_call_chunk", index: 0 } as const;
  const call = { content: [{ ...block, id: "c1", name: "pay" }] };
  const rest = { content: [{ ...block, args: '{"x": 1}' }] };
  const model = answers([[call, '{"ok": {"a"', rest], ['{"ok": true}']]);
  const { paid, texts } = await runOf(model, promptStrategy(z.object({ ok: z.boolean() })));
  expect(paid).toBe(0);
  expect(texts).toContainEqual(expect.stringContaining("was stopped before the call was complete"));
});

test("an answer that ends for an unknown reason runs its tool", async () => {
  const call = { type: "tool_call_chunk", index: 0, id: "c1", name: "pay", args: '{"input": ""}' } as const;
  const finishReason = "toString" as "stop";
  const { paid } = await runOf(answers([[{ content: [call], finishReason }], ["Done."]]));
  expect(paid).toBe(1);
});
