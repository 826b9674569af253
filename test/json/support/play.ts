import fc from "fast-check";
import type { JsonPatch, JsonValue } from "millrace";
import { Allow, type JsonParser } from "millrace/json";
import { chunksOf, type Step } from "./cuts.js";
import { defaultAllow } from "./reference.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

/** The results for a user after one chunk, or after the end. */
export interface Moment {
  readonly parser: JsonParser;
  /** The text so far. */
  readonly prefix: string;
  /** After `end()`, where both results are read. */
  readonly ended: boolean;
  /** The result of `takePatch()`, if it was called. */
  readonly patch: JsonPatch | undefined;
  /** `value`, if it was read. */
  readonly live: JsonValue | undefined;
  /** The result of `snapshot()`, which may be `undefined`, if it was called. */
  readonly snapshot: { readonly value: JsonValue | undefined } | undefined;
}

/** Feeds a valid text with the steps. */
export function* play(text: string, steps: readonly Step[], options: InWords): Generator<Moment> {
  const parser = parserOf(options);
  let prefix = "";
  for (const [i, chunk] of chunksOf(text, steps).entries()) {
    parser.write(chunk);
    prefix += chunk;
    yield look(parser, prefix, false, steps[i % steps.length] as Step);
  }
  parser.end();
  yield look(parser, prefix, true, { ...(steps[0] as Step), takePatch: true, snapshot: true });
}

function look(parser: JsonParser, prefix: string, ended: boolean, step: Step): Moment {
  // Each of the three reads may change the state of the parser, so their order varies.
  let snapshot: Moment["snapshot"];
  const live = step.value ? parser.value : undefined;
  if (step.snapshot && step.snapshotFirst) snapshot = { value: parser.snapshot() };
  const patch = step.takePatch ? parser.takePatch() : undefined;
  if (step.snapshot && !step.snapshotFirst) snapshot = { value: parser.snapshot() };
  return { parser, prefix, ended, patch, snapshot, live };
}

/** `append` on and off, and every combination of what `allow` may show. */
export const optionsArbitrary: fc.Arbitrary<{ readonly append: boolean; readonly allow: number }> = fc.record(
  {
    append: fc.boolean(),
    allow: fc.oneof(
      { weight: 2, arbitrary: fc.constant(defaultAllow) },
      { weight: 1, arbitrary: fc.constant(Allow.ALL) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: Allow.ATOM | Allow.COLLECTION }) },
    ),
  },
);

/** Only numbers, literals and keys that are complete. */
export const wholeScalars: fc.Arbitrary<{ readonly append: boolean; readonly allow: number }> = fc.record({
  append: fc.boolean(),
  allow: fc.constantFrom(defaultAllow, defaultAllow, Allow.COLLECTION, Allow.STR | Allow.ARR, Allow.OBJ),
});
