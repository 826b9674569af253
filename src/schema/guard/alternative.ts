import { anyKind, type Rules } from "./rules.js";

/** One way for a value to be right: every one of these rules holds. A schema is a list of such ways. */
export interface Alternative {
  /** Equal for alternatives of the same rules. */
  readonly id: string;
  readonly rules: readonly Rules[];
  /** What the value may be, as flags of `Kind`. */
  readonly kinds: number;
  /** Show nothing of the value before it is complete; or nothing of it if it is a scalar. */
  readonly whole: boolean;
  readonly wholeScalars: boolean;
}

export function alternativeOf(rules: readonly Rules[]): Alternative {
  return {
    id: rules.map(({ id }) => id).join(","),
    rules,
    kinds: rules.reduce((kinds, each) => kinds & each.kinds, anyKind),
    whole: rules.some(({ whole }) => whole),
    wholeScalars: rules.some(
      ({ whole, options, format }) => whole || options !== undefined || format !== undefined,
    ),
  };
}

/** No rule at all: any value is right. */
export const anything: Alternative = alternativeOf([]);

/**
 * How many alternatives a value may have. Past it the guard says less rather than work more: what would multiply them is
 * left to the final check.
 */
const MAX_ALTERNATIVES = 100;

/** Values that are right by one of each list. */
export function both(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
  if (left.length * right.length > MAX_ALTERNATIVES) return left;
  return distinct(
    left.flatMap((a) => right.map((b) => (a === anything ? b : b === anything ? a : join(a, b)))),
  );
}

/** Values that are right by one of any of the lists. */
export function either(lists: readonly (readonly Alternative[])[]): readonly Alternative[] {
  const all = distinct(lists.flat());
  return all.length > MAX_ALTERNATIVES ? [anything] : all;
}

function join(a: Alternative, b: Alternative): Alternative {
  const rules = new Set([...a.rules, ...b.rules]);
  return alternativeOf([...rules].sort((one, other) => one.id - other.id));
}

function distinct(list: readonly Alternative[]): readonly Alternative[] {
  if (list.length < 2) return list;
  return [...new Map(list.map((alternative) => [alternative.id, alternative])).values()];
}
