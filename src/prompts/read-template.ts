import { PromptError } from "./errors.js";
import { kindName } from "../text/kind-name.js";
import { lazyPattern } from "../text/lazy-pattern.js";

/** A variable in a template, with its place for errors. */
export interface TemplateSlot {
  readonly name: string;
  readonly place: string;
  /** The offset of its opening brace. */
  readonly offset: number;
}

/**
 * Parses a template to literal strings and variables. `{name}` is a variable; `{{` and `}}` are literal braces.
 *
 * @param place the name of the text in errors
 * @throws {PromptError} `invalid_template`
 */
export function readTemplate(text: string, place: string): (string | TemplateSlot)[] {
  if (typeof text !== "string") {
    const problem = `Expected ${place} to be a string, but found ${kindName(text)}.`;
    throw new PromptError("invalid_template", problem, { place });
  }
  const segments: (string | TemplateSlot)[] = [];
  let literal = "";
  let at = 0;
  for (const { index } of text.matchAll(/[{}]/g)) {
    if (index < at) continue; // the second of two braces, or the closing brace of a variable
    const brace = text[index] as string;
    literal += text.slice(at, index);
    if (text[index + 1] === brace) {
      literal += brace;
      at = index + 2;
      continue;
    }
    const end = brace === "{" ? text.indexOf("}", index) : -1;
    const name = text.slice(index + 1, end);
    if (end < 0 || !isName().test(name)) throw invalid(text, place, index, end < 0 ? undefined : name);
    if (literal !== "") segments.push(literal);
    literal = "";
    segments.push({ name, place, offset: index });
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== "") segments.push(literal);
  return segments;
}

/** An identifier as in JavaScript. */
const isName = lazyPattern(String.raw`^[\p{ID_Start}$_][\p{ID_Continue}$]*$`);

function invalid(text: string, place: string, offset: number, name: string | undefined): PromptError {
  const brace = text[offset] as string;
  const problem =
    name === undefined
      ? `an unmatched "${brace}"`
      : `{${name.length > 40 ? `${name.slice(0, 40)}…` : name}}, which is not a valid name of a variable`;
  const { line, column } = positionOf(text, offset);
  return new PromptError(
    "invalid_template",
    `Found ${problem} at line ${line}, column ${column} of ${place}. Write {{ and }} for literal braces.`,
    { place, offset },
  );
}

/** The line and the column of an offset, both from 1. */
function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}
