import type { Cell, Results } from "./figures.js";
import type { Part, Suite } from "./suite.js";

/** The report of a suite in Markdown. */
export function reportOf({ intro = "", parts }: Suite, results: Results): string {
  return [intro, ...parts.map((part) => shown(part, results))].filter((it) => it !== "").join("\n\n");
}

/** Leaves out rows without a figure, and a part without rows. */
function shown({ text, head, rows }: Part, results: Results): string {
  const isKnown = (cell: Cell): boolean => typeof cell !== "string" && cell.result(results) !== undefined;
  const show = (cell: Cell): string => {
    if (typeof cell === "string") return cell;
    const result = cell.result(results);
    return result === undefined ? "–" : cell.format(result);
  };
  const lines = rows.filter((row) => row.some(isKnown)).map((row) => row.map(show));
  if (lines.length === 0) return "";
  const prose = typeof text === "string" ? text : text.map(show).join("");
  return `${prose}\n\n${table(head, lines)}`;
}

/** A Markdown table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = ([first = "", ...others]: readonly string[]): string => {
    const [width = 0, ...otherWidths] = widths;
    return `| ${[first.padEnd(width), ...otherWidths.map((it, i) => (others[i] ?? "").padStart(it))].join(" | ")} |`;
  };
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
