import { parsePointer } from "../../tree/pointer.js";
import type { HelpSection } from "../terminal/help.js";
import { UsageError } from "../terminal/usage-error.js";

/** The form of the output lines. */
export type OutputMode =
  | { readonly kind: "patches"; readonly append: boolean }
  | { readonly kind: "snapshots" }
  | { readonly kind: "items"; readonly pointer: string }
  | { readonly kind: "final" };

/** The options that select the {@link OutputMode}, for `parseArguments()`. */
export const outputOptions = {
  patches: { type: "boolean" },
  append: { type: "boolean" },
  snapshots: { type: "boolean" },
  items: { type: "string" },
  final: { type: "boolean" },
} as const;

export interface OutputValues {
  readonly patches?: boolean | undefined;
  readonly append?: boolean | undefined;
  readonly snapshots?: boolean | undefined;
  readonly items?: string | undefined;
  readonly final?: boolean | undefined;
}

export const outputHelp: HelpSection = {
  heading: "Output",
  note: "one JSON document per line (NDJSON), written as soon as it is known",
  rows: [
    ["--patches", "JSON Patches (RFC 6902), one array of operations per line; the default"],
    [
      "--append",
      'the same, but send only the new end of a growing string, as {"op": "append", "value": suffix}; not part of RFC 6902',
    ],
    ["--snapshots", "the whole value so far, after each change"],
    [
      "--items POINTER",
      'each element of the array at the JSON Pointer (RFC 6901), once it is complete; "" is the root',
    ],
    ["--final", "only the complete value, at the end"],
  ],
};

/**
 * @returns `undefined` if no option selects a form of output
 * @throws {UsageError} if several forms are selected, or the pointer of `--items` is not a JSON Pointer
 */
export function outputMode(values: OutputValues): OutputMode | undefined {
  const { patches, append, snapshots, items, final } = values;
  const chosen = [
    patches === true ? "--patches" : append === true && "--append",
    snapshots === true && "--snapshots",
    items !== undefined && "--items",
    final === true && "--final",
  ].filter((name) => name !== false);
  if (chosen.length > 1) {
    throw new UsageError(`${chosen.join(" and ")} cannot be combined. Choose one form of output.`);
  }
  if (snapshots === true) return { kind: "snapshots" };
  if (items !== undefined) return { kind: "items", pointer: checkedPointer(items) };
  if (final === true) return { kind: "final" };
  return chosen.length === 0 ? undefined : { kind: "patches", append: append === true };
}

function checkedPointer(pointer: string): string {
  try {
    parsePointer(pointer);
  } catch (cause) {
    const hint = pointer.startsWith("/") ? "" : ` Did you mean ${JSON.stringify(`/${pointer}`)}?`;
    throw new UsageError(`--items: ${(cause as Error).message}${hint}`, { cause });
  }
  return pointer;
}
