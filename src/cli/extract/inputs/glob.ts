import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "../../commands/open-file.js";
import { UsageError } from "../../terminal/usage-error.js";

/**
 * The files that match a pattern, one at a time, so that a folder may hold a million. A folder stands for all files in
 * it. Hidden files must be named: `*` does not match a dot at the beginning. Links to folders are not followed.
 *
 * @throws {UsageError} if there is no such file
 */
export async function* matchingFiles(pattern: string): AsyncGenerator<string, void, undefined> {
  let isEmpty = true;
  for await (const path of filesOf(pattern)) {
    isEmpty = false;
    yield path;
  }
  if (isEmpty) throw new UsageError(`--input: there is no file at "${pattern}".`);
}

async function* filesOf(pattern: string): AsyncGenerator<string, void, undefined> {
  // A shell that expands a pattern passes names as they are, such as `a[1].txt`.
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isDirectory() === true) yield* filesIn(pattern, () => true);
  else if (found !== undefined) yield pattern;
  const magic = /[*?[{]/.exec(pattern);
  if (found !== undefined || magic === null) return;
  const base = pattern.slice(0, pattern.lastIndexOf("/", magic.index) + 1);
  const expression = globExpression(pattern);
  yield* filesIn(base === "" ? "." : base, (path) => expression.test(path));
}

async function* filesIn(
  folder: string,
  matches: (path: string) => boolean,
): AsyncGenerator<string, void, undefined> {
  let entries;
  try {
    entries = await opendir(folder);
  } catch (cause) {
    throw new UsageError(`--input: the folder "${folder}" cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  for await (const entry of entries) {
    const path = folder === "." ? entry.name : join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") || matches(`${path}/file`)) yield* filesIn(path, matches);
    } else if (matches(path) && (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))))
      yield path;
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? true; // a broken link is reported when it is read
}

/**
 * A pattern as a regular expression: `*` and `?` inside a name, `**` for any folders, `[a-z]`, `[!a-z]`, `{a,b}`.
 *
 * @throws {UsageError} if a bracket or a brace is not closed
 */
export function globExpression(pattern: string): RegExp {
  const path = pattern.replace(/^(?:\.\/)+/, "");
  let depth = 0;
  const source = path.replace(globToken, (token, offset: number) => {
    const startsName = offset === 0 || path[offset - 1] === "/";
    if (token === "**/") return startsName ? "(?:(?!\\.)[^/]+/)*" : "[^/]*/";
    if (/^\*+$/.test(token)) {
      if (token.length > 1 && startsName && offset + token.length === path.length)
        return "(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+";
      return startsName ? "(?!\\.)[^/]*" : "[^/]*";
    }
    if (token === "?") return startsName ? "(?!\\.)[^/]" : "[^/]";
    if (token === "{") {
      depth++;
      return "(?:";
    }
    if (token === "}") return depth-- > 0 ? ")" : "\\}";
    if (token === ",") return depth > 0 ? "|" : ",";
    if (token.length > 2 && token.startsWith("[")) {
      return `(?!/)${token.replace(/^\[!/, "[^").replaceAll("\\", "\\\\")}`;
    }
    return `\\${token}`;
  });
  if (depth > 0) throw new UsageError(`--input: the pattern "${pattern}" has a { without a }.`);
  try {
    return new RegExp(`^${source}$`, "u");
  } catch {
    throw new UsageError(`--input: the pattern "${pattern}" cannot be read.`);
  }
}

const globToken = /\*\*\/|\*+|\?|\[[!^]?[^\]/]+\]|[{},]|[\\^$+.()|[\]/]/g;
