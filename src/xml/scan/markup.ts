/** The kinds of markup that a `<` can begin in the text of a model. */
export type Markup =
  | "tag" // <a
  | "end_tag" // </a
  | "comment" // <!--
  | "section" // <![CDATA[
  | "instruction" // <?a
  | "document_type" // <!DOCTYPE
  | "bare" // a < b
  | "undecided"; // more text is needed

/** Maximum number of characters withheld to classify a `<` or a `&`. */
export const lookAhead = 256;

/**
 * Classifies a `<`: it is bare if it cannot become markup. So `i<n;` and `x <y then` are text, but `x <y>` is a tag.
 * Everything that the tokenizer accepts is markup here too.
 */
export function markupAt(text: string, i: number): Markup {
  switch (text[i + 1]) {
    case "!":
      return declarationAt(text, i);
    case "/":
    case " ":
      return likely(text, i, wholeEndTag, partOfEndTag, "end_tag");
    case "?":
      return likely(text, i, wholeInstruction, partOfInstruction, "instruction");
    default:
      return likely(text, i, wholeTag, partOfTag, "tag");
  }
}

function likely(text: string, i: number, whole: RegExp, part: RegExp, markup: Markup): Markup {
  if (matchAt(whole, text, i) > 0) return markup;
  const known = text.slice(i, i + lookAhead);
  if (!part.test(known)) return "bare";
  return known.length < lookAhead ? "undecided" : markup;
}

/** The end of what a sticky pattern matches at this place. 0 if it does not match. */
export function matchAt(pattern: RegExp, text: string, i: number): number {
  pattern.lastIndex = i;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

function declarationAt(text: string, i: number): Markup {
  const known = text.slice(i, i + 9);
  if (known.startsWith("<!--")) return "comment";
  if (known === "<![CDATA[") return "section";
  if (known === "<!DOCTYPE") return "document_type";
  return ["<!--", "<![CDATA[", "<!DOCTYPE"].some((it) => it.startsWith(known)) ? "undecided" : "bare";
}

/** The name of the start tag or end tag at this place. */
export function nameOfTag(text: string, i: number): string {
  const start = matchAt(startOfName, text, i);
  return text.slice(start, Math.min(matchAt(restOfName, text, start), i + lookAhead));
}

const startOfName = /<(?: ?\/ ?)?/y;
const restOfName = /[^\s/>]*/y;

// Names are matched generously: the tokenizer refuses the wrong ones.
const first = "[A-Za-z_:\\u0080-\\uffff]";
export const name: string = `${first}[-.0-9A-Za-z_:\\u0080-\\uffff]*`;
export const space: string = "[ \\t\\r\\n]";
/**
 * Attributes without values, as in `<input disabled>`. Of prose such as `x <y and so on`, only a few words are
 * withheld.
 */
const bareAttributes = `(?:${space}+${name}){1,3}${space}*`;

/** In a tag, not in prose such as `x <y and z=3 then`. */
const lastValue = `=[^\\s"'<>]+${space}*`;

const wholeTag = new RegExp(
  `<${name}(?:${space}*/?>|${space}+${name}${space}*=|${bareAttributes}(?:=${space}*["']|/?>|${lastValue}>))`,
  "y",
);
const partOfTag = new RegExp(
  `^<(?:${name}(?:${space}*/?|${bareAttributes}(?:/|=${space}*|${lastValue})?))?$`,
);
/** Also `</ a>`, `< /a>` and `</a id="1">`, which are text if no `<a>` is open. */
const wholeEndTag = new RegExp(`< ?/ ?${name}(?:${space}[^<>]*)?>`, "y");
const partOfEndTag = new RegExp(`^< ?(?:/ ?(?:${name}(?:${space}[^<>]*)?)?)?$`);
const wholeInstruction = new RegExp(`<\\?${first}`, "y");
const partOfInstruction = /^<\?$/;

/** A start tag that needs no repair. */
export const correctTag: RegExp = new RegExp(
  `<${name}(?:${space}+${name}${space}*=${space}*(?:"[^"<&]*"|'[^'<&]*'))*${space}*/?>`,
  "y",
);

const tagWithoutAttributes = new RegExp(`<${name} ?>`, "y");
const tagWithoutValues = new RegExp(`<${name}${bareAttributes}>`, "y");

/** Whether the text has a short start tag here without attributes, or only with such that have no value. */
export function bareTagAt(text: string, i: number): "no_attributes" | "no_values" | undefined {
  const known = text.slice(i, i + lookAhead);
  if (matchAt(tagWithoutAttributes, known, 0) > 0) return "no_attributes";
  return matchAt(tagWithoutValues, known, 0) > 0 ? "no_values" : undefined;
}

/**
 * The end of the reference that a `&` begins, "bare" if it begins no reference of XML, or "undecided" if more text is
 * needed.
 *
 * @param lenient whether `&#0;` and other numbers that are not characters of XML 1.0 are bare. Otherwise the
 *   tokenizer checks them.
 */
export function referenceAt(text: string, i: number, lenient: boolean): number | "bare" | "undecided" {
  const end = matchAt(wholeReference, text, i);
  if (end > 0) return lenient && characterOf(text.slice(i + 1, end - 1)) === undefined ? "bare" : end;
  const known = text.slice(i, i + lookAhead);
  return known.length < lookAhead && partOfReference.test(known) ? "undecided" : "bare";
}

const wholeReference = /&(?:amp|lt|gt|quot|apos|#(?:[0-9]{1,250}|x[0-9a-fA-F]{1,250}));/y;
const partOfReference = /^&(?:a(?:mp?|p(?:os?)?)?|lt?|gt?|q(?:u(?:ot?)?)?|#(?:[0-9]*|x[0-9a-fA-F]*))?$/;

/**
 * What a reference stands for; undefined if it is no character of XML.
 *
 * @param name what is between `&` and `;`
 * @param allowed matches the characters of the version
 */
export function characterOf(name: string, allowed: RegExp = allowed10): string | undefined {
  if (!name.startsWith("#")) return entities[name];
  const code = Number(`0${name.slice(1)}`);
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : "";
  return allowed.test(character) ? character : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** XML 1.0, section 2.2. */
export const allowed10: RegExp = /[\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
