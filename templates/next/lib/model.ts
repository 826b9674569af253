import { type ChatModel, textOf } from "millrace";
import { type ScriptedCall, scriptedModel } from "millrace/testing";

const { MODEL, OPENAI_API_KEY } = process.env;

/**
 * With a key, a real model: gpt-6.1-terra, or the one that MODEL names, such as "anthropic:claude-sonnet-5-5". Without, a
 * script that writes at the pace of a model.
 */
export const model: ChatModel | string =
  MODEL || (OPENAI_API_KEY ? "openai:gpt-6.1-terra" : scriptedModel(recipeFor));

async function* recipeFor({ messages }: ScriptedCall) {
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
