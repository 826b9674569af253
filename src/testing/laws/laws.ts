import type { Operator } from "../../stream/operator.js";
import { abortingLaws } from "./laws-of-aborting.js";
import { closingLaws } from "./laws-of-closing.js";
import { contentLaws } from "./laws-of-content.js";
import { pullingLaws } from "./laws-of-pulling.js";
import type { Law, LawOptions } from "./law.js";
import { Trials } from "./trials.js";

/**
 * The laws that every operator of this package keeps, as checks for an operator of yours. Each check runs fresh
 * operators over sources that write down what is done to them, at positions before, between and after the items, and
 * rejects with a `LawError`, whose message says which law was broken and how. They need no test framework.
 *
 * 1. Lazy: nothing is pulled before the first `next()`, then what the outputs need, and the read-ahead.
 * 2. Closes once: a break, at any position, calls the source's `return()` once. So does `throw()`.
 * 3. Polite: no `next()` after the end, an error or `return()`; no two at a time; callers in line are served in order.
 * 4. Honest errors: the source's error arrives as the same object, after all that came before it.
 * 5. Split-invariant: the result does not depend on how the input was cut (with `cut`).
 * 6. Abortable: behind and in front of `abortable(signal)` an abort ends the stream at once, also if the source hangs.
 * 7. Ends, and can be used again: the same operator on two sources has two states.
 *
 * @param create makes the operator; called for each trial
 * @param options an input for it, and what it is allowed
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
  const trials = new Trials(create, options);
  return [...pullingLaws(trials), ...closingLaws(trials), ...contentLaws(trials), ...abortingLaws(trials)];
}
