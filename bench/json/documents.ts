import { inputs, type MakeInput } from "../inputs.js";
import { recordedInput } from "./recordings.js";

const recorded = recordedInput();

/** What the suite parses, by name: with the recordings, where they are. */
export const documents: ReadonlyMap<string, MakeInput> = new Map<string, MakeInput>([
  ...Object.entries(inputs),
  ...(recorded === undefined ? [] : [["recordings", recorded] as const]),
]);

export const documentNames: readonly string[] = [...documents.keys()];

/** A document of about so many KB (1,024 characters). */
export function documentOf(name: string, size: number, seed?: number): string {
  const make = documents.get(name);
  if (make === undefined) throw new Error(`There is no document called ${name}`);
  return make(size * 1024, seed);
}
