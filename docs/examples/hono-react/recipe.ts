import { z } from "zod";

/** What the model is asked for, and what the page shows. */
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
