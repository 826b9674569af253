/** The structured answer that all write: its schema, its text, and the pieces in which a model writes it. */
import { z } from "zod";
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";

/** Records, of which the answer has as many as it takes. */
export const schema = z
  .object({
    contacts: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        email: z.string(),
        age: z.number().int().min(0).max(150),
        active: z.boolean(),
        address: z.object({ street: z.string(), city: z.string(), zip: z.string().nullable() }),
        tags: z.array(z.string()),
      }),
    ),
  })
  .meta({ title: "Contacts" });

export function answerOf(kilobytes: number): string {
  return inputs.contacts(kilobytes * 1024);
}

/** Tokens, of four characters each. */
export function tokensOf(answer: string): string[] {
  return blocks(answer, 4);
}
