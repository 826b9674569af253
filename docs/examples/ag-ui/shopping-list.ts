import { z } from "zod";

/** The structured response of the agent, which is the shared state of AG-UI. */
export const shoppingList = z
  .object({ items: z.array(z.object({ name: z.string(), aisle: z.int().nullable() })) })
  .meta({ title: "ShoppingList", description: "The whole list, with the aisle of each item." });

export type ShoppingList = z.output<typeof shoppingList>;
