/** A regular expression of a schema. */
export interface Pattern {
  readonly source: string;
  /** `unicode` as JSON Schema asks, `legacy` if only that mode accepts the source, or `none`: everything matches. */
  readonly mode: "unicode" | "legacy" | "none";
  readonly test: (text: string) => boolean;
}

export function patternOf(source: string): Pattern {
  for (const [flags, mode] of [
    ["u", "unicode"],
    ["", "legacy"],
  ] as const) {
    try {
      const expression = new RegExp(source, flags);
      return { source, mode, test: (text) => expression.test(text) };
    } catch {
      // Try the next mode.
    }
  }
  return { source, mode: "none", test: () => true };
}
