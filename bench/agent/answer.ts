/** The structured answer of all cases: its schema, its text, its tokens and the time that a pass takes. */
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

/**
 * Milliseconds of processor time (user and system) of a pass after warm-up: the mean of several passes, or one if it
 * takes seconds. Unlike wall-clock time, it does not depend on other work on the machine.
 */
export async function processorTime(pass: () => Promise<unknown>): Promise<number> {
  const once = async (): Promise<number> => {
    const before = process.cpuUsage();
    await pass();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  for (let spent = 0; spent < warmUp;) spent += await once();
  let [spent, runs] = [0, 0];
  for (; spent < enough; runs++) spent += await once();
  return spent / runs;
}

const warmUp = 3_000;
const enough = 1_000;
