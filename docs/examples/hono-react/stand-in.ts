import { lastQuestion, type StandIn } from "../support/connect.js";

/** One way to make soup of anything. */
export const standIn: StandIn = (request) => {
  const of = /soup of (.*), please/i.exec(lastQuestion(request))?.[1] ?? "leeks";
  const things = of.split(/,| and /).map((thing) => thing.trim());
  const recipe = {
    title: `Soup of ${of}`,
    description:
      `A soup that tastes of ${of} and of little else, which is what makes it good. ` +
      "It wants a small flame, a lid, and nobody in a hurry.",
    minutes: 25 + 5 * things.length,
    ingredients: [
      ...things.map((item) => ({ amount: "400 g", item })),
      { amount: "1", item: "onion, finely chopped" },
      { amount: "2 spoons", item: "olive oil" },
      { amount: "1 l", item: "vegetable stock, hot" },
      { amount: "some", item: "salt and black pepper" },
    ],
    steps: [
      "Sweat the onion in the oil over a small flame until it is soft, without letting it colour.",
      `Cut the ${things.join(", then the ")} small, and add to the pot. Stir for two minutes.`,
      "Pour in the hot stock, put the lid on, and let it simmer until everything is soft.",
      "Blend half of it, stir that back in, and season. Serve with bread.",
    ],
  };
  return { content: JSON.stringify(recipe, null, 1) };
};
