import { MillraceError } from "../../errors.js";

/** One law, and how to find out whether it holds. */
export interface Law {
  /** A sentence, for the name of a test. */
  readonly name: string;
  /** Rejects with a `LawError` if the law is broken. */
  check(): Promise<void>;
}

/** What `operatorLaws()` needs to know of the operator. */
export interface LawOptions<In, Out> {
  /** What the sources give: a few items that make the operator do all that it can do. */
  readonly inputs: readonly In[];
  /** How many items it may pull beyond those that its outputs need: 0, by default. `Infinity` for one that merges what it has. */
  readonly readAhead?: number;
  /**
   * What of the outputs does not depend on the speed of the source and the consumer, nor on how the input is cut: all of
   * them, by default. For one that batches it is `(batches) => batches.flat()`.
   */
  readonly result?: (outputs: readonly Out[]) => unknown;
  /** Other ways to cut the same input, for the law of split-invariance; see `everyWay()`. */
  readonly cut?: (inputs: readonly In[]) => Iterable<readonly In[]>;
  /**
   * The operator is written as an async generator, which cannot be closed while it waits for its source: it is let off
   * that one case. False, by default.
   */
  readonly generator?: boolean;
  /** Lets time pass: a turn of the event loop, by default. With a manual clock, also moves that clock. */
  readonly idle?: () => Promise<void>;
}

/** The law that is broken. */
export type LawErrorCode =
  "lazy" | "closes-once" | "polite" | "honest-errors" | "ends" | "split-invariant" | "abortable" | "reusable";

/** An operator has broken a law. The code says which one, the message how. */
export class LawError extends MillraceError<LawErrorCode> {
  override readonly name: string = "LawError";
}

/** @throws {LawError} unless `holds` */
export function demand(holds: boolean, code: LawErrorCode, sentence: string): asserts holds {
  if (!holds) throw new LawError(code, `Law "${code}" is broken: ${sentence}.`);
}
