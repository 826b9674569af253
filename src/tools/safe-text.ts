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
    .replace(password, "$1")
    .replace(path, (_whole, quote: string | undefined) =>
      quote === undefined ? "[path]" : `${quote}[path]${quote}`,
    )
    .trim();
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longest = 500;
/** The expressions below look at no more than this. */
const longestRead = 4_000;

/** `    at run (file:///srv/app.js:3:5)` */
const stackLine = /^[ \t]+at .*(?:\r?\n|$)/gm;

/** `postgres://user:secret@host` */
const password = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"`]+@/gi;

const path = new RegExp(
  [
    // In quotes a path may have spaces: 'C:\Program Files\app', "/srv/my app/x".
    String.raw`(['"\x60])(?:file:\/\/|~?\/|[a-z]:[\\/]|\\\\)[^'"\x60\n]*\1`,
    String.raw`\bfile:\/\/[^\s'"\x60)>]+`,
    // Not the slashes of a URL, of "and/or" and of "a/b.ts".
    String.raw`(?<![\w/.~\])}-])~?\/[\w.@+~-][^\s'"\x60)>,;]*`,
    // C:\app, \\host\share, src\app.ts
    String.raw`\b[a-z]:[\\/][^\s'"\x60)>,;]*`,
    String.raw`[^\s'"\x60(<]*\\[\w.\\][^\s'"\x60)>,;]*`,
    // A place in a source, also a relative one: src/app.ts:3:5
    String.raw`[^\s'"\x60(<]+\.[cm]?[jt]sx?:\d+(?::\d+)?`,
  ].join("|"),
  "gi",
);
