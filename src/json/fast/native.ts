import { COMMA, isSpace, OPEN_BRACE, OPEN_BRACKET } from "../scan/characters.js";
import type { JsonValue } from "../value.js";

/**
 * What `JSON.parse` makes of a text, if that has no more than so many levels of containers, and each of its objects has
 * fewer than so many keys. If not, `undefined`: then the scanner reads it, and says what is wrong and where. A level takes
 * two characters and a key four, so most values need not be looked at. Of a value that another with the same key replaced
 * the bounds are not known.
 */
export function parseNative(text: string, levels: number, maxKeys: number): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (text.length < Math.min(levels * 2, maxKeys * 4)) return value;
    return fitsInto(value, Math.min(levels, DEEP), maxKeys) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What recursion may measure. */
const DEEP = 1_000;

function fitsInto(value: JsonValue, room: number, maxKeys: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (room === 0) return false;
  if (Array.isArray(value)) {
    for (const element of value) if (!fitsInto(element, room - 1, maxKeys)) return false;
  } else {
    let keys = 0;
    for (const key in value) {
      if (++keys >= maxKeys || !fitsInto(value[key] as JsonValue, room - 1, maxKeys)) return false;
    }
  }
  return true;
}

/** What stands between the elements or members of a container, as far as that is always the same. */
export interface Separated {
  separator: string;
}

/**
 * Finds what the native `JSON.parse` can take of a long chunk: it is several times as fast as any scanner written in
 * JavaScript. A run is elements of the open array or members of the open object, one after the other, each of them an
 * object or array. Where it ends is guessed, as looking for it costs as much as parsing it: models write the elements of
 * an array alike, so the last of them ends where the text that stood between the ones before stands for the last time.
 * If that guess is wrong `JSON.parse` refuses the text, and the scanner reads it.
 */
export class Runs {
  /** Where in the chunk the last container closed, or -1. */
  closedAt = -1;
  private enabled = true;
  /** How many chunks go by without a guess, and how many did after the last wrong one. */
  private pause = 0;
  private lastPause = 0;

  /** A chunk begins. Gives whether it is long enough for native calls. */
  begin(length: number): boolean {
    this.closedAt = -1;
    if (length < LONG) return false;
    this.enabled = this.pause === 0;
    if (this.pause > 0) this.pause--;
    return true;
  }

  /** Where the run ends that begins there with a bracket, or with the quote of a key; the beginning if nowhere. */
  find(text: string, start: number, container: Separated): number {
    if (!this.enabled) return start;
    if (text.length < LONG_FOR_OBJECTS && text.charCodeAt(start) !== OPEN_BRACKET) return start;
    if (this.follows(text, start)) {
      const separator = text.slice(this.closedAt, endOfStart(text, start));
      if (separator !== container.separator) {
        container.separator = separator.length > LONGEST ? "" : separator;
        return start;
      }
    } else if (container.separator === "") return start;
    const end = text.lastIndexOf(container.separator) + 1;
    if (end - start >= SHORT) return end;
    this.enabled = false;
    return start;
  }

  /** Where the document ends that begins there, if the chunk is no longer than that; the beginning if it is. */
  findWhole(text: string, start: number): number {
    const end = text.lastIndexOf(text.charCodeAt(start) === OPEN_BRACE ? "}" : "]") + 1;
    return text.length - end < SHORT ? Math.max(end, start) : start;
  }

  /** Whether only a comma stands between the container that closed last and this place. */
  private follows(text: string, start: number): boolean {
    let i = this.closedAt + 1;
    if (i === 0 || text.charCodeAt(i) !== COMMA) return false;
    while (++i < start) if (!isSpace(text.charCodeAt(i))) return false;
    return true;
  }

  /** The guess was right. */
  hit(): void {
    this.lastPause = 0;
  }

  /** The guess was wrong: whatever misled it will do so again. */
  miss(): void {
    this.enabled = false;
    this.lastPause = Math.min(this.lastPause * 2 + 1, LONGEST_PAUSE);
    this.pause = this.lastPause;
  }
}

/** Behind what is alike at the start of each element: its bracket and its first key. */
function endOfStart(text: string, start: number): number {
  if (text.charCodeAt(start) !== OPEN_BRACE) return start + 1;
  const quote = text.indexOf('"', start);
  return quote < 0 ? start + 1 : text.indexOf('"', quote + 1) + 1;
}

/** From how many characters on a chunk is worth native calls, and where elements or members are objects: they gain less. */
const LONG = 512;
const LONG_FOR_OBJECTS = 4096;
/** What is not worth one; a fence or a few words behind the document. */
const SHORT = 64;
const LONGEST = 100;
const LONGEST_PAUSE = 63;
