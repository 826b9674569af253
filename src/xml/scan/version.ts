import { allowed10 } from "./markup.js";

/** The characters of a version of XML. */
export interface Version {
  readonly lineBreaks: RegExp;
  readonly refused: RegExp;
  /** The characters that a reference may stand for. */
  readonly characters: RegExp;
}

export const version10: Version = {
  lineBreaks: /\r\n?/g,
  refused: /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/,
  characters: allowed10,
};
export const version11: Version = {
  lineBreaks: /\r[\n\x85]?|[\x85\u2028]/g,
  refused: /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/,
  characters: /[\x01-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
};

/** Line breaks to replace, and characters that a version may refuse. Most pieces have none of them. */
export const special: RegExp = /[\0-\x08\v-\x1f\x7f-\x9f\u2028\ufffe\uffff]/;

/** Reads the text of an XML declaration after its target. Without `version="1.0"` it is of version 1.1. */
export function readDeclaration(body: string): { readonly version: Version; readonly isValid: boolean } {
  const [head, , number] = xmlVersion.exec(body) ?? [""];
  const version = number === "1.0" ? version10 : version11;
  const rest = body.slice(head.length).replace(version.lineBreaks, "\n");
  return { version, isValid: head !== "" && afterXmlVersion.test(rest) };
}

const xmlVersion = /^version[ \t\n]*=[ \t\n]*(["'])(1\.[0-9]+)\1/;
const afterXmlVersion =
  /^(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(["'])[A-Za-z][\w.-]*\1)?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(["'])(?:yes|no)\2)?[ \t\n]*$/;
