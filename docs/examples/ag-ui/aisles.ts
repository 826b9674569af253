import { tool } from "millrace";
import { z } from "zod";

const plan: ReadonlyMap<RegExp, number> = new Map([
  [/flour|yeast|sugar|salt/, 1],
  [/milk|butter|cheese|egg/, 2],
  [/lemon|apple|potato|leek/, 3],
]);

/** The aisles of the shop. */
export const aisles = tool({
  name: "aisles",
  description: "The numbers of the aisles in which items stand; null for what the shop does not have.",
  schema: z.object({ items: z.array(z.string()).max(50) }),
  run: ({ items }) => Object.fromEntries(items.map((item) => [item, aisleOf(item)])),
});

function aisleOf(item: string): number | null {
  for (const [what, aisle] of plan) if (what.test(item.toLowerCase())) return aisle;
  return null;
}
