import { kindName } from "../../text/kind-name.js";
import { fromIterable } from "./from-iterable.js";
import { fromPromise } from "./from-promise.js";
import { fromReadableStream } from "./from-readable-stream.js";

/**
 * Creates a source from one of these:
 *
 * - a `Response`: yields the bytes of its body as they arrive, none if the body is null. The status is not checked.
 * - a web `ReadableStream`: locked by the first `next()`, cancelled by an early `break`, unlocked at the end.
 * - an async iterable, such as the stream of an official SDK, a Node stream or an Ix iterable: returned unchanged.
 * - an iterable, such as an array or a generator. Items that are promises are awaited. A string is an iterable of its
 *   characters, as in `for … of`: for a single chunk write `from([text])`.
 * - a promise of one of these: awaited by the first `next()`, which rejects if the promise does.
 *
 * Nothing is read before the first `next()`. An early `break` closes the source once.
 *
 * @throws {TypeError} for any other input, and for a Response whose body was already read; from the stream if `input`
 *   is a promise
 *
 * @example
 * ```ts
 * import { collect, from } from "millrace";
 *
 * const chunks = await collect(from(new Response("mill")));
 * console.log(chunks.map((bytes) => new TextDecoder().decode(bytes)).join("")); // "mill"
 * ```
 */
export function from(input: Response | PromiseLike<Response>): AsyncIterable<Uint8Array<ArrayBuffer>>;
export function from<T>(input: StreamInput<T> | PromiseLike<StreamInput<T>>): AsyncIterable<T>;
export function from(input: unknown): AsyncIterable<unknown> {
  const candidate = Object(input) as AnySource;
  if (typeof candidate.getReader === "function") return fromReadableStream(input as ReadableStream<unknown>);
  if (typeof candidate[Symbol.asyncIterator] === "function") return input as AsyncIterable<unknown>;
  if (typeof candidate[Symbol.iterator] === "function") return fromIterable(input as Iterable<unknown>);
  if (typeof candidate.then === "function")
    return fromPromise(input as PromiseLike<StreamInput<unknown>>, from);
  // Not by instanceof: a Response may come from another realm or from a package.
  if (typeof candidate.arrayBuffer === "function" && "body" in candidate) {
    if (candidate.bodyUsed === true)
      throw new TypeError("The body of this Response was already read. Pass a Response with an unread body.");
    return candidate.body === null ? fromIterable([]) : from(candidate.body as StreamInput<unknown>);
  }
  throw new TypeError(
    "from() takes a Response, a ReadableStream, an iterable, an async iterable, or a promise of one, " +
      `but got ${kindName(input)}.`,
  );
}

/** The inputs of `from()`, besides a `Response` and a promise. */
export type StreamInput<T> = AsyncIterable<T> | ReadableStream<T> | Iterable<T | PromiseLike<T>>;

interface AnySource {
  readonly getReader?: unknown;
  readonly [Symbol.asyncIterator]?: unknown;
  readonly [Symbol.iterator]?: unknown;
  readonly then?: unknown;
  readonly arrayBuffer?: unknown;
  readonly body?: unknown;
  readonly bodyUsed?: unknown;
}
