/** The kinds of markup that a `<` can begin. */
export type Markup =
  | "tag" // <a
  | "end_tag" // </a
  | "comment" // <!--
  | "section" // <![CDATA[
  | "instruction" // <?a
  | "document_type" // <!DOCTYPE
  | "unknown" // <!x: not XML
  | "bare" // a < b
  | "undecided"; // more text is needed

/** How many characters open each. They are read at once: the end of a comment must not share a "-" with its start. */
export const openingLength = {
  tag: 1,
  end_tag: 2,
  comment: 4,
  section: 9,
  instruction: 2,
  document_type: 9,
  unknown: 2,
} as const;

/** Maximum number of characters withheld to classify a `<` or a `&`. */
export const lookAhead = 256;

/** Classifies a `<` by the rules of XML. saxes reports mistakes. */
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
 * Classifies a `<` in text of a model: it is bare if it cannot become a tag. So `i<n;` and `x <y then` are text, but `x
 * <y>` is a tag. Everything that saxes accepts is markup here too.
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
  return ["<!--", "<![CDATA[", "<!DOCTYPE"].some((it) => it.startsWith(known)) ? "undecided" : "unknown";
}

/** The name of a start tag. */
export function nameOfTag(tag: string): string {
  return (/^<([^\s/>]+)/.exec(tag) as RegExpExecArray)[1] as string;
}

// Names are matched generously: saxes refuses the wrong ones.
const first = "[A-Za-z_:\\u0080-\\uffff]";
const name = `${first}[-.0-9A-Za-z_:\\u0080-\\uffff]*`;
const space = "[ \\t\\r\\n]";

const wholeTag = new RegExp(`<${name}(?:${space}*/?>|${space}+${name}${space}*=)`, "y");
const partOfTag = new RegExp(`^<(?:${name}(?:${space}*/?|${space}+${name}${space}*))?$`);
const wholeEndTag = new RegExp(`</${name}${space}*>`, "y");
const partOfEndTag = new RegExp(`^</(?:${name}${space}*)?$`);
const wholeInstruction = new RegExp(`<\\?${first}`, "y");
const partOfInstruction = /^<\?$/;
