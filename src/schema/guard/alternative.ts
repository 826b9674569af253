import { anyKind } from "../values.js";
import type { SchemaNode } from "../interpreter/schema-node.js";
import type { Rules } from "./rules.js";

/** One branch of a schema: a value matches if all of these rules hold. A schema is a list of alternatives. */
export interface Alternative {
  /** Equal for alternatives of the same rules. */
  readonly id: string;
  readonly rules: readonly Rules[];
  /** The kinds of value allowed, as flags of `Kind`. */
  readonly kinds: number;
  /** Withhold the value until it is complete. */
  readonly whole: boolean;
  /** Withhold scalars until they are complete. */
  readonly wholeScalars: boolean;
  /** The schemas that the interpreter checks when the value is complete. */
  readonly interpreted: readonly SchemaNode[];
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
    interpreted: rules.flatMap(({ interpreted }) => interpreted ?? []),
  };
}

export const anything: Alternative = alternativeOf([]);

/**
 * How many alternatives a value may have. Combinations of unions multiply them. Beyond this number the guard checks
 * less and leaves the rest to the final check.
 */
const MAX_ALTERNATIVES = 100;

/** Whether `both()` leaves out the rules of the second list. */
export function exceeds(left: readonly Alternative[], right: readonly Alternative[]): boolean {
  return left.length * right.length > MAX_ALTERNATIVES;
}

export function ofKind(list: readonly Alternative[], kind: number): readonly Alternative[] {
  return list.filter(({ kinds }) => (kinds & kind) !== 0);
}

/** The alternatives of values that match both lists. */
export function both(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
  if (exceeds(left, right)) return left;
  return distinct(
    left.flatMap((a) => right.map((b) => (a === anything ? b : b === anything ? a : join(a, b)))),
  );
}

/** The alternatives of values that match any of the lists. */
export function either(lists: readonly (readonly Alternative[])[]): readonly Alternative[] {
  const all = distinct(lists.flat());
  return all.length > MAX_ALTERNATIVES ? [anything] : all;
}

function join(a: Alternative, b: Alternative): Alternative {
  const rules = new Set([...a.rules, ...b.rules]);
  return alternativeOf([...rules].sort((one, other) => one.id - other.id));
}

function distinct(list: readonly Alternative[]): readonly Alternative[] {
  return [...new Map(list.map((alternative) => [alternative.id, alternative])).values()];
}
