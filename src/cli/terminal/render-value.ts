import { isContainer, type JsonObject, type JsonValue } from "../../json/value.js";
import type { Style, Styles } from "./styles.js";
import { printable } from "./printable.js";
import { clip, widthOf, wrapText } from "./text-layout.js";

export interface RenderOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly styles: Styles;
  readonly progress: ValueProgress;
  /**
   * Maximum number of lines, counted from the end. The cost depends on this number, not on the size of the value.
   * Default: all lines.
   */
  readonly last?: number;
}

/**
 * How complete a document is. A streaming JSON document changes only at its open end, which is found by following the
 * last child from the root down, so one word describes the whole document:
 *
 * - `complete`: nothing changes any more
 * - `open`: properties or elements may follow; all present scalars are complete
 * - `growing`: the value at the open end, a string, is still being written
 */
export type ValueProgress = "complete" | "open" | "growing";

/**
 * How complete the value of a stream is so far. Patches do not say where a string ends, so a finished string counts as
 * growing until the next patch.
 */
export function progressSoFar(value: JsonValue | undefined): ValueProgress {
  let end = value;
  while (isContainer(end)) end = Object.values(end).at(-1);
  return typeof end === "string" ? "growing" : "open";
}

/**
 * Renders a value as lines for a terminal, similar to YAML: one property or element per line, small objects inside an
 * array on one line, long texts wrapped. A growing string ends in a cursor, and the keys on the path to the open end
 * are highlighted.
 *
 * A pure function of its arguments.
 */
export function renderValue(value: JsonValue | undefined, options: RenderOptions): string[] {
  const { styles, progress, last = Infinity } = options;
  if (value === undefined) return progress === "complete" ? [] : [styles.cursor(cursor)];
  const lines: string[] = [];
  for (const line of linesUpward(value, { ...options, last })) {
    if (lines.length >= last) break;
    lines.push(line);
  }
  return lines.reverse();
}

const cursor = "▌";

interface RenderPlace {
  readonly width: number;
  /** Columns of the first line that the key takes. */
  readonly used: number;
  readonly progress: ValueProgress;
}

