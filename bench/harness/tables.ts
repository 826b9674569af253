import { type Cell, flatness, isFigure, quotient } from "./figures.js";
import type { Part } from "./suite.js";

interface Grid<Row, Column> {
  readonly text: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly heading?: (column: Column) => string;
  readonly cell: (row: Row, column: Column) => Cell;
}

/** A table with a cell for each row and column. */
export function grid<Row extends string, Column>(table: Grid<Row, Column>): Part {
  const { text, rows, columns, heading = String, cell } = table;
  return {
    text,
    head: ["", ...columns.map(heading)],
    rows: rows.map((row) => [row, ...columns.map((column) => cell(row, column))]),
  };
}

/** The same table with the figures of other rows divided by those of ours. */
export function quotients<Row extends string, Column>(
  table: Grid<Row, Column>,
  text: string,
  pairs: readonly (readonly [theirs: Row, ours: Row])[],
): Part {
  const ours = new Map(pairs);
  const cell = (theirs: Row, column: Column): Cell => {
    const [a, b] = [table.cell(theirs, column), table.cell(ours.get(theirs) as Row, column)];
    return isFigure(a) && isFigure(b) ? quotient(a, b) : "";
  };
  return grid({ ...table, text, rows: [...ours.keys()], cell });
}

/** Adds a column with the highest figure of the row divided by the lowest, where no figure is missing. */
export function withFlatness({ text, head, rows }: Part): Part {
  const flat = ([_, ...costs]: readonly Cell[]): Cell => (costs.every(isFigure) ? flatness(costs) : "");
  return { text, head: [...head, "flat within"], rows: rows.map((row) => [...row, flat(row)]) };
}

/** The names in a record, in order. */
export function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(record) as Name[];
}
