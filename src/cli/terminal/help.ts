import type { Styles } from "./styles.js";
import { wrapText } from "./text-layout.js";

/** The text of `--help`, laid out for the width of the terminal. */
export interface Help {
  /** `millrace json: reads …` */
  readonly title: string;
  readonly parts: readonly HelpPart[];
}

/** A paragraph, or a section with a heading. */
export type HelpPart = string | HelpSection;

export interface HelpSection {
  readonly heading: string;
  /** After the heading. */
  readonly note?: string;
  /** Names and what they mean. */
  readonly rows?: readonly HelpRow[];
  /** Commands to type. Broken with a backslash, so that readers can paste them. */
  readonly commands?: readonly string[];
}

export type HelpRow = readonly [name: string, meaning: string];

export const helpRow: HelpRow = ["-h, --help", "show this help"];

/** Below this width, meanings are under their names. */
const narrow = 60;
/** A longer name has a line of its own. */
const widestName = 16;
/** Long lines are hard to read. */
const widest = 100;

/** The lines of the help. None is longer than `columns`, unless one word is. */
export function helpLines({ title, parts }: Help, columns: number, styles: Styles): string[] {
  const width = Math.min(columns, widest);
  const lines = wrapText(title, width, width).map(styles.strong);
  for (const part of parts) {
    lines.push(
      "",
      ...(typeof part === "string" ? wrapText(part, width, width) : sectionLines(part, width, styles)),
    );
  }
  return lines;
}

export function sectionLines(
  { heading, note, rows = [], commands = [] }: HelpSection,
  width: number,
  styles: Styles,
): string[] {
  const [first = "", ...more] = wrapText(note === undefined ? heading : `${heading}: ${note}`, width, width);
  return [
    styles.strong(first.slice(0, heading.length)) + first.slice(heading.length),
    ...more,
    ...rows.flatMap((row) => rowLines(row, width)),
    ...commands.flatMap((command) => commandLines(command, width)),
  ];
}

function rowLines([name, meaning]: HelpRow, width: number): string[] {
  const column = width < narrow ? 6 : widestName + 4;
  const [first = "", ...more] = wrapText(meaning, width - column, width - column);
  const isBeside = width >= narrow && name.length <= widestName;
  const names = isBeside ? [] : wrapText(name, width - 2, width - 2).map((line) => `  ${line}`);
  const start = isBeside ? `  ${name}`.padEnd(column) : " ".repeat(column);
  return [...names, start + first, ...more.map((line) => " ".repeat(column) + line)];
}

function commandLines(command: string, width: number): string[] {
  // Words in quotes or brackets stay together.
  const kept = command.replace(/"[^"]*"|'[^']*'|\[[^\]]*\]/g, (words) => words.replaceAll(" ", "\u00a0"));
  const lines = wrapText(kept, width - 4, width - 6).map((line) => line.replaceAll("\u00a0", " "));
  return lines.map((line, index) => {
    const end = index < lines.length - 1 ? " \\" : "";
    return `${index === 0 ? "  " : "    "}${line}${end}`;
  });
}
