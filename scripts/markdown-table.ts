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
