import { checkObject } from "../../text/check-options.js";
import type { Operator } from "../../stream/operator.js";
import { abortingLaws } from "./laws-of-aborting.js";
import { closingLaws } from "./laws-of-closing.js";
import { contentLaws } from "./laws-of-content.js";
import { pullingLaws } from "./laws-of-pulling.js";
import type { Law, LawOptions } from "./law.js";
import { Trials } from "./trials.js";

/**
 * Returns the laws that every operator of this package keeps, as checks for your own operator. A check runs new
 * operators over sources that record how they are used, at positions before, between and after the items. It rejects
 * with a `LawError` that says which law is broken and how. The checks need no test framework.
 *
 * 1. Lazy: nothing is pulled before the first `next()`, then only the items that the outputs need, plus the read-ahead.
 * 2. Closes once: a `break` at any position calls the source's `return()` once. So does `throw()`.
 * 3. Polite: no `next()` after the end, an error or `return()`, no two at a time, and queued calls are answered in
 *   order.
 * 4. Honest errors: the source's error arrives as the same object, after all items before it.
 * 5. Split-invariant: the result does not depend on how the input is cut (with `cut`).
 * 6. Abortable: with `abortable(signal)` before or after it, an abort ends the stream at once, even if the source
 *   hangs.
 * 7. Ends, and can be used again: the same operator keeps separate states for two sources.
 *
 * @param create creates the operator; called for each trial
 * @param options an input for the operator, and what the operator may do
 *
 * @example
 * ```ts
 * import { map } from "millrace";
 * import { operatorLaws } from "millrace/testing";
 *
 * for (const law of operatorLaws(() => map((n: number) => n * 2), { inputs: [1, 2, 3] })) await law.check();
 * ```
 */
export function operatorLaws<In, Out>(create: () => Operator<In, Out>, options: LawOptions<In, Out>): Law[] {
  checkObject("operatorLaws()", options);
  const trials = new Trials(create, options);
  return [...pullingLaws(trials), ...closingLaws(trials), ...contentLaws(trials), ...abortingLaws(trials)];
}
