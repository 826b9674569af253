import { PromptError } from "./errors.js";

/** A text with places for variables. */
export interface TextTemplate {
  /** A string stands as it is. */
  readonly segments: readonly (string | Slot)[];
}

/** Where a variable goes, and what an error says of it. */
export interface Slot {
  readonly name: string;
  readonly place: string;
  /** Of its brace in the text. */
  readonly offset: number;
}

/**
 * The segments of a text: `{name}` is a variable, `{{` and `}}` are braces.
 *
 * @param place what the text is called in an error
 * @throws {PromptError} `invalid_template`
 */
export function readTemplate(text: string, place: string): TextTemplate {
  const segments: (string | Slot)[] = [];
  let literal = "";
  let at = 0;
  for (const { index } of text.matchAll(/[{}]/g)) {
    if (index < at) continue; // the second of two braces, or one that a name has used up
    const brace = text[index] as string;
    literal += text.slice(at, index);
    if (text[index + 1] === brace) {
      literal += brace;
      at = index + 2;
      continue;
    }
    const end = brace === "{" ? text.indexOf("}", index) : -1;
    const name = text.slice(index + 1, end);
    if (end < 0 || !isName.test(name)) throw invalid(text, place, index, end < 0 ? undefined : name);
    if (literal !== "") segments.push(literal);
    literal = "";
    segments.push({ name, place, offset: index });
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== "") segments.push(literal);
  return { segments };
}

/** As in JavaScript. */
const isName = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

function invalid(text: string, place: string, offset: number, name: string | undefined): PromptError {
  const brace = text[offset] as string;
  const problem =
    name === undefined
      ? `a "${brace}" that ${brace === "{" ? "nothing closes" : "closes nothing"}`
      : `{${name.length > 40 ? `${name.slice(0, 40)}…` : name}}, which is no name of a variable`;
  const { line, column } = positionOf(text, offset);
  return new PromptError(
    "invalid_template",
    `${place} has ${problem}, in line ${line}, column ${column}. Write {{ and }} for braces.`,
    { place, offset },
  );
}

/** Both counted from 1. */
function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}
