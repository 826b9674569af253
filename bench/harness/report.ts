import { table } from "../../scripts/markdown-table.js";
import { type Cell, type Figure, isFigure, type Results } from "./figures.js";
import type { Goal, Part, Suite } from "./suite.js";

/** The report of a suite in Markdown. */
export function reportOf({ intro = "", goals, parts = [] }: Suite, results: Results): string {
  const shown = [goalTable(goals), ...parts].map((part) => partOf(part, results));
  return [intro, ...shown].filter((it) => it !== "").join("\n\n");
}

/** Leaves out rows without a figure, and a part without rows. */
function partOf({ text, head, rows }: Part, results: Results): string {
  const isKnown = (cell: Cell): boolean => isFigure(cell) && cell.result(results) !== undefined;
  const show = (cell: Cell): string => {
    if (!isFigure(cell)) return cell;
    const result = cell.result(results);
    return result === undefined ? "–" : cell.format(result);
  };
  const lines = rows.filter((row) => row.some(isKnown)).map((row) => row.map(show));
  return lines.length === 0 ? "" : `${text}\n\n${table(head, lines)}`;
}

/** The times are shown if a goal has them. */
function goalTable(goals: readonly Goal[]): Part {
  const hasTimes = goals.some(({ times }) => times !== undefined);
  const rows = goals.map((it) => [
    it.name,
    ...(hasTimes ? (it.times?.map(withUnit) ?? ["", ""]) : []),
    ...resultCells(it),
  ]);
  return {
    text: "## Goals",
    head: ["", ...(hasTimes ? ["ours", "theirs"] : []), "result", "better", "goal", "met"],
    rows,
  };
}

function withUnit(time: Figure): Figure {
  const { unit, format } = time;
  if (unit === undefined) return time;
  return { ...time, format: (result) => `${format(result)} ${unit(result.median)}` };
}

function resultCells({ result, bound }: Goal): readonly Cell[] {
  if (bound === undefined) return [result, "", "", ""];
  const target = Number(bound.slice(2));
  const isMet = (value: number): boolean => (bound.startsWith("≥") ? value >= target : value <= target);
  return [
    result,
    bound.startsWith("≥") ? "higher" : "lower",
    bound,
    { ...result, format: ({ median }) => (isMet(median) ? "yes" : "no") },
  ];
}