/** Yields the lines of a value from the last one up, so only the visible end is rendered. */
function linesUpward(
  root: JsonValue,
  { width, styles, progress, last }: Required<RenderOptions>,
): Generator<string, void, undefined> {
  return upward(root, { width, used: 0, progress });

  function* upward(value: JsonValue, place: RenderPlace): Generator<string, void, undefined> {
    if (!isBlock(value)) yield* inline(value, place).reverse();
    else if (Array.isArray(value)) yield* array(value, place);
    else yield* object(value, place);
  }

  function* object(value: JsonObject, place: RenderPlace): Generator<string, void, undefined> {
    let { progress } = place;
    for (const key of Object.keys(value).reverse()) {
      yield* property(key, value[key] as JsonValue, { ...place, progress });
      progress = "complete";
    }
  }

  function* property(
    key: string,
    value: JsonValue,
    { width, progress }: RenderPlace,
  ): Generator<string, void, undefined> {
    const label = clip(labelOf(key), Math.max(width - 2, 2));
    const style = progress === "complete" ? styles.key : styles.openKey;
    const start = `${style(label)}${styles.key(":")}`;
    const indent = width > 20 ? "  " : ""; // no indentation on narrow terminals
    const place = { width: width - indent.length, used: widthOf(label) + 2 - indent.length, progress };
    if (isBlock(value)) {
      for (const line of upward(value, place)) yield indent + line;
      yield start;
    } else {
      const [first = "", ...rest] = inline(value, place);
      for (const line of rest.reverse()) yield indent + line;
      yield first === "" ? start : `${start} ${first}`;
    }
  }

  function* array(value: readonly JsonValue[], place: RenderPlace): Generator<string, void, undefined> {
    let { progress } = place;
    const width = Math.max(place.width - 2, 2);
    const indent = place.width > 20 ? "  " : "";
    for (let i = value.length - 1; i >= 0; i--) {
      let above: string | undefined;
      for (const line of element(value[i] as JsonValue, { width, used: 0, progress })) {
        if (above !== undefined) yield indent + above;
        above = line;
      }
      yield `${styles.key("-")} ${above ?? ""}`;
      progress = "complete";
    }
  }

  function* element(value: JsonValue, place: RenderPlace): Generator<string, void, undefined> {
    const line = isBlock(value) && !Array.isArray(value) ? flow(value, place) : undefined;
    if (line === undefined) yield* upward(value, place);
    else yield line;
  }

  /** An object on one line, `amount: 320 · unit: g`, if it holds only scalars and fits. */
  function flow(value: JsonObject, { width, progress }: RenderPlace): string | undefined {
    const keys = Object.keys(value);
    const parts: string[] = [];
    for (const [index, key] of keys.entries()) {
      const child = value[key] as JsonValue;
      // A quick check before measuring: this value cannot fit.
      if (typeof child === "object" ? child !== null : typeof child === "string" && child.length > width * 4)
        return;
      const state = index === keys.length - 1 ? progress : "complete";
      const style = state === "complete" ? styles.key : styles.openKey;
      parts.push(`${style(labelOf(key))}${styles.key(":")} ${flowScalar(child, state)}`);
    }
    const line = parts.join(styles.key(" · "));
    return widthOf(line) <= width ? line : undefined;
  }

  function flowScalar(value: JsonValue, progress: ValueProgress): string {
    if (typeof value !== "string") return styleOf(value)(JSON.stringify(value));
    if (progress !== "growing") return styles.text(quotedIfNeeded(printable(value), /[\n·]/));
    return growing(printable(value).replaceAll("\n", "␊"));
  }

  /** A value that starts on the line of its key: a scalar or empty brackets. */
  function inline(value: JsonValue, place: RenderPlace): string[] {
    if (typeof value === "string") return text(value, place);
    if (typeof value === "object" && value !== null) return empty(Array.isArray(value) ? "[]" : "{}", place);
    return wrap(JSON.stringify(value), place).map(styleOf(value));
  }

  function text(value: string, place: RenderPlace): string[] {
    const text = printable(endOf(value, place.width));
    if (place.progress !== "growing") return wrap(quotedIfNeeded(text), place).map(styles.text);
    const lines = wrap(text + cursor, place);
    const end = lines.pop() as string;
    return [...lines.map(styles.growing), growing(end.slice(0, -cursor.length))];
  }

  /**
   * The visible part of a long text. It begins at a multiple of 4,096 characters, so lines keep their breaks while the
   * text grows.
   */
  function endOf(text: string, width: number): string {
    const hidden = text.length - last * width * 4;
    return hidden > 0 ? text.slice(Math.floor(hidden / 4096) * 4096) : text;
  }

  function growing(text: string): string {
    return styles.growing(text) + styles.cursor(cursor);
  }

  function empty(brackets: "[]" | "{}", place: RenderPlace): string[] {
    if (place.progress === "complete") return wrap(brackets, place).map(styles.key);
    const bracket = brackets.slice(0, 1);
    return wrap(bracket + cursor, place).map((line) =>
      line === "" ? line : styles.key(bracket) + styles.cursor(cursor),
    );
  }

  function styleOf(value: JsonValue): Style {
    return typeof value === "number" ? styles.number : styles.literal;
  }
}

function wrap(text: string, { width, used }: RenderPlace): string[] {
  return wrapText(text, Math.max(width - used, 0), Math.max(width, 2));
}

/** Whether a value is rendered on separate lines below its key. */
function isBlock(value: JsonValue): value is JsonObject | JsonValue[] {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function labelOf(key: string): string {
  return quotedIfNeeded(printable(key), /[\n:]/);
}

/** Quotes a text that could be mistaken for a number, a literal, a container or nothing. */
function quotedIfNeeded(text: string, besides?: RegExp): string {
  const ambiguous =
    text === "" || text.trim() !== text || /^(?:true|false|null|[[{"].*|-?\d[\d.eE+-]*)$/s.test(text);
  return ambiguous || besides?.test(text) === true ? JSON.stringify(text) : text;
}
