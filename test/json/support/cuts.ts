import fc from "fast-check";

/** The length of one chunk, and the reads of the parser after it. */
export interface Step {
  readonly size: number;
  readonly takePatch: boolean;
  readonly snapshot: boolean;
  readonly value: boolean;
  /** Whether the snapshot is read before the patch. */
  readonly snapshotFirst: boolean;
}

/**
 * A way to feed a text and to read the results. It is repeated to the end of the text. Some read always, some rarely,
 * and some never read one of the three results.
 */
export const stepsArbitrary: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom(1, 3, 8, 40),
    fc.constantFrom(0, 0.1, 0.5, 1),
    fc.constantFrom(0, 0.1, 0.5, 1),
    fc.constantFrom(0, 0.1, 0.5),
  )
  .chain(([maxSize, takes, snapshots, values]) =>
    fc.array(
      fc.record({
        // Empty chunks, because providers send them.
        size: fc.integer({ min: maxSize === 1 ? 1 : 0, max: maxSize }),
        takePatch: often(takes),
        snapshot: often(snapshots),
        value: often(values),
        snapshotFirst: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  )
  .filter((steps) => steps.some(({ size }) => size > 0));

/** Splits the text by the lengths of the steps. */
export function chunksOf(text: string, steps: readonly Step[]): string[] {
  const chunks: string[] = [];
  for (let i = 0, start = 0; start < text.length; i++) {
    const { size } = steps[i % steps.length] as Step;
    chunks.push(text.slice(start, start + size));
    start += size;
  }
  return chunks;
}

function often(probability: number): fc.Arbitrary<boolean> {
  if (probability === 0 || probability === 1) return fc.constant(probability === 1);
  return fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x < probability);
}
