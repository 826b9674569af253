/** What a `<` begins, or is. */
export type Markup =
  | "tag" // <a
  | "end_tag" // </a
  | "comment" // <!--
  | "section" // <![CDATA[
  | "instruction" // <?a
  | "document_type" // <!DOCTYPE
  | "unknown" // <!x: none of XML
  | "bare" // a < b
  | "undecided"; // more must be read first

/** How many characters of each are read with it, so that none of them is taken for a part of its end. */
export const openingLength = {
  tag: 1,
  end_tag: 2,
  comment: 4,
  section: 9,
  instruction: 2,
  document_type: 9,
  unknown: 2,
} as const;

/** No tag is held back for longer than this to see whether it is one. */
export const lookAhead = 256;

/** Reads a `<` as XML has it: saxes will say whether it is any. */
export function markupAt(text: string, i: number): Exclude<Markup, "bare"> {
  switch (text[i + 1]) {
    case undefined:
      return "undecided";
    case "/":
      return "end_tag";
    case "?":
      return "instruction";
    case "!":
      return declarationAt(text, i);
    default:
      return "tag";
  }
}

/**
 * Reads a `<` in text as models write it: what cannot become a tag is bare. So `i<n;` and `x <y then` are text, but
 * `x <y>` is a tag. Whatever saxes accepts is markup here too.
 */
export function likelyMarkupAt(text: string, i: number): Markup {
  switch (text[i + 1]) {
    case undefined:
      return "undecided";
    case "!": {
      const declaration = declarationAt(text, i);
      return declaration === "unknown" || declaration === "document_type" ? "bare" : declaration;
    }
    case "/":
      return likely(text, i, wholeEndTag, partOfEndTag, "end_tag");
    case "?":
      return likely(text, i, wholeInstruction, partOfInstruction, "instruction");
    default:
      return likely(text, i, wholeTag, partOfTag, "tag");
  }
}

function likely(text: string, i: number, whole: RegExp, part: RegExp, markup: Markup): Markup {
  whole.lastIndex = i;
  if (whole.test(text)) return markup;
  const known = text.slice(i, i + lookAhead);
  if (!part.test(known)) return "bare";
  return known.length < lookAhead ? "undecided" : markup;
}

function declarationAt(text: string, i: number): Exclude<Markup, "bare"> {
  const known = text.slice(i, i + 9);
  if (known.startsWith("<!--")) return "comment";
  if (known === "<![CDATA[") return "section";
  if (known === "<!DOCTYPE") return "document_type";
  return "<!--".startsWith(known) || "<![CDATA[".startsWith(known) || "<!DOCTYPE".startsWith(known)
    ? "undecided"
    : "unknown";
}

/** The name of a start tag that is known to be one. */
export function nameOfTag(tag: string): string {
  return (/^<([^\s/>]+)/.exec(tag) as RegExpExecArray)[1] as string;
}

// A name, generously: saxes knows better what it may have.
const first = "[A-Za-z_:\\u0080-\\uffff]";
const name = `${first}[-.0-9A-Za-z_:\\u0080-\\uffff]*`;
const space = "[ \\t\\r\\n]";

const wholeTag = new RegExp(`<${name}(?:${space}*/?>|${space}+${name}${space}*=)`, "y");
const partOfTag = new RegExp(`^<(?:${name}(?:${space}*/?|${space}+${name}${space}*))?$`);
const wholeEndTag = new RegExp(`</${name}${space}*>`, "y");
const partOfEndTag = new RegExp(`^</(?:${name}${space}*)?$`);
const wholeInstruction = new RegExp(`<\\?${first}`, "y");
const partOfInstruction = /^<\?$/;

/**
 * What a `&` begins.
 *
 * @param lenient whether a number that is no character of XML 1.0 is text; otherwise saxes will say what it is
 * @returns the place behind the reference, if it is one
 */
export function referenceAt(text: string, i: number, lenient: boolean): number | "bare" | "undecided" {
  wholeReference.lastIndex = i;
  if (wholeReference.test(text)) {
    const end = wholeReference.lastIndex;
    return lenient && characterAt(text, i, end) === undefined ? "bare" : end;
  }
  const known = text.slice(i, i + lookAhead);
  return known.length < lookAhead && partOfReference.test(known) ? "undecided" : "bare";
}

const wholeReference = /&(?:amp|lt|gt|quot|apos|#(?:[0-9]{1,250}|x[0-9a-fA-F]{1,250}));/y;
const partOfReference = /^&(?:a(?:mp?|p(?:os?)?)?|lt?|gt?|q(?:u(?:ot?)?)?|#(?:[0-9]*|x[0-9a-fA-F]*))?$/;

/** What the reference from `start` to `end` stands for, if that is a character of XML 1.0. */
export function characterAt(text: string, start: number, end: number): string | undefined {
  const reference = text.slice(start, end);
  if (reference[1] !== "#") return named.get(reference);
  const digits = reference.slice(2, -1);
  const code = Number(digits.startsWith("x") ? `0${digits}` : digits);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
}

const named: ReadonlyMap<string, string> = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
]);

/** XML 1.0, section 2.2. */
function isCharacter(code: number): boolean {
  return (
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff) ||
    code === 0x9 ||
    code === 0xa ||
    code === 0xd
  );
}
