import { z } from "zod";

/** The recipe that the model writes and the page shows. */
export const recipe = z
  .object({
    title: z.string(),
    description: z.string(),
    minutes: z.int().min(1).max(600),
    ingredients: z.array(z.object({ amount: z.string(), item: z.string() })),
    steps: z.array(z.string()),
  })
  .meta({ title: "Recipe" });

export type Recipe = z.output<typeof recipe>;
