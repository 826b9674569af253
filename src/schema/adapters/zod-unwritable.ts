import { childPointer } from "../../tree/pointer.js";
import { placeOf } from "../schema.js";
import type { ZodDefinition, ZodSchema } from "./zod-definition.js";

/** The place of a type without JSON Schema in a Zod schema, and the type to write instead. Empty without such a type. */
export function unwritableInZod(root: ZodSchema): string {
  const seen = new Set<unknown>();
  const find = (value: unknown, place: string): string => {
    if (typeof value !== "object" || value === null || seen.has(value)) return "";
    seen.add(value);
    // The output of a pipe needs no JSON Schema: the model writes its input.
    const { type, shape, out: _out, ...parts } = definitionOf(value);
    const instead = insteadOf[type];
    if (instead !== undefined) return `, z.${type}() at ${placeOf(place)}. Write ${instead}`;
    for (const [key, part] of Object.entries(shape ?? {})) {
      const found = find(part, childPointer(place, key));
      if (found !== "") return found;
    }
    return Object.values(parts).reduce<string>((found, part) => found || find(part, place), "");
  };
  try {
    return find(root, "");
  } catch {
    return ""; // a default or a lazy part throws when it is read
  }
}

function definitionOf(value: object): ZodDefinition & { readonly out?: unknown } {
  return (value as Partial<ZodSchema>)._zod?.def ?? (value as ZodDefinition);
}

const insteadOf: Readonly<Record<string, string | undefined>> = {
  date: "z.iso.datetime() or z.iso.date(), with a transform.",
  bigint: "z.int(), with a transform.",
  map: "z.record(), with a transform.",
  set: "z.array(), with a transform.",
};
