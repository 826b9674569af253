/**
 * Where validators differ. The interpreter follows JSON Schema. The guard of another library must accept what any
 * library accepts.
 */
export interface KeywordDialect {
  /** Whether a string has at least this many characters. */
  readonly isLongEnough: (text: string, length: number) => boolean;
  readonly isMultiple: (value: number, step: number) => boolean;
  /** The test of a regular expression. One that is invalid matches everything. */
  readonly matching: (source: string) => (text: string) => boolean;
  /** The tests of formats. Formats without a test are annotations; without tests, a pattern may stand for a format. */
  readonly formats: ReadonlyMap<string, (text: string) => boolean> | undefined;
  /** Whether `nullable: true` allows null, as in OpenAPI. */
  readonly hasNullable: boolean;
}

/** Accepts what any library accepts. */
export const anyLibrary: KeywordDialect = {
  // JSON Schema counts code points, other libraries UTF-16 code units.
  isLongEnough: (text, length) => text.length >= length,
  isMultiple: isNearMultiple,
  // JSON Schema reads patterns with the `u` flag, most libraries without.
  matching: (source) => {
    const readings = readingsOf(source);
    return (text) => readings.length === 0 || readings.some((reading) => reading.test(text));
  },
  formats: undefined,
  hasNullable: true,
};

/** The regular expressions of a pattern: with the `u` flag and without, unless it is invalid so. */
export function readingsOf(source: string): RegExp[] {
  return ["u", ""].flatMap((flags) => {
    try {
      return new RegExp(source, flags);
    } catch {
      return [];
    }
  });
}

/** Libraries round differently (0.3 as a multiple of 0.1), so values close to a multiple pass. */
function isNearMultiple(value: number, step: number): boolean {
  if (!Number.isFinite(value)) return false;
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
}
