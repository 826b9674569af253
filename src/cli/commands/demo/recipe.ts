import type { JsonObject } from "../../../json/value.js";

export const recipePrompt = "Write a recipe for a lemon and pea risotto for four.";

/** A JSON Schema for OpenAI's strict mode, which requires every property to be listed and no others to be allowed. */
export const recipeSchema: JsonObject = {
  title: "Recipe",
  type: "object",
  additionalProperties: false,
  required: ["title", "description", "servings", "vegetarian", "minutes", "ingredients", "steps", "tip"],
  properties: {
    title: { type: "string" },
    description: { type: "string", description: "What makes it good, in two sentences." },
    servings: { type: "integer", minimum: 1 },
    vegetarian: { type: "boolean" },
    minutes: {
      type: "object",
      additionalProperties: false,
      required: ["preparation", "cooking"],
      properties: { preparation: { type: "number" }, cooking: { type: "number" } },
    },
    ingredients: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["amount", "unit", "item"],
        properties: {
          amount: { type: ["number", "null"] },
          unit: { type: ["string", "null"] },
          item: { type: "string" },
        },
      },
    },
    steps: { type: "array", items: { type: "string" } },
    tip: { type: ["string", "null"] },
  },
};

/** The mock server's answer, with white space as models write it. */
export const recipeText = `{
  "title": "Lemon and Pea Risotto",
  "description": "Creamy without any cream: the rice does the work, a spoonful of stock at a time. Lemon zest and sweet peas, stirred in at the very end, keep it bright.",
  "servings": 4,
  "vegetarian": true,
  "minutes": { "preparation": 10, "cooking": 25 },
  "ingredients": [
    { "amount": 320, "unit": "g", "item": "carnaroli or arborio rice" },
    { "amount": 1.2, "unit": "l", "item": "vegetable stock, kept hot" },
    { "amount": 200, "unit": "g", "item": "peas, fresh or frozen" },
    { "amount": 2, "unit": null, "item": "shallots, finely chopped" },
    { "amount": 120, "unit": "ml", "item": "dry white wine" },
    { "amount": 60, "unit": "g", "item": "Parmigiano or a vegetarian hard cheese, grated" },
    { "amount": 1, "unit": null, "item": "unwaxed lemon, zest and juice" },
    { "amount": null, "unit": null, "item": "olive oil, salt and black pepper" }
  ],
  "steps": [
    "Sweat the shallots in olive oil over a low heat until soft and translucent, without letting them colour.",
    "Stir in the rice and toast it for two minutes, until the grains are hot to the touch and glassy at the edges.",
    "Pour in the wine. When it has gone, add the stock a ladle at a time, stirring, and wait each time until the rice has drunk it.",
    "After about sixteen minutes, add the peas with the last of the stock and cook until the rice is tender with a little bite.",
    "Off the heat, beat in the cheese, the lemon zest and half of the juice. Cover, rest for two minutes, and serve at once."
  ],
  "tip": "It should run slowly across the plate, \\u201call\\u2019onda\\u201d. If it stands up by itself, loosen it with a splash of stock."
}`;
