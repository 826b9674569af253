import type { Result } from "./suite.js";

/** A Markdown table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, i) => (i === 0 ? (cells[i] ?? "").padEnd(width) : (cells[i] ?? "").padStart(width))).join(" | ")} |`;
  const rule = widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Three significant digits, or two for small values. */
export function figure(value: number | undefined): string {
  if (value === undefined) return "–";
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(value >= 10 ? 3 : 2);
}

/** The median, followed by the range if there was more than one round. */
export function withRange(result: Result | undefined): string {
  if (result === undefined) return "–";
  if (result.min === result.max) return figure(result.median);
  return `${figure(result.median)} (${figure(result.min)}–${figure(result.max)})`;
}

export function ratio(value: number | undefined): string {
  return value === undefined ? "–" : value >= 100 ? figure(value) : value.toFixed(2);
}

export function kilobytes(value: number | undefined): string {
  return value === undefined ? "–" : `${figure(value / 1024)} KB`;
}
