import { LINE_FEED, OPEN_BRACE, OPEN_BRACKET, SLASH } from "../scan/characters.js";
import { GREATER, isBlank, isWordCharacter, LESS } from "./characters.js";

/** The elements in which models think aloud. What is in them is not the answer. */
const names = ["think", "thinking"];
const longestName = "/thinking".length;

/**
 * Reads a tag, behind its `<`, one character at a time: to know a `<think>`, and to see that `<answer>` leaves its line
 * blank. It has no end of its own, but nothing that could begin a document or another tag is ever part of it, so that
 * nothing need be held back while it lasts.
 */
export class Tag {
  private name = "";
  private inName = true;
  private last = LESS;

  begin(): void {
    this.name = "";
    this.inName = true;
    this.last = LESS;
  }

  /** `true` if the character ends the tag, `false` if it cannot be part of one. */
  read(character: number): boolean | undefined {
    const isFirst = this.last === LESS;
    if (character === GREATER) return !isFirst;
    if (cannotBeInTag(character) || (isFirst && isBlank(character))) return false;
    this.inName &&= isWordCharacter(character) || (isFirst && character === SLASH);
    // One character too many is enough to know that it is none of the names.
    if (this.inName && this.name.length <= longestName) this.name += String.fromCharCode(character);
    this.last = character;
    return undefined;
  }

  /** The element that this tag opens, if it is one to think in. `<think/>` opens none. */
  get opens(): string | undefined {
    const name = this.name.toLowerCase();
    return this.last !== SLASH && names.includes(name) ? name : undefined;
  }

  /** Whether it closes such an element, whose opening tag was in the prompt then. */
  get closes(): boolean {
    return this.name.startsWith("/") && names.includes(this.name.slice(1).toLowerCase());
  }
}

/** Looks for the end of a `<think>`, one character at a time. */
export class Thinking {
  private end = "";
  private matched = 0;

  begin(name: string): void {
    this.end = `</${name}`;
    this.matched = 0;
  }

  /** Whether the character ends it. */
  read(character: number): boolean {
    const { end, matched } = this;
    if (matched === end.length) {
      if (character === GREATER) return true;
      if (isBlank(character)) return false;
    } else if ((character >= 0x41 ? character | 0x20 : character) === end.charCodeAt(matched)) {
      this.matched++;
      return false;
    }
    // Only the first character of the end tag is a "<", so that no shorter match is left over.
    this.matched = character === LESS ? 1 : 0;
    return false;
  }
}

function cannotBeInTag(character: number): boolean {
  return (
    character === LESS || character === OPEN_BRACE || character === OPEN_BRACKET || character === LINE_FEED
  );
}
