import { inputs, type MakeInput } from "../inputs.js";
import { recordedInput } from "./recordings.js";

const recorded = recordedInput();

/** The documents of the suite by name, with the recordings if they are available. */
export const documents: ReadonlyMap<string, MakeInput> = new Map<string, MakeInput>([
  ...Object.entries(inputs),
  ...(recorded === undefined ? [] : [["recordings", recorded] as const]),
]);

export const documentNames: readonly string[] = [...documents.keys()];

/** A document of about `size` KB (1,024 characters). */
export function documentOf(name: string, size: number, seed?: number): string {
  const make = documents.get(name);
  if (make === undefined) throw new Error(`There is no document called ${name}`);
  return make(size * 1024, seed);
}
