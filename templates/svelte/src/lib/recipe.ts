import { z } from "zod";

/** What the model writes. The server checks it while it arrives, and the page takes its types from it. */
export const recipe = z.object({
  title: z.string(),
  minutes: z.int(),
  ingredients: z.array(z.object({ amount: z.string(), item: z.string() })),
  steps: z.array(z.string()),
});
