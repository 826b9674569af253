import { isRecord } from "../loose.js";

/**
 * The text of a JSON document with holes, where alike documents have other strings and whole numbers. What fits is not
 * parsed again: its value is that of the model with the holes filled.
 */
export interface JsonTemplate {
  /** One more than the holes. A string's quotes belong to the parts. */
  readonly parts: readonly string[];
  readonly holes: readonly Hole[];
  /** A document that fits. */
  readonly model: unknown;
}

interface Hole {
  readonly path: Path;
  readonly kind: "string" | "number";
  /** The container of the hole in the model, if it may be filled in place. */
  readonly parent: Container | undefined;
}

type Container = Record<string | number, unknown>;

type Path = readonly (string | number)[];

/** A text that was parsed. */
export interface Parsed {
  readonly text: string;
  readonly value: unknown;
}

/**
 * What two documents have in common, if they differ in a few strings and whole numbers only.
 *
 * @param fleeting the members whose value nobody keeps: where a hole is inside of those alone, the next document may be the
 *   same object, changed
 */
export function templateOf(a: Parsed, b: Parsed, fleeting?: ReadonlySet<string>): JsonTemplate | undefined {
  const leaves: Leaf[] = [];
  if (!findLeaves(a.value, b.value, [], leaves) || leaves.length === 0) return undefined;
  const parts: string[] = [];
  let [atA, atB] = [0, 0];
  for (const leaf of leaves) {
    const same = sameLength(a.text, atA, b.text, atB);
    const before = startOf(leaf, a.text, atA, atA + same) - atA;
    if (before < 0) return undefined;
    const [endA, endB] = [
      endOf(leaf, leaf.a, a.text, atA + before),
      endOf(leaf, leaf.b, b.text, atB + before),
    ];
    if (endA === undefined || endB === undefined) return undefined;
    parts.push(a.text.slice(atA, atA + before));
    [atA, atB] = [endA, endB];
  }
  const rest = a.text.slice(atA);
  if (rest !== b.text.slice(atB)) return undefined;
  const isFleeting = ({ path }: Leaf): boolean =>
    path.length > 0 && path.slice(0, -1).every((key) => typeof key === "number" || fleeting?.has(key));
  const inPlace = fleeting !== undefined && leaves.every(isFleeting);
  const model: unknown = inPlace ? JSON.parse(b.text) : b.value;
  const holes = leaves.map(({ path, kind }): Hole => {
    const parent = inPlace ? path.slice(0, -1).reduce(memberOf, model) : undefined;
    return { path, kind, parent: parent as Container | undefined };
  });
  return { parts: [...parts, rest], holes, model };
}

function memberOf(container: unknown, key: string | number): unknown {
  return (container as Container)[key];
}

/** The value of a text that fits; `undefined` for any other, also for one that is no JSON. */
export function fill({ parts, holes, model }: JsonTemplate, text: string): unknown {
  let value = model;
  let at = 0;
  for (let i = 0; i < holes.length; i++) {
    const { path, kind, parent } = holes[i] as Hole;
    const part = parts[i] as string;
    // A comparison of slices goes word by word, `startsWith` character by character.
    if (text.slice(at, at + part.length) !== part) return undefined;
    at += part.length;
    const end = kind === "string" ? closingQuote(text, at) : endOfDigits(text, at);
    const leaf = kind === "string" ? stringAt(text, at, end) : numberAt(text, at, end);
    if (leaf === undefined) return undefined;
    if (parent === undefined) value = withLeaf(value, path, 0, leaf);
    else parent[path[path.length - 1] as string | number] = leaf;
    at = end;
  }
  const last = parts[holes.length] as string;
  return text.slice(at) === last ? value : undefined;
}

interface Leaf extends Omit<Hole, "parent"> {
  readonly a: unknown;
  readonly b: unknown;
}

const mostHoles = 4;

/** Where the two differ, in the order of the text. False if that is more than a few strings and numbers. */
function findLeaves(a: unknown, b: unknown, path: Path, leaves: Leaf[]): boolean {
  if (a === b) return true;
  if (typeof a === "string" && typeof b === "string")
    return leaves.push({ path, kind: "string", a, b }) <= mostHoles;
  if (isCount(a) && isCount(b)) return leaves.push({ path, kind: "number", a, b }) <= mostHoles;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => findLeaves(item, b[i], [...path, i], leaves));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every(
      (key, i) => key === others[i] && isInOrder(key) && findLeaves(a[key], b[key], [...path, key], leaves),
    )
  );
}

/** An object lists keys that are numbers first, wherever they stand in the text; `__proto__` cannot be assigned. */
function isInOrder(key: string): boolean {
  return key !== "__proto__" && !/^\d/.test(key);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 1e15;
}

function sameLength(a: string, atA: number, b: string, atB: number): number {
  const most = Math.min(a.length - atA, b.length - atB);
  let length = 0;
  while (length < most && a.charCodeAt(atA + length) === b.charCodeAt(atB + length)) length++;
  return length;
}

/** Where the text of a leaf begins, behind the quote of a string, when it differs at `at`. */
function startOf({ kind }: Leaf, text: string, from: number, at: number): number {
  let start = at;
  if (kind === "number") while (start > from && isDigit(text, start - 1)) start--;
  else {
    do start = text.lastIndexOf('"', start - 1);
    while (start > from && isEscaped(text, start));
    start++;
  }
  return start;
}

/** Where it ends, if it is what it should be. */
function endOf({ kind }: Leaf, value: unknown, text: string, at: number): number | undefined {
  const end = kind === "string" ? closingQuote(text, at) : endOfDigits(text, at);
  const found = kind === "string" ? stringAt(text, at, end) : numberAt(text, at, end);
  return found === value ? end : undefined;
}

/** The place of the quote that ends a string; -1 if there is none. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  while (at > start && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
  return slashes % 2 === 1;
}

const backslash = 0x5c;

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text, at)) at++;
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function stringAt(text: string, start: number, end: number): string | undefined {
  if (end < start) return undefined;
  // A longer slice would keep all of the read alive that it came with.
  return end - start < 13 ? shortStringAt(text, start, end) : parsedString(text.slice(start, end));
}

/** By hand, as half of the tokens of a document inside a string have a quote in them. */
function shortStringAt(text: string, start: number, end: number): string | undefined {
  let read = "";
  let from = start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return undefined;
    if (code !== backslash) continue;
    const character = escapes.get(text.charCodeAt(at + 1));
    if (character === undefined) return parsedString(text.slice(start, end));
    read += text.slice(from, at) + character;
    from = ++at + 1;
  }
  return read + text.slice(from, end);
}

/** What a backslash makes of the character behind it; `u` takes four more. */
const escapes: ReadonlyMap<number, string> = new Map(
  ['"', "\\", "/", "b", "f", "n", "r", "t"].map((it) => [
    it.charCodeAt(0),
    JSON.parse(`"\\${it}"`) as string,
  ]),
);

function parsedString(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

function numberAt(text: string, start: number, end: number): number | undefined {
  const length = end - start;
  if (length === 0 || length > 15 || (length > 1 && text.charAt(start) === "0")) return undefined;
  return Number(text.slice(start, end));
}

/** Copies what lies on the way, and shares the rest. */
function withLeaf(value: unknown, path: Path, depth: number, leaf: string | number): unknown {
  if (depth === path.length) return leaf;
  const key = path[depth] as never;
  const copy = (Array.isArray(value) ? value.slice() : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = withLeaf(copy[key], path, depth + 1, leaf);
  return copy;
}
