/**
 * Ways to cut a text, or bytes, into chunks. The pieces of each add up to the whole. A string is cut between UTF-16
 * units, also within a surrogate pair; bytes also within a UTF-8 sequence.
 */
export type Piece<T> = T extends string ? string : T extends Uint8Array ? Uint8Array<ArrayBuffer> : never;

/**
 * Every way to cut into pieces of at least one character or byte: 2^(n-1) of them for a length of n.
 *
 * @throws {RangeError} for more than 20: those are over half a million ways
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
    throw new RangeError(`allPartitions() is for a length of at most 20, but this is ${length}.`);
  // Bit i says whether there is a cut behind position i.
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
 * Two pieces, cut at each place: n+1 ways for a length of n, as the first and the last have an empty piece. Providers
 * do send empty chunks.
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
 * Pieces of the same size, the last one maybe smaller: one way for each size.
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
 * Pieces of random sizes, the same for the same seed. Small pieces in one way, large ones in another.
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
 * As many ways as the length allows: all of them up to 12; up to 512 every cut in two, every fixed size, and 100 at
 * random; for more 100 at random, and the sizes that are likeliest to hurt.
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
    yield* fixedSizes(whole, upTo(length));
  } else yield* fixedSizes(whole, [1, 2, 3, 4, 5, 7, 8, 13, 16, 64, 256, length]);
  yield* randomPartitions(whole, { seed, count });
}

function* upTo(n: number): Generator<number> {
  for (let i = 1; i <= n; i++) yield i;
}

function cutOut<T extends string | Uint8Array>(whole: T, start: number, end: number): Piece<T> {
  return whole.slice(start, end) as Piece<T>;
}

/** Numbers from 0 to 1, the same for the same seed: xorshift32 (G. Marsaglia, "Xorshift RNGs", 2003). */
function generator(seed: number): () => number {
  let bits = Math.imul(seed, 0x9e3779b1) || 1; // never 0, and far apart for seeds that are close
  return () => {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    return (bits >>> 0) / 2 ** 32;
  };
}
