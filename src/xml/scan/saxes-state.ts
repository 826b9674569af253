import { SaxesParser } from "#saxes";

/** The states of saxes that matter to us, each by a text that leads to it. */
const BEGIN = /* @__PURE__ */ stateAfter("");
const BEGIN_SPACE = /* @__PURE__ */ stateAfter(" ");
export const TEXT: number = /* @__PURE__ */ stateAfter("<a>");
const TAG_NAME = /* @__PURE__ */ stateAfter("<a");
const TAG_SPACE = /* @__PURE__ */ stateAfter("<a ");
export const TAG_SLASH: number = /* @__PURE__ */ stateAfter("<a/");
export const ATTRIBUTE_NAME: number = /* @__PURE__ */ stateAfter("<a b");
export const ATTRIBUTE_SPACE: number = /* @__PURE__ */ stateAfter("<a b ");
export const ATTRIBUTE_EQUALS: number = /* @__PURE__ */ stateAfter("<a b=");
export const ATTRIBUTE_VALUE: number = /* @__PURE__ */ stateAfter('<a b="');
const ATTRIBUTE_END = /* @__PURE__ */ stateAfter('<a b=""');
const SECTION = /* @__PURE__ */ stateAfter("<a><![CDATA[");
const SECTION_BRACKET = /* @__PURE__ */ stateAfter("<a><![CDATA[]");
const SECTION_BRACKETS = /* @__PURE__ */ stateAfter("<a><![CDATA[]]");

/** The states in text, before the root, and between elements. */
export function isBetweenMarkup(state: number): boolean {
  return state === TEXT || state === BEGIN || state === BEGIN_SPACE;
}

export function isInSection(state: number): boolean {
  return state === SECTION || state === SECTION_BRACKET || state === SECTION_BRACKETS;
}

export function isInStartTag(state: number): boolean {
  return (
    state === TAG_NAME ||
    state === TAG_SPACE ||
    state === TAG_SLASH ||
    state === ATTRIBUTE_NAME ||
    state === ATTRIBUTE_SPACE ||
    state === ATTRIBUTE_EQUALS ||
    state === ATTRIBUTE_VALUE ||
    state === ATTRIBUTE_END
  );
}

function stateAfter(text: string): number {
  return new SaxesParser().write(text).state;
}
