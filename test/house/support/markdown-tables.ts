/** A row of a Markdown table. */
export interface TableRow {
  /** The heading above the table. */
  readonly section: string;
  /** The cells of the table's head. */
  readonly head: readonly string[];
  readonly cells: readonly string[];
}

/** The rows of all tables of a text, without their heads. */
export function tableRows(markdown: string): TableRow[] {
  const rows: TableRow[] = [];
  let section = "";
  let head: readonly string[] | undefined;
  for (const line of markdown.split("\n")) {
    section = /^#+ (.*)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith("|")) head = undefined;
    else if (head === undefined) head = cellsOf(line);
    else if (!/^\|[\s|:-]+\|$/.test(line)) rows.push({ section, head, cells: cellsOf(line) });
  }
  return rows;
}

/** The texts between backticks. */
export function codeSpans(markdown: string): string[] {
  return [...markdown.matchAll(/(?<!`)(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)/g)].map(([, , code = ""]) =>
    code.trim(),
  );
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));
}
