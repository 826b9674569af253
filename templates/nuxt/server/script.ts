import { textOf } from "millrace";
import type { ScriptedCall } from "millrace/testing";

/** Writes a recipe at the pace of a model. Delete it once you have a key. */
export async function* script({ messages }: ScriptedCall) {
  const dish = /recipe for (.*)\./.exec(messages.map(textOf).join("\n"))?.[1] ?? "leek soup";
  const recipe = {
    title: `A simple ${dish}`,
    minutes: 35,
    ingredients: [
      { amount: "1", item: "onion, finely chopped" },
      { amount: "2 spoons", item: "olive oil" },
      { amount: "1 l", item: "vegetable stock, hot" },
      { amount: "some", item: "salt and black pepper" },
    ],
    steps: [
      "Sweat the onion in the oil over a small flame until it is soft.",
      `Add what you have for the ${dish}, cut small, and stir for two minutes.`,
      "Pour in the hot stock, and let it simmer until everything is soft.",
      "Season, and serve with bread.",
    ],
  };
  for (const piece of JSON.stringify(recipe).match(/.{1,6}/gs) ?? []) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    yield piece;
  }
}
