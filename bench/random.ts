/** Numbers in [0, 1) that are the same for the same seed: xorshift32, as in Marsaglia, "Xorshift RNGs", 2003. */
export function randomOf(seed: number): () => number {
  let state = seed | 0 || 1; // the one state from which it never moves is 0
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
