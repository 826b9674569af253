/** A source of numbers in [0, 1). */
export type Random = () => number;

/** Reproducible random numbers: xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
export function randomOf(seed: number): Random {
  let state = seed | 0 || 1; // 0 would stay 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function int(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

export function pick<T>(random: Random, from: ArrayLike<T>): T {
  return from[int(random, 0, from.length - 1)] as T;
}

export function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}
