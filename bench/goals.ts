import type { Figure, Result } from "./figures.js";

/** A target, and optionally one beyond it. */
export interface Goal {
  readonly sign: "≥" | "≤" | "<";
  readonly target: number;
  readonly beyond?: number | undefined;
}

export function atLeast(target: number, beyond?: number): Goal {
  return { sign: "≥", target, beyond };
}

export function atMost(target: number, beyond?: number): Goal {
  return { sign: "≤", target, beyond };
}

export function lessThan(target: number): Goal {
  return { sign: "<", target };
}

/** Whether a figure reaches its goal: yes, no or beyond. */
export function met(figure: Figure, { sign, target, beyond }: Goal): Figure {
  const reaches = (value: number, bound: number): boolean =>
    sign === "≥" ? value >= bound : value < bound || (sign === "≤" && value === bound);
  const format = ({ median }: Result): string => {
    if (beyond !== undefined && reaches(median, beyond)) return "beyond";
    return reaches(median, target) ? "yes" : "no";
  };
  return { ...figure, format };
}
