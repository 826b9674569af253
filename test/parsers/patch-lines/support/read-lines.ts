import {
  from,
  type JsonValue,
  OutputParserError,
  patchLines,
  type PatchLineError,
  type PatchLineEvent,
  type PatchLineRepair,
  type PatchLinesOptions,
  pipe,
} from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";

/** Everything that one reading of a text gives. */
export interface LinesReading {
  readonly events: PatchLineEvent[];
  /** The sum of all patches. */
  readonly value: JsonValue | undefined;
  readonly errors: PatchLineError[];
  readonly repairs: PatchLineRepair[];
  /** The error that ended the stream. */
  readonly failure: OutputParserError | undefined;
}

/** Reads chunks as events, with `onLineError`. */
export async function readLines(
  chunks: readonly string[],
  options: PatchLinesOptions = {},
): Promise<LinesReading> {
  const events: PatchLineEvent[] = [];
  const errors: PatchLineError[] = [];
  const repairs: PatchLineRepair[] = [];
  const parser = patchLines({
    onLineError: (error) => errors.push(error),
    onRepair: (repair) => repairs.push(repair),
    ...options,
  });
  let failure: OutputParserError | undefined;
  try {
    for await (const event of pipe(from(chunks), parser.stream)) events.push(event);
  } catch (error) {
    if (!(error instanceof OutputParserError)) throw error;
    failure = error;
  }
  return { events, value: sumOf(events.map(({ patch }) => patch)), errors, repairs, failure };
}

function sumOf(patches: readonly (readonly AnyPatchOperation[])[]): JsonValue | undefined {
  return patches.reduce<JsonValue | undefined>((value, patch) => applyPatch(value, patch), undefined);
}

/** JSON lines. */
export function linesOf(...operations: readonly object[]): string {
  return operations.map((operation) => `${JSON.stringify(operation)}\n`).join("");
}

export function charactersOf(text: string): string[] {
  return Array.from(text);
}
