import { styleText } from "node:util";
import { hasColor, type Io, type OutputStream } from "./io.js";

/** The parts of the output, and their formats in colour. */
const formats = {
  key: "dim",
  /** The key of a value that is still being written. */
  openKey: undefined,
  text: undefined,
  growing: "cyan",
  cursor: "cyan",
  number: "yellow",
  literal: "magenta",
  faint: "dim",
  strong: "bold",
  good: "green",
  bad: "red",
} as const;

export type Style = (text: string) => string;

/** Styles for the parts of the output. Without colour, each returns its text unchanged. */
export type Styles = Readonly<Record<keyof typeof formats, Style>>;

type Format = (typeof formats)[keyof typeof formats];

export const plainStyles: Styles = styles(() => undefined);
export const colorStyles: Styles = styles((format) => format);

export function stylesFor(stream: OutputStream, env: Io["env"]): Styles {
  return hasColor(stream, env) ? colorStyles : plainStyles;
}

function styles(shown: (format: Format) => Format): Styles {
  const parts = Object.entries(formats).map(([part, format]) => [part, style(shown(format))]);
  return Object.fromEntries(parts) as Styles;
}

function style(format: Format): Style {
  // The caller decides on colour for its own stream; styleText would check process.stdout.
  return (text) =>
    text === "" || format === undefined ? text : styleText(format, text, { validateStream: false });
}
