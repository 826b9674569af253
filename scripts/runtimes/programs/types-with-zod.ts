/** Types inferred from Zod's schemas. Compiled, and never run. */
import { from, jsonParser, pipe } from "millrace";
import type { DeepPartial } from "millrace/json";
import { z } from "zod";

const parser = jsonParser(
  z.object({
    name: z.string(),
    minutes: z.string().transform(Number),
    steps: z.array(z.object({ text: z.string() })),
  }),
);

/** Partials have the schema's input type. */
export const partials: AsyncIterable<
  DeepPartial<{ name: string; minutes: string; steps: { text: string }[] }>
> = pipe(from(["{}"]), parser.stream);

/** The final value has the schema's output type. */
export const finals: AsyncIterable<{ name: string; minutes: number; steps: { text: string }[] }> = pipe(
  from(["{}"]),
  parser.final,
);

// @ts-expect-error: the transform is applied at the end only
export const minutes: AsyncIterable<{ minutes?: number }> = pipe(from(["{}"]), parser.stream);

/** Elements of an array that are checked by a schema of their own. */
export const texts: AsyncIterable<{ text: string }> = pipe(
  from(["{}"]),
  parser.items("/steps", z.object({ text: z.string() })),
);
