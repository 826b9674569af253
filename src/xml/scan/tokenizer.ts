import type { MarkupProblem } from "../problem.js";
import { lazyPattern } from "../../text/lazy-pattern.js";
import { documentTypeRules, notHyphen, notQuestion, type Rule } from "./document-type.js";
import { characterOf, matchAt } from "./markup.js";
import { xmlNamespaces } from "./namespaces.js";
import {
  ATTRIBUTE_END,
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_VALUE,
  BANG,
  COMMENT_END,
  COMMENT_HYPHEN,
  COMMENT_TEXT,
  DOCTYPE,
  END_TAG,
  END_TAG_SPACE,
  INSTRUCTION,
  INSTRUCTION_END,
  OPEN,
  SECTION,
  SECTION_BRACKET,
  SECTION_BRACKETS,
  TAG_NAME,
  TAG_SLASH,
  TAG_SPACE,
  TARGET,
  TARGET_START,
  TEXT,
} from "./states.js";
import { readDeclaration, special, version10, version11 } from "./version.js";

/** The tokens of a document, which the tokenizer tells. */
export interface XmlTokens {
  /**
   * @param attributes names and values in turn; the array is not changed later
   * @param index finds the end of the tag in the piece
   */
  open(name: string, attributes: readonly string[], uri: string | undefined, index: () => number): void;
  close(name: string): void;
  text(text: string): void;
  section(text: string): void;
  comment(text: string): void;
  instruction(target: string, body: string): void;
  /** @param index of the wrong character in the piece */
  refuse(code: MarkupProblem, found: string, index: number): never;
  /** An end tag whose element is not the innermost open one. */
  mismatch(name: string, index: number): never;
}

export interface XmlTokenizer {
  readonly state: number;
  /** The text, section or comment that was read and not reported. */
  text: string;
  write(piece: string): void;
}

/**
 * Divides a document of XML 1.0 or 1.1 into tokens, in pieces that end anywhere but in a reference. It refuses what is
 * not well-formed. A document type is skipped, and its declarations are not checked.
 *
 * `<a b="c">d` leads through TAG_NAME (`a`), TAG_SPACE, ATTRIBUTE_NAME (`b`), ATTRIBUTE_EQUALS, ATTRIBUTE_VALUE (`c`),
 * and ATTRIBUTE_END to `open("a", ["b", "c"])`. Then `d` waits in `text` for the next tag.
 */
