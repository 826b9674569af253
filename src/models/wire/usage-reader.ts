import type { Usage, UsageDetails } from "../../messages/usage.js";
import { wordsIn } from "../../text/words-in.js";
import { asNumber, asRecord, fieldsOrUndefined, isRecord } from "../loose.js";

/**
 * Returns the function that reads the counts of a provider, `undefined` for anything without counts. A total that is
 * missing is the sum of input and output.
 *
 * @param names where each count may be, separated by spaces: the first number counts; `a.b` is inside `a`
 */
export function usageReader(
  names: Readonly<Partial<Record<Exclude<keyof Usage, "details"> | keyof UsageDetails, string>>>,
): (counts: unknown) => Usage | undefined {
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
