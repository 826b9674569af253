import { COMMA, isSpace, OPEN_BRACE, OPEN_BRACKET } from "../scan/characters.js";

/**
 * Finds runs: the elements of the open array, or the members of the open object, that follow each other in a long chunk
 * and are objects or arrays. `JSON.parse` reads a run at once.
 *
 * The end of a run is a guess, because searching for it properly costs as much as parsing. Models write the elements of
 * an array alike, so the run is taken to end where the text between two elements, the *separator*, appears for the last
 * time. If the guess is wrong `JSON.parse` throws and the scanner reads the text.
 */
export class RunFinder {
  /** The place in the chunk where the last container closed, or -1. */
  closedAt = -1;
  private enabled = true;
  /** The number of chunks for which no run is searched. It grows with each wrong guess. */
  private pause = 0;
  private lastPause = 0;

  /** A long chunk begins. */
  begin(): void {
    this.closedAt = -1;
    this.enabled = this.pause === 0;
    if (this.pause > 0) this.pause--;
  }

  /**
   * @param start the index of an opening bracket, or of a key's opening quote
   * @param separators the separators of the open containers; the one at `depth` is updated
   * @returns where the run ends, or `start` without a run
   */
  find(text: string, start: number, separators: string[], depth: number): number {
    if (!this.enabled) return start;
    if (text.length < minChunkForObjects && text.charCodeAt(start) !== OPEN_BRACKET) return start;
    const separator = separators[depth] ?? "";
    if (this.followsContainer(text, start)) {
      const seen = text.slice(this.closedAt, endOfOpening(text, start));
      if (seen !== separator) {
        separators[depth] = seen.length > maxSeparator ? "" : seen;
        return start;
      }
    } else if (separator === "") return start;
    const end = text.lastIndexOf(separator) + 1;
    if (end - start >= minRun) return end;
    this.enabled = false;
    return start;
  }

  /** Returns where the document ends that begins at `start`; `start` if more than a few characters follow it. */
  findWhole(text: string, start: number): number {
    const end = text.lastIndexOf(text.charCodeAt(start) === OPEN_BRACE ? "}" : "]") + 1;
    return text.length - end < minRun ? Math.max(end, start) : start;
  }

  /** Whether there is only a comma between this place and the container that closed last. */
  private followsContainer(text: string, start: number): boolean {
    let i = this.closedAt + 1;
    if (i === 0 || text.charCodeAt(i) !== COMMA) return false;
    while (++i < start) if (!isSpace(text.charCodeAt(i))) return false;
    return true;
  }

  /** The guess was right. */
  hit(): void {
    this.lastPause = 0;
  }

  /** The guess was wrong, and the next ones would probably be wrong for the same reason. */
  miss(): void {
    this.enabled = false;
    this.lastPause = Math.min(this.lastPause * 2 + 1, maxPause);
    this.pause = this.lastPause;
  }
}

/** Returns the index after the text with which all elements begin: the bracket, and in objects the first key. */
function endOfOpening(text: string, start: number): number {
  if (text.charCodeAt(start) !== OPEN_BRACE) return start + 1;
  const quote = text.indexOf('"', start);
  return quote < 0 ? start + 1 : text.indexOf('"', quote + 1) + 1;
}

/** Runs of objects gain less than those of scalars, so they need a longer chunk. */
const minChunkForObjects = 4_096;
/** Shorter runs are not worth a call. Also how much may follow a document: a fence or a few words. */
const minRun = 64;
const maxSeparator = 100;
const maxPause = 63;
