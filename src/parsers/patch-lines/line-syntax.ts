/** How the lines of a format begin: what a text must have at a place where one is looked for. */
export interface LineSyntax {
  /** `{"op":` */
  readonly start: TextPattern;
  /** `"op":"`, the first member of a line whose brace is missing. */
  readonly member: TextPattern;
  /** `{"messages":`, an object around the lines. Only the lines in it are read. */
  readonly wrapper?: TextPattern;
}

/** A pattern for the beginning of a text that may end too early. */
export interface TextPattern {
  readonly whole: RegExp;
  /** A text that may become a match. */
  readonly cut: RegExp;
}

const gap = "\\s{0,100}";
const longestStart = 260;

/** A brace, then one of these members. */
export function startOf(names: readonly string[]): TextPattern {
  const quote = `["'“”‘’\`]?`;
  const name = `(?:${names.join("|")})`;
  return {
    whole: new RegExp(`^\\{${gap}${quote}${name}${quote}${gap}:`),
    cut: new RegExp(`^\\{${gap}(?:${quote}${beginningsOf(names)}?|${quote}${name}${quote}${gap})$`),
  };
}

/** One of these members, whose value is a string. */
export function memberPattern(names: readonly string[]): TextPattern {
  const name = `(?:${names.join("|")})`;
  return {
    whole: new RegExp(`^(["'])${name}\\1${gap}:${gap}\\1`),
    cut: new RegExp(`^(["'])(?:${beginningsOf(names)}?|${name}(?:\\1${gap}(?::${gap})?)?)$`),
  };
}

/** Whether a text has the pattern at a place. `undefined` if it ends before that is known. */
export function matches(pattern: TextPattern, text: string, at: number): boolean | undefined {
  const start = text.slice(at, at + longestStart);
  if (pattern.whole.test(start)) return true;
  return start.length < longestStart && pattern.cut.test(start) ? undefined : false;
}

/** `op` of RFC 6902 and the other members of an operation. */
export const patchSyntax: LineSyntax = {
  start: startOf(["op", "path", "from", "value"]),
  member: memberPattern(["op", "path"]),
};

function beginningsOf(names: readonly string[]): string {
  const beginnings = names.flatMap((name) => Array.from(name, (_, i) => name.slice(0, i + 1)));
  return `(?:${[...new Set(beginnings)].join("|")})`;
}
