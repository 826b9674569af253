import { cut } from "../../text/cut.js";
import { SchemaError } from "../../schema/errors.js";
import { fieldOf, isInstance } from "../../text/thrown.js";

/**
 * The message of an error without details of the server: stack lines, file paths and passwords in URLs are removed, and
 * the text is cut at 500 characters. The cause is left out; only of a check that failed it is the message, because the
 * error repeats it. Returns `""` if nothing remains.
 */
export function safeText(error: unknown): string {
  const thrown = isInstance(error, SchemaError) && error.code === "check_failed" ? error.cause : error;
  const message = typeof thrown === "string" ? thrown : fieldOf(thrown, "message");
  if (typeof message !== "string") return "";
  const text = message
    .slice(0, maxRead)
    .replace(credentials, "//")
    .replace(stackLine, "")
    .replace(quotedPath, "$1[path]$1")
    .replace(word, safeWord)
    .trim();
  return cut(text, maxLength);
}

const maxLength = 500;
/** Longer messages are cut before they are searched. */
const maxRead = 4_000;

/** `    at run (file:///srv/app.js:3:5)` */
const stackLine = /^[ \t]+at .*(?:\r?\n|$)/gm;

/** A quoted path may contain spaces: `'C:\Program Files\app'`. */
const quotedPath = /(['"`])(?:file:\/\/|~?\/|[a-z]:[\\/]|\\\\)[^'"`\n]*\1/gi;

/**
 * The user and the password of a URL, up to the last `@` of the word. A password may contain every other character,
 * also those that should be encoded: `//ann:s3/cr@t(1)'@`. After a port or a host alone, an `@` belongs to the path.
 */
const credentials = /(?<=[a-z][a-z0-9+.-]{0,30}:)\/\/(?:[^\s/:@]*:(?!(?<=\w:)\d{1,5}\/)\S*|[^\s/?#]*)@/gi;

/** A URL, or a word between spaces, brackets and punctuation. */
const word = /[a-z][a-z0-9+.-]*:\/\/[^\s'"`)>\]]+|[^\s'"`()<>[\]{}|=,;]+/gi;

function safeWord(whole: string): string {
  if (/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(whole)) return whole;
  if (!isPath.test(whole)) return whole;
  const [end = ""] = /[.,:;!?]*$/.exec(whole) ?? [];
  return `[path]${end}`;
}

/** `/srv/app`, `~/.ssh`; `at:/srv/app`, `C:/app`, `file:///srv/app`; `C:\app`, `\\host\share`; `src/app.ts:3:5` */
const isPath = /^~?\/.|:\/.|\\[\w.\\]|\.[cm]?[jt]sx?:\d/i;
