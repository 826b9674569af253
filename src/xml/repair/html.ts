/** The end tags of HTML, which models write inside their XML. */

const maybeEmpty = "input|meta|link|area|base|col|embed|source|track";
/** A start tag of an element that has no content and no end tag. */
export const emptyTag: RegExp = /<(?:br|hr|wbr|img(?=\s))[\s/>]/iy;
/** The same for names that other documents use for elements with content, such as `<source>`. */
export const maybeEmptyTag: RegExp = new RegExp(`<(?:${maybeEmpty})\\s`, "iy");

/** The name of an element of HTML that formats text. Its end tag may be missing, or in a wrong order. */
export const formatting: RegExp =
  /^(?:[abipqsu]|em|h[1-6]|li|[uod]l|d[dt]|t[dhr]|div|span|strong|code|pre|su[bp]|small|mark|del|ins|table|t(?:head|body|foot)|blockquote|option)$/i;

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

/** A start tag that one of the rules above may apply to. */
export const tagWithRule: RegExp = new RegExp(
  `<(?:br|hr|wbr|img|${maybeEmpty}|${[...endedByStart.keys()].join("|")})[\\s/>]`,
  "iy",
);
