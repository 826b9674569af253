import { applyPatch } from "fast-json-patch";
import { collect, createAgent } from "millrace";
import { type AgentResponseFormat, toolStrategy, providerStrategy } from "millrace/agent";
import { everyCut, fixedSizes } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call, ofType } from "../../agent/support/script.js";

const order = z
  .object({ to: z.string(), lines: z.array(z.object({ item: z.string(), n: z.int().max(9) })) })
  .meta({ title: "Order" });
const right = '{"to": "Ada \\u00e9", "lines": [{"item": "tea", "n": 2}, {"item": "s\\"c", "n": 9}]}';
const wrong = '{"to": "Ada", "lines": [{"item": "tea", "n": 12}]}';

// G-agent-7
test.each([
  [
    "the call of a tool",
    toolStrategy(order),
    (text: string, cut: readonly string[]) => call(text === wrong ? "1" : "2", "Order", ...cut),
  ],
  ["text", providerStrategy(order), (_: string, cut: readonly string[]) => cut],
])(
  "a response that is %s is the same for all splits of its chunks, and so are its patches",
  async (_, format, script) => {
    const responseFormat: AgentResponseFormat = format;
    for (const pieces of [...everyCut(right), ...fixedSizes(right, [1, 2, 3, 5, 8])]) {
      const first = [...fixedSizes(wrong, [1, 2, 3, 5, 8])][pieces.length % 5] ?? [wrong];
      const model = answers([script(wrong, first), script(right, pieces)]);
      const events = await collect(createAgent({ model, responseFormat }).stream("Go."));
      expect(events.at(-1)).toMatchObject({ structuredResponse: JSON.parse(right) as unknown });
      let value: unknown = null;
      for (const { patch } of ofType(events, "structured_patch")) {
        const below = patch.map((it) => ({ ...it, path: `/value${it.path}` }));
        value = applyPatch({ value }, structuredClone(below) as never, true).newDocument.value;
      }
      expect(value).toEqual(JSON.parse(right));
      expect(ofType(events, "structured_error").length).toBe(1);
    }
  },
);
