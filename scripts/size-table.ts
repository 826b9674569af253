import type { Size } from "./size-measure.js";

const begin = "<!-- size: written by `npm run size` -->";
const end = "<!-- /size -->";

/** A size may differ by this part from the one in the table. */
const tolerance = 0.02;

/** Writes the table between its marks in the Markdown. */
export function withSizes(markdown: string, sizes: readonly Size[]): string {
  const [before, , after] = parts(markdown);
  const rows = sizes.map(
    ({ what, minified, gzipped }) => `| ${what} | ${shown(minified)} | ${shown(gzipped)} |`,
  );
  const table = ["| imported | minified | and gzipped |", "| --- | ---: | ---: |", ...rows].join("\n");
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** A size that the table lacks or shows wrongly. */
export interface OffSize {
  readonly what: string;
  readonly size: Size;
  /** The cells of its row, if there is one. */
  readonly told: string | undefined;
}

/** Rows that are more than 2 % off, that are missing, or that nothing measures. */
export function offSizes(markdown: string, sizes: readonly Size[]): OffSize[] {
  const rows = new Map(
    [...parts(markdown)[1].matchAll(/^\| (`[^|]*?) +\|(.*)\|$/gm)].map(([, what = "", cells = ""]) => [
      what,
      cells,
    ]),
  );
  const off = sizes.flatMap((size) => {
    const { what, minified, gzipped } = size;
    const told = rows.get(what);
    rows.delete(what);
    const [first = NaN, second = NaN] =
      told?.split("|").map((cell) => Number(cell.replaceAll(",", ""))) ?? [];
    return isNear(first, minified) && isNear(second, gzipped) ? [] : [{ what, size, told }];
  });
  const gone = [...rows].map(([what, told]) => ({ what, size: { what, minified: 0, gzipped: 0 }, told }));
  return [...off, ...gone];
}

function isNear(told: number, size: number): boolean {
  return Math.abs(told - size) <= tolerance * size;
}

function shown(bytes: number): string {
  return bytes.toLocaleString("en");
}

/** @throws {Error} if the marks are not there */
function parts(markdown: string): readonly [before: string, table: string, after: string] {
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/internals/sizes.md lacks the lines "${begin}" and "${end}".`);
  return [markdown.slice(0, from), markdown.slice(from + begin.length, to), markdown.slice(to + end.length)];
}
