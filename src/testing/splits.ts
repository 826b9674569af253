/**
 * A piece of a text or of bytes. Strings are cut between UTF-16 units, also within a surrogate pair. Bytes are also cut
 * within a UTF-8 sequence.
 */
export type Piece<T> = T extends string ? string : T extends Uint8Array ? Uint8Array<ArrayBuffer> : never;

/**
 * Yields all ways to cut the input into non-empty pieces: 2^(n-1) ways for a length of n.
 *
 * @throws {RangeError} for a length of more than 20, which has more than half a million ways
 *
 * @example
 * ```ts
 * import { allPartitions } from "millrace/testing";
 *
 * console.log([...allPartitions("abc")]); // [["abc"], ["a", "bc"], ["ab", "c"], ["a", "b", "c"]]
 * ```
 */
export function* allPartitions<T extends string | Uint8Array>(whole: T): Generator<Piece<T>[]> {
  const { length } = whole;
  if (length > 20)
    throw new RangeError(
      `allPartitions() takes a length of at most 20, but got ${length}. Use everyWay() for longer inputs.`,
    );
  // Bit i of `cuts` is set if there is a cut after position i.
  for (let cuts = 0; cuts < 2 ** Math.max(0, length - 1); cuts++) {
    const pieces: Piece<T>[] = [];
    let start = 0;
    for (let at = 1; at <= length; at++) {
      if (at < length && (cuts & (1 << (at - 1))) === 0) continue;
      pieces.push(cutOut(whole, start, at));
      start = at;
    }
    yield pieces;
  }
}

/**
 * Yields all ways to cut the input in two: n+1 ways for a length of n. The first and the last way have an empty piece,
 * because providers send empty chunks.
 *
 * @example
 * ```ts
 * import { everyCut } from "millrace/testing";
 *
 * console.log([...everyCut("ab")]); // [["", "ab"], ["a", "b"], ["ab", ""]]
 * ```
 */
export function* everyCut<T extends string | Uint8Array>(whole: T): Generator<Piece<T>[]> {
  const { length } = whole;
  for (let at = 0; at <= length; at++) yield [cutOut(whole, 0, at), cutOut(whole, at, length)];
}

/**
 * Cuts the input into pieces of equal size, one way for each size. The last piece may be smaller.
 *
 * @throws {RangeError} if a size is not a whole number of 1 or more
 *
 * @example
 * ```ts
 * import { fixedSizes } from "millrace/testing";
 *
 * console.log([...fixedSizes("abc", [1, 2])]); // [["a", "b", "c"], ["ab", "c"]]
 * ```
 */
export function* fixedSizes<T extends string | Uint8Array>(
  whole: T,
  sizes: Iterable<number>,
): Generator<Piece<T>[]> {
  for (const size of sizes) {
    if (!Number.isInteger(size) || size < 1) {
      throw new RangeError(`A size must be a whole number of at least 1, but is ${size}.`);
    }
    const pieces: Piece<T>[] = [];
    for (let at = 0; at < whole.length; at += size) pieces.push(cutOut(whole, at, at + size));
    yield pieces;
  }
}

/**
 * Cuts the input into pieces of random sizes, which depend only on the seed. Some ways have small pieces, others large
 * ones.
 *
 * @example
 * ```ts
 * import { randomPartitions } from "millrace/testing";
 *
 * for (const chunks of randomPartitions("millrace", { seed: 1, count: 3 })) console.log(chunks.join("") === "millrace");
 * ```
 */
export function* randomPartitions<T extends string | Uint8Array>(
  whole: T,
  { seed = 1, count = 100 }: RandomOptions = {},
): Generator<Piece<T>[]> {
  const random = generator(seed);
  for (let way = 0; way < count; way++) {
    const largest = 1 + Math.floor(random() ** 2 * whole.length);
    const pieces: Piece<T>[] = [];
    for (let start = 0, at = 0; start < whole.length; start = at) {
      at = start + 1 + Math.floor(random() * largest);
      pieces.push(cutOut(whole, start, at));
    }
    yield pieces;
  }
}

/** The options of `randomPartitions()`. */
export interface RandomOptions {
  /** 1, by default. */
  readonly seed?: number;
  /** How many ways: 100, by default. */
  readonly count?: number;
}

/**
 * Yields as many ways to cut the input as its length allows: all ways up to a length of 12; up to 512 every cut in two,
 * every fixed size and 100 random ways; beyond that 100 random ways and the fixed sizes that most often reveal bugs.
 *
 * @example
 * ```ts
 * import { everyWay } from "millrace/testing";
 *
 * for (const chunks of everyWay("[1,20]")) if (JSON.parse(chunks.join("")).length !== 2) throw new Error("cut wrong");
 * ```
 */
export function* everyWay<T extends string | Uint8Array>(
  whole: T,
  { seed = 1, count = 100 }: RandomOptions = {},
): Generator<Piece<T>[]> {
  const { length } = whole;
  if (length <= 12) {
    yield* allPartitions(whole);
    return;
  }
  if (length <= 512) {
    yield* everyCut(whole);
    yield* fixedSizes(whole, upTo(Math.ceil(length / 2) - 1)); // larger sizes cut in two
    yield [whole.slice(0) as Piece<T>];
  } else yield* fixedSizes(whole, [1, 2, 3, 4, 5, 7, 8, 13, 16, 64, 256, length]);
  yield* randomPartitions(whole, { seed, count });
}

function* upTo(n: number): Generator<number> {
  for (let i = 1; i <= n; i++) yield i;
}

function cutOut<T extends string | Uint8Array>(whole: T, start: number, end: number): Piece<T> {
  return whole.slice(start, end) as Piece<T>;
}

/**
 * Returns a generator of numbers from 0 to 1 that depend only on the seed: xorshift32 (G. Marsaglia, "Xorshift RNGs",
 * 2003).
 */
function generator(seed: number): () => number {
  let bits = Math.imul(seed, 0x9e3779b1) || 1; // never 0, and different for neighbouring seeds
  return () => {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    return (bits >>> 0) / 2 ** 32;
  };
}
