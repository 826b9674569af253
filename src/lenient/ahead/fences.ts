import { BACKTICK, LESS, TILDE } from "../../text/around/characters.js";
import { endOfMatch } from "./tokens.js";
import { type Answer, isFound, type Window } from "./window.js";

/**
 * Is here a fence, or a closing tag of any name (`</answer>`, `<|end|>`), which ends the document? With `repair` it does
 * outside of strings, where it is never data; the strict scanner refuses it inside a document.
 *
 * | the fence comes               | asked by                      | result                                       |
 * | ----------------------------- | ----------------------------- | -------------------------------------------- |
 * | before the document           | nobody: `find/extract`        | its line counts as blank                     |
 * | in a string                   | nobody                        | it is text                                   |
 * | at the end of an open string  | nobody: `startOfClosers()`    | the brackets before it may end the string    |
 * | after a quote in a string     | `endsAtFence()`                | the quote ends the string, or is text        |
 * | after a number or word        | `endsNumber()`, `endsLine()`  | the number or word ends                      |
 * | after an element or a member  | `endOfDocument` of `between/` | all brackets are closed: `missing_closer`    |
 * | after a comma between these   | the same                      | the same                                     |
 * | after `{`                     | the same                      | the same                                     |
 * | after `[`                     | `endInArray` of `between/`    | the same, if it is no code in backticks      |
 * | after a colon                 | `missingValue` of `between/`  | null, if it is no code in backticks          |
 * | after the last bracket        | nobody: `find/choose`         | it is skipped, and a later document is found |
 * | the same, `extract: "none"`   | nobody                        | an error: `trailing_text`                    |
 * | between documents of one list | `next-at-root`                | it is skipped                                |
 *
 * In this text the first fence is skipped, the second is text, and the third closes both containers; the line feed before
 * it has ended the number. The value is `{"code": "```js", "n": [1, 2]}`. Two backticks at the end of a chunk may become a
 * fence, so more text decides.
 *
 * ````text
 * ```json
 * {"code": "```js", "n": [1, 2
 * ```
 * Done.
 * ````
 */
export function isEndOfDocument(ahead: Window, i: number): Answer {
  const character = ahead.at(i);
  if (character !== BACKTICK && character !== TILDE && character !== LESS) return false;
  return isFound(endOfMatch(ahead, i, 3, /^(?:`{3}|~{3}|<[/|][a-z_])/i, /^(?:`{1,2}|~{1,2}|<[/|]?)$/));
}

/** The same where a value may begin. Backticks with text after them are around a value that is code. */
export function isEndBeforeValue(ahead: Window, start: number): Answer {
  const isEnd = isEndOfDocument(ahead, start);
  if (isEnd !== true || ahead.at(start) !== BACKTICK) return isEnd;
  return ahead.skipBlank(start + 3) < 0 ? ahead.atEnd : false;
}
