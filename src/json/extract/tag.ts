import { thinkingElements } from "../../text/thinking/thinking-forms.js";
import { COLON, GREATER, LINE_FEED, OPEN_BRACE, OPEN_BRACKET, SLASH } from "../scan/characters.js";
import { isBlank, isWordCharacter, LESS } from "./characters.js";

const longestName = "/reflection".length;

/**
 * Reads a tag after its `<`, one character at a time. It recognises `<think>`, and a line with only `<answer>` counts
 * as blank. A tag never contains a character that may begin a document or another tag, so nothing is withheld
 * meanwhile.
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

  /** Returns `true` if the character ends the tag, `false` if it cannot be part of a tag. */
  read(character: number): boolean | undefined {
    const isFirst = this.last === LESS;
    if (character === GREATER) return !isFirst;
    if (cannotBeInTag(character) || (isFirst && isBlank(character))) return false;
    this.inName &&= isWordCharacter(character) || character === COLON || (isFirst && character === SLASH);
    // One extra character is enough to rule out all names.
    if (this.inName && this.name.length <= longestName) this.name += String.fromCharCode(character);
    this.last = character;
    return undefined;
  }

  /** The reasoning element that this tag opens. `<think/>` opens none. */
  get opens(): string | undefined {
    const name = this.name.toLowerCase();
    return this.last !== SLASH && thinkingElements.includes(name) ? name : undefined;
  }

  /** Whether the tag closes a reasoning element. Then its opening tag was in the prompt. */
  get closes(): boolean {
    return this.name.startsWith("/") && thinkingElements.includes(this.name.slice(1).toLowerCase());
  }
}

/** Searches for the end of a `<think>`, one character at a time. */
export class ThinkingTag {
  private end = "";
  private matched = 0;
  private anyName = false;

  /** @param anyName whether a longer name ends it, too: `</thinking>` */
  begin(name: string, anyName = false): void {
    this.anyName = anyName;
    this.end = `</${name}`;
    this.matched = 0;
  }

  /** Whether the character ends it. */
  read(character: number): boolean {
    const { end, matched } = this;
    if (matched === end.length) {
      if (character === GREATER) return true;
      if (isBlank(character) || (this.anyName && isWordCharacter(character))) return false;
    } else if ((character >= 0x41 ? character | 0x20 : character) === end.charCodeAt(matched)) {
      this.matched++;
      return false;
    }
    // The end tag contains "<" only at its start, so there is no shorter match to continue with.
    this.matched = character === LESS ? 1 : 0;
    return false;
  }
}

function cannotBeInTag(character: number): boolean {
  return (
    character === LESS || character === OPEN_BRACE || character === OPEN_BRACKET || character === LINE_FEED
  );
}
