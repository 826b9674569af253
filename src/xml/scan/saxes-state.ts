import { SaxesParser } from "#saxes";

/** The states of saxes that matter to us, each by a text that leads to it. */
export const TEXT: number = /* @__PURE__ */ stateAfter("<a>");
export const TAG_SLASH: number = /* @__PURE__ */ stateAfter("<a/");
export const ATTRIBUTE_NAME: number = /* @__PURE__ */ stateAfter("<a b");
export const ATTRIBUTE_SPACE: number = /* @__PURE__ */ stateAfter("<a b ");
export const ATTRIBUTE_EQUALS: number = /* @__PURE__ */ stateAfter("<a b=");
export const ATTRIBUTE_VALUE: number = /* @__PURE__ */ stateAfter('<a b="');
export const COMMENT: number = /* @__PURE__ */ stateAfter("<!-- ");
export const COMMENT_HYPHEN: number = /* @__PURE__ */ stateAfter("<!-- -");

const betweenMarkup = /* @__PURE__ */ ["", " "].map(stateAfter);
const inSection = /* @__PURE__ */ ["<a><![CDATA[", "<a><![CDATA[]", "<a><![CDATA[]]"].map(stateAfter);
const inStartTag = /* @__PURE__ */ ["<a", "<a ", "<a/", "<a b", "<a b ", "<a b=", '<a b="', '<a b=""'].map(
  stateAfter,
);

/** The states in text, before the root, and between elements. */
export function isBetweenMarkup(state: number): boolean {
  return state === TEXT || betweenMarkup.includes(state);
}

export function isInSection(state: number): boolean {
  return inSection.includes(state);
}

export function isInStartTag(state: number): boolean {
  return inStartTag.includes(state);
}

function stateAfter(text: string): number {
  return new SaxesParser().write(text).state;
}
