import { MillraceError } from "../../errors.js";

/** A law with its check. */
export interface Law {
  /** A sentence to use as the name of a test. */
  readonly name: string;
  /** Rejects with a `LawError` if the law is broken. */
  check(): Promise<void>;
}

/** The options of `operatorLaws()`. */
export interface LawOptions<In, Out> {
  /** A few items for the sources, chosen so that they exercise everything the operator does. */
  readonly inputs: readonly In[];
  /**
   * How many items the operator may pull beyond those that its outputs need. Default: 0. Use `Infinity` for an operator
   * that merges items.
   */
  readonly readAhead?: number;
  /**
   * Maps the outputs to the part that must not depend on the speed of source and consumer or on the cuts of the input.
   * Default: all outputs. For an operator that batches: `(batches) => batches.flat()`.
   */
  readonly result?: (outputs: readonly Out[]) => unknown;
  /** Returns other ways to cut the same input, for the law of split-invariance: see `everyWay()`. */
  readonly cut?: (inputs: readonly In[]) => Iterable<readonly In[]>;
  /**
   * Set to true for an async generator, which cannot be closed while it waits for its source. The laws skip that case.
   * Default: false.
   */
  readonly generator?: boolean;
  /** Lets time pass. Default: one turn of the event loop. With a manual clock, also advance that clock. */
  readonly idle?: () => Promise<void>;
}

/**
 * The laws, as codes of `LawError`. Of operators: `lazy`, `closes-once`, `polite`, `honest-errors`, `ends`,
 * `split-invariant`, `abortable`, `reusable`. Of journals: `recorded-once`, `at-least-once`, `json-values`, `parallel`,
 * `unique-names`, `limited`, `one-owner`. Of stores of threads: `json-values`, `compare-and-set`, `own-threads`,
 * `listed`, `limited`. Of models: `content`, `cut`, `calls`, `usage`, `finish-reason`, `refusal`,
 * `split-invariant`, `honest-errors`, `limited`, `abortable`, `closes-once`.
 */
export type LawErrorCode =
  | "lazy"
  | "closes-once"
  | "polite"
  | "honest-errors"
  | "ends"
  | "split-invariant"
  | "abortable"
  | "reusable"
  | "recorded-once"
  | "at-least-once"
  | "json-values"
  | "parallel"
  | "unique-names"
  | "limited"
  | "one-owner"
  | "compare-and-set"
  | "own-threads"
  | "listed"
  | "content"
  | "cut"
  | "calls"
  | "usage"
  | "finish-reason"
  | "refusal";

/** An operator, a journal, a store of threads or a model breaks a law. The code names the law, the message says how it is broken. */
export class LawError extends MillraceError<LawErrorCode> {
  override readonly name: string = "LawError";
}

/** @throws {LawError} unless `holds` */
export function demand(holds: boolean, code: LawErrorCode, sentence: string): asserts holds {
  if (!holds) throw new LawError(code, `Law "${code}" is broken: ${sentence}.`);
}

/** Names for what laws use. No other law has used them, also in another run. */
export function lawNames(): () => string {
  const laws = `law-${Date.now().toString(36)}-${Math.floor(Math.random() * 1e6).toString(36)}`;
  let count = 0;
  return () => `${laws}-${++count}`;
}

/** The error of a promise that rejects; `undefined` if it resolves. */
export function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error ?? "nothing",
  );
}
