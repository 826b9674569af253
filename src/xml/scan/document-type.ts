/** In one state: the characters that do not leave it, where they go, and the state after any other character. */
export interface Rule {
  readonly run?: RegExp;
  readonly keep?: (run: string) => void;
  readonly next: (character: string) => number;
}

/** The states inside a document type, each with text that leads there. The other states are those of the tokenizer. */
export const DOCTYPE = 13; // <!DOCTYPE
const DOCTYPE_QUOTED = 14; // <!DOCTYPE "
const SUBSET = 15; // <!DOCTYPE a [
const SUBSET_QUOTED = 16; // <!DOCTYPE a ["
const SUBSET_OPEN = 17; // <!DOCTYPE a [<
const SUBSET_BANG = 18; // <!DOCTYPE a [<!
const SUBSET_HYPHEN = 19; // <!DOCTYPE a [<!-
const SUBSET_COMMENT = 20; // <!DOCTYPE a [<!--
const SUBSET_COMMENT_HYPHEN = 21; // <!DOCTYPE a [<!-- -
const SUBSET_COMMENT_END = 22; // <!DOCTYPE a [<!-- --
const SUBSET_INSTRUCTION = 23; // <!DOCTYPE a [<?
const SUBSET_INSTRUCTION_END = 24; // <!DOCTYPE a [<? ?

/**
 * The rules that skip a document type. They find its end: a `>` that is not in quotes, a comment, an instruction or the
 * brackets of its declarations.
 *
 * `a [<!ENTITY b "]>">]>` leads from DOCTYPE through SUBSET, SUBSET_OPEN, SUBSET_BANG, SUBSET, and SUBSET_QUOTED for `]>` to
 * SUBSET. The next `]` leads back to DOCTYPE, and `>` to `after`.
 *
 * @param after the state after the document type
 * @param malformed refuses the character, in words
 */
export function documentTypeRules(
  after: number,
  malformed: (found: string) => never,
): Readonly<Record<number, Rule>> {
  let quote = "";
  const quoteOr = (quoted: number, character: string, other: number): number => {
    if (character !== '"' && character !== "'") return other;
    quote = character;
    return quoted;
  };
  const quoted = (inside: number, outside: number): Rule => ({
    run: notQuote,
    next: (it) => (it === quote ? outside : inside),
  });
  return {
    [DOCTYPE]: {
      run: /[^"'[>]+/y,
      next: (it) => quoteOr(DOCTYPE_QUOTED, it, it === "[" ? SUBSET : after),
    },
    [DOCTYPE_QUOTED]: quoted(DOCTYPE_QUOTED, DOCTYPE),
    [SUBSET]: {
      run: /[^"'<\]]+/y,
      next: (it) => quoteOr(SUBSET_QUOTED, it, it === "]" ? DOCTYPE : SUBSET_OPEN),
    },
    [SUBSET_QUOTED]: quoted(SUBSET_QUOTED, SUBSET),
    [SUBSET_OPEN]: { next: (it) => (it === "!" ? SUBSET_BANG : it === "?" ? SUBSET_INSTRUCTION : SUBSET) },
    [SUBSET_BANG]: { next: (it) => (it === "-" ? SUBSET_HYPHEN : SUBSET) },
    [SUBSET_HYPHEN]: { next: (it) => (it === "-" ? SUBSET_COMMENT : SUBSET) },
    [SUBSET_COMMENT]: { run: notHyphen, next: () => SUBSET_COMMENT_HYPHEN },
    [SUBSET_COMMENT_HYPHEN]: { next: (it) => (it === "-" ? SUBSET_COMMENT_END : SUBSET_COMMENT) },
    [SUBSET_COMMENT_END]: { next: (it) => (it === ">" ? SUBSET : malformed('"--" in a comment')) },
    [SUBSET_INSTRUCTION]: { run: notQuestion, next: () => SUBSET_INSTRUCTION_END },
    [SUBSET_INSTRUCTION_END]: { run: /[^>]+/y, next: () => SUBSET },
  };
}

export const notHyphen: RegExp = /[^-]+/y;
export const notQuestion: RegExp = /[^?]+/y;
const notQuote = /[^"']+/y;
