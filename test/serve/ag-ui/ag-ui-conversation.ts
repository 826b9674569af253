import { createAgent, type Agent, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import type { ScriptItem } from "millrace/testing";
import { z } from "zod";
import { answers, call } from "../../agent/support/script.js";

export const recipe = z
  .object({ title: z.string(), steps: z.array(z.string()), minutes: z.int().max(60).default(5) })
  .meta({ title: "Recipe" });

const reasoning = (text: string): ScriptItem => ({ content: [{ type: "reasoning", reasoning: text }] });

/** Text, reasoning, two parallel tool calls, and a structured response that is invalid at first. */
const conversation: readonly (readonly ScriptItem[])[] = [
  [
    reasoning("I should "),
    reasoning("look."),
    "Let me ",
    "look.",
    ...call("1", "stock", '{"tea": ', '"green"}'),
    ...call("2", "kettle", '{"litres": 1}'),
  ],
  [
    "Now the recipe.",
    ...call("3", "Recipe", '{"title": "Te', 'a", "steps": ["bo', 'il"], "minutes": 90, "x', '": 1}'),
  ],
  [...call("4", "Recipe", '{"title": "T', 'ea", "steps": ["bo', 'il", "po', 'ur"]}')],
];

const stock = tool({
  name: "stock",
  schema: z.object({ tea: z.string() }),
  async *run({ tea }) {
    yield { looking: 0.5 };
    return { tea, tins: 3 };
  },
});

const kettle = tool({
  name: "kettle",
  schema: z.object({ litres: z.number() }),
  run: () => {
    throw new Error("The kettle is empty.");
  },
});

export function recipeAgent(append: boolean): Agent {
  return createAgent({
    model: answers(conversation),
    tools: [stock, kettle],
    responseFormat: toolStrategy(recipe),
    append,
  });
}

/** Returns ids that count from 1. */
export function counter(prefix = "id"): () => string {
  let number = 0;
  return () => `${prefix}-${++number}`;
}