export function xmlTokenizer(namespaces: boolean, tokens: XmlTokens): XmlTokenizer {
  const names: string[] = [];
  const shared = { state: TEXT, text: "" };
  let name = "";
  let tag = "";
  let attributes: string[] = [];
  let quote = "";
  let bang = "";
  /** How many brackets end the text: `]]>` is refused. */
  let brackets = 0;
  let began = false;
  /** Whether an XML declaration may follow. */
  let declarable = true;
  let rootSeen = false;
  let typeSeen = false;
  let version = version10;
  /** A carriage return at the end of the last piece. The next character may belong to it. */
  let carried = "";
  let piece = "";
  /** The piece before its line breaks were replaced. */
  let written = "";
  /** The place in `written` of what was passed in. */
  let start = 0;
  let i = 0;

  /** The index of a character of `piece` in what was passed in. */
  const placeOf = (at: number): number => {
    let index = at;
    for (const { 0: lineBreak, index: place } of written.matchAll(version.lineBreaks))
      if (place < index) index += lineBreak.length - 1;
    return index - start;
  };
  const fail = (code: MarkupProblem, found = JSON.stringify(piece[i]), at = i): never =>
    tokens.refuse(code, found, placeOf(at));
  const malformed = (found?: string): never => fail("not_well_formed", found);
  const badAttribute = (): never => fail("invalid_attribute");
  const scopes = namespaces ? xmlNamespaces(fail) : undefined;

  const toName = (run: string): void => {
    name += run;
  };
  const toText = (run: string): void => {
    shared.text += run;
  };
  const takeText = (): string => {
    const taken = shared.text;
    shared.text = "";
    return taken;
  };
  const takeName = (): string => {
    const taken = name;
    name = "";
    return taken;
  };
  /** Reads this character in another state. */
  const again = (other: number): number => {
    i--;
    return other;
  };
  /** Keeps characters that seemed to be an end. */
  const back = (kept: string, other: number): number => {
    shared.text += kept;
    return other;
  };
  /** The states after a tag that continues. */
  const inTag = (character: string): number | undefined =>
    character === ">" ? open() : character === "/" ? TAG_SLASH : isSpace(character) ? TAG_SPACE : undefined;

  const open = (): number => {
    const uri = scopes?.open(tag, attributes, version === version11);
    if (attributes.length > 2) {
      const keys = attributes.filter((_, j) => j % 2 === 0);
      if (new Set(keys).size < keys.length) fail("invalid_attribute", "an attribute twice");
    }
    names.push(tag);
    tokens.open(tag, attributes, uri, () => placeOf(i));
    if (attributes.length > 0) attributes = [];
    return TEXT;
  };
  const close = (closed: string): number => {
    if (closed === "") malformed();
    if (names.at(-1) !== closed) tokens.mismatch(closed, placeOf(i));
    names.pop();
    scopes?.close();
    tokens.close(closed);
    return TEXT;
  };
  const reference = (): number => {
    const end = piece.indexOf(";", i);
    if (end < 0) i = piece.length; // a tag that is too long
    else {
      const character = characterOf(piece.slice(i + 1, end), version.characters);
      i = end;
      shared.text += character ?? fail("invalid_reference", "a character that XML does not allow");
    }
    return shared.state;
  };
  const instruct = (): number => {
    const [target, body] = [takeName(), takeText()];
    if (target.toLowerCase() !== "xml") tokens.instruction(target, body);
    else {
      const declared = readDeclaration(target === "xml" && declarable ? body : "");
      version = declared.version;
      if (!declared.isValid) malformed("a wrong or late XML declaration");
    }
    declarable = false;
    return TEXT;
  };
  const startsName = (): boolean => matchAt(commonStart, piece, i) > 0 || matchAt(nameStart(), piece, i) > 0;
  const named = (next: Rule["next"]): Rule => ({
    run: /[-.0-9:A-Z_a-z]+/y,
    keep: toName,
    next: (it) => {
      const end = it > "\x7f" ? matchAt(nameCharacters(), piece, i) : 0;
      if (end === 0) return next(it);
      toName(piece.slice(i, end));
      i = end - 1;
      return shared.state;
    },
  });
  const rules: Readonly<Record<number, Rule>> = {
    ...documentTypeRules(malformed),
    [TEXT]: {
      run: plain,
      keep: (run) => {
        brackets = 0;
        if (names.length > 0) {
          shared.text += run;
          return;
        }
        declarable = false;
        const wrong = run.search(/[^ \t\n]/);
        if (wrong >= 0) fail("text_outside_root", "text", i + wrong);
      },
      next: (it) => {
        if (it === "<") {
          brackets = 0;
          if (shared.text !== "") tokens.text(takeText());
          return OPEN;
        }
        if (names.length === 0) fail("text_outside_root", "text");
        if (it === "&") {
          brackets = 0;
          return reference();
        }
        if (it === ">" && brackets > 1) malformed('"]]>"');
        brackets = it === "]" ? brackets + 1 : 0;
        return back(it, TEXT);
      },
    },
    [OPEN]: {
      next: (it) => {
        if (it === "?") return TARGET_START;
        declarable = false;
        if (it === "/") return END_TAG;
        if (it === "!") return BANG;
        return startsName() ? again(TAG_NAME) : malformed();
      },
    },
    [BANG]: {
      next: (it) => {
        bang += it;
        const next = afterBang.get(bang);
        if (next === undefined) return bang.length < 7 ? BANG : malformed(`"<!${bang}"`);
        bang = "";
        if (next === SECTION && names.length === 0) fail("text_outside_root", "text");
        if (next !== DOCTYPE) return next;
        if (typeSeen || rootSeen) malformed("a document type");
        typeSeen = true;
        return next;
      },
    },
    [COMMENT_TEXT]: { run: notHyphen, keep: toText, next: () => COMMENT_HYPHEN },
    [COMMENT_HYPHEN]: {
      next: (it) => {
        if (it !== "-") return back(`-${it}`, COMMENT_TEXT);
        tokens.comment(takeText());
        return COMMENT_END;
      },
    },
    [COMMENT_END]: { next: (it) => (it === ">" ? TEXT : malformed('"--" in a comment')) },
    [SECTION]: { run: /[^\]]+/y, keep: toText, next: () => SECTION_BRACKET },
    [SECTION_BRACKET]: { next: (it) => (it === "]" ? SECTION_BRACKETS : back(`]${it}`, SECTION)) },
    [SECTION_BRACKETS]: {
      next: (it) => {
        if (it === "]") return back(it, SECTION_BRACKETS);
        if (it !== ">") return back(`]]${it}`, SECTION);
        tokens.section(takeText());
        return TEXT;
      },
    },
    [TARGET_START]: { next: () => (startsName() ? again(TARGET) : malformed()) },
    [TARGET]: named((it) => {
      if (namespaces && name.includes(":")) malformed(`the target ${name}`);
      return it === "?" ? INSTRUCTION_END : isSpace(it) ? INSTRUCTION : malformed();
    }),
    [INSTRUCTION]: {
      run: notQuestion,
      keep: (run) => {
        shared.text += shared.text === "" ? run.replace(/^[ \t\n]+/, "") : run;
      },
      next: () => INSTRUCTION_END,
    },
    [INSTRUCTION_END]: {
      next: (it) =>
        it === ">" ? instruct() : it === "?" ? back(it, INSTRUCTION_END) : back(`?${it}`, INSTRUCTION),
    },
    [END_TAG]: named((it) => (it === ">" ? close(takeName()) : isSpace(it) ? END_TAG_SPACE : malformed())),
    [END_TAG_SPACE]: { run: spaces, next: (it) => (it === ">" ? close(takeName()) : malformed()) },
    [TAG_NAME]: named((it) => {
      tag = takeName();
      if (rootSeen && names.length === 0) fail("extra_root", `<${tag}>`);
      rootSeen = true;
      return inTag(it) ?? malformed();
    }),
    [TAG_SLASH]: {
      next: (it) => {
        if (it !== ">") malformed();
        open();
        return close(tag);
      },
    },
    [TAG_SPACE]: {
      run: spaces,
      next: (it) => inTag(it) ?? (startsName() ? again(ATTRIBUTE_NAME) : badAttribute()),
    },
    [ATTRIBUTE_NAME]: named((it) =>
      it === "=" ? ATTRIBUTE_EQUALS : isSpace(it) ? ATTRIBUTE_SPACE : badAttribute(),
    ),
    [ATTRIBUTE_SPACE]: { run: spaces, next: (it) => (it === "=" ? ATTRIBUTE_EQUALS : badAttribute()) },
    [ATTRIBUTE_EQUALS]: {
      run: spaces,
      next: (it) => {
        if (it !== '"' && it !== "'") return badAttribute();
        quote = it;
        return ATTRIBUTE_VALUE;
      },
    },
    [ATTRIBUTE_VALUE]: {
      run: /[^"'&<\t\n]+/y,
      keep: toText,
      next: (it) => {
        if (it === "&") return reference();
        if (it === "<") malformed();
        if (it !== quote) return back(isSpace(it) ? " " : it, ATTRIBUTE_VALUE);
        attributes.push(takeName(), takeText());
        return ATTRIBUTE_END;
      },
    },
    [ATTRIBUTE_END]: { next: (it) => inTag(it) ?? badAttribute() },
  };

  const read = (): void => {
    for (; i < piece.length; i++) {
      const { run, keep, next } = rules[shared.state] as Rule;
      const end = run === undefined ? 0 : matchAt(run, piece, i);
      if (end > i) {
        keep?.(piece.slice(i, end));
        i = end;
        if (i === piece.length) return;
      }
      shared.state = next(piece.charAt(i));
    }
  };

  /** Reads a piece with line breaks to replace, or with characters that may be refused. */
  const readSpecial = (): void => {
    carried = written.endsWith("\r") ? "\r" : "";
    const whole = written.slice(0, written.length - carried.length).replace(version.lineBreaks, "\n");
    const refused = whole.search(version.refused);
    piece = refused < 0 ? whole : whole.slice(0, refused);
    read();
    piece = whole;
    if (refused >= 0) malformed();
  };

  return Object.assign(shared, {
    write: (next: string): void => {
      if (next === "") return;
      start = carried.length;
      written = carried + next;
      piece = written;
      i = 0;
      if (!began) {
        began = true;
        if (next.startsWith("\ufeff")) i = 1;
      }
      if (special.test(written)) readSpecial();
      else {
        carried = "";
        read();
      }
    },
  });
}

const afterBang: ReadonlyMap<string, number> = new Map([
  ["--", COMMENT_TEXT],
  ["[CDATA[", SECTION],
  ["DOCTYPE", DOCTYPE],
]);

// Line breaks are `\n` here.
const plain = /[^<&\]>]+/y;
const spaces = /[ \t\n]+/y;
const isSpace = (character: string): boolean => character === " " || character === "\n" || character === "\t";

const commonStart = /[:A-Z_a-z]/y;
const startCharacters = String.raw`:A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
const nameStart = lazyPattern(`[${startCharacters}]`, "uy");
const nameCharacters = lazyPattern(String.raw`[-.0-9\xb7\u0300-\u036f\u203f\u2040${startCharacters}]+`, "uy");
