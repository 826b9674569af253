/** The structured answer of all cases: its schema, its text and its tokens. */
import type { AgentEvent } from "millrace";
import { z } from "zod";
import { blocks } from "../chunks.js";
import { inputs } from "../inputs.js";
import { keep } from "../reading.js";

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

/** An answer in tokens of four characters. */
export function tokensOf(kilobytes: number): string[] {
  return blocks(answerOf(kilobytes), 4);
}

/** Reads all events of a run and returns its structured response. */
export async function responseIn(events: AsyncIterable<AgentEvent>): Promise<unknown> {
  let response: unknown;
  for await (const event of events) {
    keep(event);
    if (event.type === "structured") response = event.value;
  }
  if (response === undefined) throw new Error("The run has ended without its structured response");
  return response;
}
