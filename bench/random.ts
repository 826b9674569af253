/** Reproducible random numbers in [0, 1): xorshift32 (Marsaglia, "Xorshift RNGs", 2003). */
export function randomOf(seed: number): () => number {
  let state = seed | 0 || 1; // 0 would stay 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
