/** Returns the quotes that close a string that began with this character; an empty string if it is not a quote. */
export function closingQuotes(character: string): string {
  switch (character) {
    case '"':
    case "'":
      return character;
    case "`":
      return "`\u00b4"; // ` and ´
    case "\u201c": // “
    case "\u201d": // ”
    case "\u201e": // „
      return '\u201d\u201c"';
    case "\u2018": // ‘
    case "\u2019": // ’
    case "\u201a": // ‚
      return "\u2019\u2018'";
    default:
      return "";
  }
}
