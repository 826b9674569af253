/**
 * The message of an error, as far as it may leave the server: without the lines of a stack, without paths of files and
 * without passwords in URLs, and not too long. Its cause is left out. `""` if nothing is left.
 */
export function safeText(error: unknown): string {
  const message: unknown = error instanceof Error ? error.message : error;
  if (typeof message !== "string") return "";
  const text = message
    .slice(0, longestRead)
    .replace(stackLine, "")
    .replace(quotedPath, "$1[path]$1")
    .replace(word, safeWord)
    .trim();
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longest = 500;
/** What is looked at. */
const longestRead = 4_000;

/** `    at run (file:///srv/app.js:3:5)` */
const stackLine = /^[ \t]+at .*(?:\r?\n|$)/gm;

/** In quotes a path may have spaces: `'C:\Program Files\app'`. */
const quotedPath = /(['"`])(?:file:\/\/|~?\/|[a-z]:[\\/]|\\\\)[^'"`\n]*\1/gi;

/** A URL, or what stands between spaces, brackets and signs. */
const word = /[a-z][a-z0-9+.-]*:\/\/[^\s'"`)>\]]+|[^\s'"`()<>[\]{}|=,;]+/gi;

function safeWord(whole: string): string {
  if (/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(whole)) return whole.replace(/\/\/[^/@]+@/, "//");
  if (!isPath.test(whole)) return whole;
  const [end = ""] = /[.,:;!?]*$/.exec(whole) ?? [];
  return `[path]${end}`;
}

/** `/srv/app`, `~/.ssh`; `at:/srv/app`, `C:/app`, `file:///srv/app`; `C:\app`, `\\host\share`; `src/app.ts:3:5` */
const isPath = /^~?\/.|:\/.|\\[\w.\\]|\.[cm]?[jt]sx?:\d/i;
