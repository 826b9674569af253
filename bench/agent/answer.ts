/** The structured answer of all cases: its schema, its text and its tokens. */
import { z } from "zod";
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";

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

/** Cuts the answer into tokens of four characters. */
export function tokensOf(answer: string): string[] {
  return blocks(answer, 4);
}
