import type { Usage, UsageDetails } from "../../messages/usage.js";
import { wordsIn } from "../../text/words-in.js";
import { asNumber, asRecord, fieldsOrUndefined, isRecord } from "../loose.js";

/** Where a provider writes each count: names separated by spaces, of which the first number counts; `a.b` is inside `a`. */
export type UsageNames = Readonly<
  Partial<Record<Exclude<keyof Usage, "details"> | keyof UsageDetails, string>>
>;

/**
 * Returns the function that reads the counts of a provider, `undefined` for anything without counts. A total that is
 * missing is the sum of input and output.
 */
export function usageReader(names: UsageNames): (counts: unknown) => Usage | undefined {
  const places = Object.entries(names).map(
    ([name, words]) => [name, wordsIn(words).map((word) => word.split("."))] as const,
  );
  return (counts) => {
    if (!isRecord(counts)) return undefined;
    const found: Record<string, number> = {};
    for (const [name, paths] of places) {
      for (const [outer = "", inner] of paths) {
        const value = counts[outer];
        const count = asNumber(inner === undefined ? value : asRecord(value)[inner]);
        if (count !== undefined) found[name] ??= count;
      }
    }
    const { inputTokens, outputTokens, totalTokens, ...details } = found;
    const known = inputTokens !== undefined && outputTokens !== undefined;
    return fieldsOrUndefined({
      inputTokens,
      outputTokens,
      totalTokens: totalTokens ?? (known ? inputTokens + outputTokens : undefined),
      details: fieldsOrUndefined(details),
    });
  };
}
