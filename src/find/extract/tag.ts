import { COLON, GREATER, LINE_FEED, opensContainer, SLASH } from "../../json/scan/characters.js";
import { isBlank, isWordCharacter, LESS } from "../../text/around/characters.js";
import { thinkingElements } from "../../text/around/thinking-forms.js";

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

  /** Returns `true` if the character ends the tag, `false` if it cannot be part of a tag. */
  read(character: number): boolean | undefined {
    const isFirst = this.last === LESS;
    if (character === GREATER) return !isFirst;
    if (cannotBeInTag(character) || (isFirst && isBlank(character))) return false;
    this.inName &&= isWordCharacter(character) || character === COLON || (isFirst && character === SLASH);
    // One extra character is enough to rule out all names.
    if (this.inName && this.name.length <= longestName)
      this.name += String.fromCharCode(character).toLowerCase();
    this.last = character;
    return undefined;
  }

  /** The reasoning element that this tag opens. `<think/>` opens none. */
  get opens(): string | undefined {
    return this.last !== SLASH && thinkingElements.includes(this.name) ? this.name : undefined;
  }

  /** Does the tag close a reasoning element? Then its opening tag was in the prompt. */
  get closes(): boolean {
    return this.name.startsWith("/") && thinkingElements.includes(this.name.slice(1));
  }
}

function cannotBeInTag(character: number): boolean {
  return character === LESS || opensContainer(character) || character === LINE_FEED;
}
