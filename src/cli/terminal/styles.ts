import { styleText } from "node:util";

/** Styles for the parts of the output. Without colour, each returns its text unchanged. */
export interface Styles {
  readonly key: Style;
  /** The key of a value that is still being written. */
  readonly openKey: Style;
  readonly text: Style;
  readonly growing: Style;
  readonly cursor: Style;
  readonly number: Style;
  readonly literal: Style;
  readonly faint: Style;
  readonly strong: Style;
  readonly good: Style;
  readonly bad: Style;
}

export type Style = (text: string) => string;

export const plainStyles: Styles = {
  key: same,
  openKey: same,
  text: same,
  growing: same,
  cursor: same,
  number: same,
  literal: same,
  faint: same,
  strong: same,
  good: same,
  bad: same,
};

export const colorStyles: Styles = {
  key: style("dim"),
  openKey: same,
  text: same,
  growing: style("cyan"),
  cursor: style("cyan"),
  number: style("yellow"),
  literal: style("magenta"),
  faint: style("dim"),
  strong: style("bold"),
  good: style("green"),
  bad: style("red"),
};

function same(text: string): string {
  return text;
}

function style(format: Parameters<typeof styleText>[0]): Style {
  // The caller decides on colour for its own stream; styleText would check process.stdout.
  return (text) => (text === "" ? "" : styleText(format, text, { validateStream: false }));
}
