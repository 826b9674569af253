import {
  DOCTYPE,
  DOCTYPE_QUOTED,
  SUBSET,
  SUBSET_BANG,
  SUBSET_COMMENT,
  SUBSET_COMMENT_END,
  SUBSET_COMMENT_HYPHEN,
  SUBSET_HYPHEN,
  SUBSET_INSTRUCTION,
  SUBSET_INSTRUCTION_END,
  SUBSET_OPEN,
  SUBSET_QUOTED,
  TEXT,
} from "./states.js";

/** In one state: the characters that do not leave it, where they go, and the state after any other character. */
export interface Rule {
  readonly run?: RegExp;
  readonly keep?: (run: string) => void;
  readonly next: (character: string) => number;
}

/**
 * The rules that skip a document type. They find its end: a `>` that is not in quotes, a comment, an instruction or the
 * brackets of its declarations.
 *
 * `a [<!ENTITY b "]>">]>` leads from DOCTYPE through SUBSET, SUBSET_OPEN, SUBSET_BANG, SUBSET, and SUBSET_QUOTED for `]>` to
 * SUBSET. The next `]` leads back to DOCTYPE, and `>` to TEXT.
 *
 * @param malformed refuses the character, in words
 */
export function documentTypeRules(malformed: (found: string) => never): Readonly<Record<number, Rule>> {
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
      next: (it) => quoteOr(DOCTYPE_QUOTED, it, it === "[" ? SUBSET : TEXT),
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
