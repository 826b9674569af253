/** Milliseconds between chunks, from the slowest to the fastest. */
export const speeds: readonly number[] = [1000, 500, 250, 100, 50, 25, 10, 5, 0];

/** About the speed of a fast model. */
export const usualSpeed = 25;

export function speedText(interval: number): string {
  if (interval === 0) return "as it comes";
  const each = 1000 / interval;
  return `${each} chunk${each === 1 ? "" : "s"}/s`;
}
