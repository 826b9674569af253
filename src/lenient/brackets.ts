import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PARENTHESIS,
  COLON,
  COMMA,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PARENTHESIS,
} from "../json/scan/characters.js";

export function isOpener(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET || character === OPEN_PARENTHESIS;
}

export function isCloser(character: number): boolean {
  return character === CLOSE_BRACE || character === CLOSE_BRACKET || character === CLOSE_PARENTHESIS;
}

/** A comma, a colon or a bracket of JSON. */
export function isStructural(character: number): boolean {
  const isBracket = character !== OPEN_PARENTHESIS && character !== CLOSE_PARENTHESIS;
  return (
    character === COMMA || character === COLON || (isBracket && (isOpener(character) || isCloser(character)))
  );
}

/** Does the character end a key without quotes, or a number at the root? */
export function endsWord(character: number): boolean {
  return isSpace(character) || (isStructural(character) && character !== COLON);
}
