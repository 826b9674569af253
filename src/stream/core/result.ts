import { StreamError } from "../errors.js";
import { kindName } from "../../text/kind-name.js";
import { none } from "./ready.js";

/** The result of a pull. Our iterators return no value at their end. */
export type StreamResult<T> = IteratorResult<T, undefined>;

/** Resolves the promise that a call of `next()` returned. */
export type Respond<T> = (result: StreamResult<T> | Promise<StreamResult<T>>) => void;

/**
 * An iterator result made by the engine itself. A promise resolves with such an object at once; in any other object it
 * looks for a `then`.
 */
export function resultOf<T>(value: T): StreamResult<T> {
  return [value].values().next();
}

export function done(): StreamResult<never> {
  return { done: true, value: undefined };
}

/**
 * The item of a result of any source, or `none` at the end.
 *
 * @throws {StreamError} `bad_result` if the result is not an object. Anything else that a getter of the result throws
 */
export function itemOf<T>(result: IteratorResult<T>): T | typeof none {
  if (isObject(result)) return result.done === true ? none : result.value;
  throw new StreamError(
    "bad_result",
    `Expected { done, value } from the next() of a source, but got ${kindName(result)}.`,
  );
}

/** Unlike `Object(value) === value`, it needs no call of the engine. Without it a `filter()` takes 5 % longer. */
function isObject(value: unknown): boolean {
  return typeof value === "object" ? value !== null : typeof value === "function";
}

/** Rejects with `error` once `closing` has settled. A failure of `closing` itself is dropped: `error` came first. */
export function rejectAfter(closing: Promise<unknown>, error: unknown): Promise<never> {
  const rethrow = (): never => {
    throw error;
  };
  return closing.then(rethrow, rethrow);
}

/** A promise, and the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Nobody has to wait for the promise: its rejection does not end the process. */
export function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>["resolve"] = noop;
  let reject: Deferred<T>["reject"] = noop;
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(noop);
  return { promise, resolve, reject };
}

/** For the rejection of a promise that is reported elsewhere, and for listeners that only have to exist. */
export function noop(): void {}

/** Whether `await` would wait for the value. */
export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === "function";
}
