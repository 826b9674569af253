/** How the items of a list are marked at the beginning of their lines: what a character makes of a marker that has begun. */
export type Markers = (begun: string, character: string) => "whole" | "begun" | "none";

/** `1.` and `1)`, of at most nine digits as in CommonMark: more would be no exact number everywhere. */
export const numbers: Markers = (begun, character) => {
  if (character >= "0" && character <= "9") return begun.length < 9 ? "begun" : "none";
  return begun !== "" && (character === "." || character === ")") ? "whole" : "none";
};

/** `-`, `*` and `+`. */
export const bullets: Markers = (_begun, character) =>
  character === "-" || character === "*" || character === "+" ? "whole" : "none";
