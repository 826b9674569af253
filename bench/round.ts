import type { Case, Suite } from "./suite.js";

/**
 * The cases in the order in which a round measures them: those that decide a goal come again with each third of the
 * others, so that one process, or one slow minute of the machine, does not settle it.
 */
export function roundOf(cases: readonly Case[], decisive: Suite["decisive"]): readonly Case[] {
  if (decisive === undefined) return cases;
  const deciding = cases.filter(({ id }) => decisive(id));
  const others = cases.filter(({ id }) => !decisive(id));
  const third = Math.ceil(others.length / 3);
  return [0, 1, 2].flatMap((turn) => [...deciding, ...others.slice(turn * third, (turn + 1) * third)]);
}
