import { endOfMatch } from "./markup.js";

/** The end tags of HTML, which models write inside their XML. */

const maybeEmpty = "input|meta|link|area|base|col|embed|source|track";
const emptyTag = /<(?:br|hr|wbr|img(?=\s))[\s/>]/iy;
const maybeEmptyTag = new RegExp(`<(?:${maybeEmpty})\\s`, "iy");
const tagWithRule = new RegExp(`<(?:li|p|option|d[dt]|t[dhr]|br|hr|wbr|img|${maybeEmpty})[\\s/>]`, "iy");

/** Whether one of the rules below may apply to the start tag at this place. */
export function hasRule(text: string, i: number): boolean {
  return endOfMatch(tagWithRule, text, i) > 0;
}

/** Whether the text has a start tag here of an element that has no content and no end tag. */
export function isEmptyTag(text: string, i: number): boolean {
  return endOfMatch(emptyTag, text, i) > 0;
}

/** The same for names that other documents use for elements with content, such as `<source>`. */
export function mayBeEmptyTag(text: string, i: number): boolean {
  return endOfMatch(maybeEmptyTag, text, i) > 0;
}

const formatting =
  /^(?:[abipqsu]|em|h[1-6]|li|[uod]l|d[dt]|t[dhr]|div|span|strong|code|pre|su[bp]|small|mark|del|ins|table|t(?:head|body|foot)|blockquote|option)$/i;

/** Whether an element of HTML that formats text has this name. Its end tag may be missing, or in a wrong order. */
export function isFormatting(name: string): boolean {
  return formatting.test(name);
}

const endedByStart: ReadonlyMap<string, readonly string[]> = new Map([
  ["li", ["li"]],
  ["p", ["p"]],
  ["option", ["option"]],
  ["dt", ["dt", "dd"]],
  ["dd", ["dt", "dd"]],
  ["td", ["td", "th"]],
  ["th", ["td", "th"]],
  ["tr", ["tr", "td", "th"]],
]);

/** The elements that end where an element with this name begins: `<li>1<li>2</ul>`. */
export function elementsEndedBy(name: string): readonly string[] | undefined {
  return endedByStart.get(name.toLowerCase());
}
