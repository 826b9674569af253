/**
 * Decides whether the document continues after an object at the root. In state ROOT_CLOSER a comma and a key continue the
 * object: `{"a": 1}, "b": 2}`. In state ROOT_LIST, where a schema expects a list, another object is its next element.
 *
 * After `{"a": 1}` the state is ROOT_LIST. `, {"a": 2}` reports `missing_brackets` at the second object, and
 * reads it as usual. At other text the list ends. Truncated after `, {"a"`, it is not complete.
 */

import { COMMA } from "../../json/scan/characters.js";
import { newLines } from "../../json/scan/move-position.js";
import * as State from "../../json/scan/states.js";
import { continuesMembers } from "../ahead/keys.js";
import { nextAtRoot } from "../ahead/next-at-root.js";
import { beginContainer } from "../containers.js";
import type { OpenDocument } from "../document.js";
import { ROOT_CLOSER, ROOT_LIST } from "../states.js";

/** In state ROOT_CLOSER. */
export function continueRoot(document: OpenDocument, text: string, i: number, character: number): number {
  if (character === COMMA) {
    const goesOn = continuesMembers(document.ahead.begin(text, i), i + 1);
    if (goesOn === undefined) return document.cursor.hold(i);
    if (goesOn) {
      document.report("extra_closer", i - 1);
      document.state = State.AFTER_VALUE;
      return i;
    }
  }
  document.closeNow(i);
  return i;
}

/** In state ROOT_LIST. */
export function continueList(document: OpenDocument, text: string, i: number): number {
  const { cursor } = document;
  const next = nextAtRoot(document.ahead.begin(text, i), i);
  if (next === undefined) return cursor.hold(i);
  if (next === false) {
    // Truncated after a comma or inside the next object: the list is not complete.
    document.listGoesOn ||= cursor.truncated && /[{,]/.test(text.slice(i));
    if (cursor.truncated && document.listGoesOn) return text.length;
    document.endList();
    return i;
  }
  document.listGoesOn = true;
  newLines(cursor.position, text, i, next);
  document.report("missing_brackets", next);
  return beginContainer(document, text, next, false);
}

/** The text ends. */
export function finishRoot(document: OpenDocument): void {
  if (document.state === ROOT_CLOSER) document.closeNow(0);
  // More elements may be missing.
  if (document.state === ROOT_LIST && !(document.cursor.truncated && document.listGoesOn)) document.endList();
}
