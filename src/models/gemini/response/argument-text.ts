import { setMember, type JsonArray, type JsonObject, type JsonValue } from "../../../json/value.js";
import type { Path } from "./json-path.js";

/**
 * Arguments that come as values at paths, as JSON text that only grows.
 *
 * Gemini writes the arguments in the order of the text, so that a value nearly always goes to the open end: what is open
 * behind the shared part of the two paths is closed, and what the new path goes through is opened. A value for a place
 * that is closed already is told by writing the member of the innermost open object again, as a whole: as in
 * `JSON.parse`, the later one of two members counts. Texts for one place add up.
 *
 * Some models contradict themselves, with a member of what they have made an array (vercel/ai#14358). There is no
 * text for that: the patch is then written down as it came, and with it the text is no JSON any more. The call becomes
 * an `invalid_tool_call` that holds all that was said.
 */
export class ArgumentText {
  private text = "";
  private levels: Level[] = [{ keys: new Set(), last: undefined }];
  /** The text ends inside a string. */
  private inString = false;
  private broken = false;

  /**
   * @param more the value is a string that goes on
   * @returns what is added to the text
   */
  write(path: Path | undefined, value: JsonValue, more: boolean, patch: JsonValue): string {
    const added =
      this.broken || path === undefined
        ? undefined
        : (this.append(path, value, more) ?? this.rewrite(path, value, more));
    return this.add(added ?? this.break(patch));
  }

  /** All arguments at once, beside or in place of patches. */
  writeAll(args: JsonObject): string {
    if (this.text === "") {
      const entries = Object.entries(args);
      return entries.map(([key, value]) => this.write([key], value, false, args)).join("");
    }
    const same = !this.broken && JSON.stringify(this.value()) === JSON.stringify(args);
    return same || Object.keys(args).length === 0 ? "" : this.add(this.break(args));
  }

  /** Nothing more will come. A text that is broken stays so. */
  end(): string {
    return this.broken ? "" : this.add(this.beginning() + this.closeTo(0));
  }

  private add(text: string): string {
    this.text += text;
    return text;
  }

  private append(path: Path, value: JsonValue, more: boolean): string | undefined {
    const { levels } = this;
    const shared = this.shared(path);
    const level = levels[shared];
    const step = path[shared];
    if (step === undefined) {
      if (level !== undefined || !this.inString || typeof value !== "string") return undefined;
      return escaped(value) + (more ? "" : this.closeTo(levels.length));
    }
    const inner = path.slice(shared + 1);
    if (level === undefined || !fits(level, step) || !inner.every(canBegin)) return undefined;

    let text = this.beginning() + this.closeTo(shared + 1) + enter(level, step);
    for (const first of inner) {
      const opened: Level = { keys: typeof first === "string" ? new Set() : undefined, last: undefined };
      levels.push(opened);
      text += (typeof first === "string" ? "{" : "[") + enter(opened, first);
    }
    if (typeof value !== "string") return text + JSON.stringify(value);
    this.inString = more;
    return `${text}"${escaped(value)}${more ? "" : '"'}`;
  }

  /** Behind the end, the nearest open object gets the member anew that holds the place. */
  private rewrite(path: Path, value: JsonValue, more: boolean): string | undefined {
    const root = this.value();
    if (!put(root, path, value)) return undefined;
    let depth = Math.min(this.shared(path), path.length - 1, this.levels.length - 1);
    while (this.levels[depth]?.keys === undefined) depth--;
    const level = this.levels[depth] as Level;
    const text = this.closeTo(depth + 1) + enter(level, path[depth] as string);

    const member = path
      .slice(0, depth + 1)
      .reduce<JsonValue>((node, step) => at(node, step) as JsonValue, root);
    const json = JSON.stringify(member);
    const leaf = this.open(member);
    this.inString = more && typeof leaf === "string" && this.shared(path) === path.length;
    const closers = this.levels.length - depth - 1 + (this.inString ? 1 : 0);
    return text + json.slice(0, json.length - closers);
  }

  /** Goes into a value along its last members, as if it had been written piece by piece, to what stands last in it. */
  private open(value: JsonValue): JsonValue {
    let node = value;
    while (isContainer(node)) {
      const keys = Object.keys(node);
      const key = keys.at(-1);
      if (key === undefined) return node;
      const isArray = Array.isArray(node);
      this.levels.push({ keys: isArray ? undefined : new Set(keys), last: isArray ? Number(key) : key });
      node = at(node, isArray ? Number(key) : key) as JsonValue;
    }
    return node;
  }

  private break(patch: JsonValue): string {
    const text = this.broken ? "" : this.beginning() + this.closeTo(this.levels.length);
    this.broken = true;
    return `${text}\n${JSON.stringify(patch)}`;
  }

  /** How far the path is that of the value that stands last. */
  private shared(path: Path): number {
    let shared = 0;
    while (shared < path.length && this.levels[shared]?.last === path[shared]) shared++;
    return shared;
  }

  private beginning(): string {
    return this.text === "" ? "{" : "";
  }

  /** Closes the string, and all levels but so many. */
  private closeTo(count: number): string {
    const text = this.closers(count);
    this.inString = false;
    this.levels.length = Math.min(count, this.levels.length);
    return text;
  }

  private closers(count: number): string {
    const levels = this.levels.slice(count).reverse();
    return (this.inString ? '"' : "") + levels.map(({ keys }) => (keys === undefined ? "]" : "}")).join("");
  }

  private value(): JsonObject {
    return this.text === "" ? {} : (JSON.parse(this.text + this.closers(0)) as JsonObject);
  }
}

/** An object, or, without keys, an array that is open in the text. */
interface Level {
  readonly keys: Set<string> | undefined;
  /** The member or element that stands last in it. */
  last: string | number | undefined;
}

/** Elements that a path leaps over are null. A leap that is longer is a mistake. */
const longestGap = 1_000;

function canBegin(step: string | number): boolean {
  return typeof step === "string" || step < longestGap;
}

/** Whether the step leads to something new behind the end of the level. */
function fits({ keys, last = -1 }: Level, step: string | number): boolean {
  if (typeof step === "string") return keys !== undefined && !keys.has(step);
  return keys === undefined && step > (last as number) && step <= (last as number) + longestGap;
}

function enter(level: Level, step: string | number): string {
  const { last } = level;
  level.last = step;
  const comma = last === undefined ? "" : ",";
  if (typeof step === "number") return comma + "null,".repeat(step - ((last ?? -1) as number) - 1);
  level.keys?.add(step);
  return `${comma}${JSON.stringify(step)}:`;
}

/** @returns false if there is something else than the path says, and then nothing is changed that counts */
function put(root: JsonObject, path: Path, value: JsonValue): boolean {
  let node: JsonValue = root;
  for (const [index, step] of path.entries()) {
    if (!holds(node, step)) return false;
    const before = at(node, step);
    const next = path[index + 1];
    if (next === undefined) {
      if (isContainer(before)) return false;
      const joins = typeof before === "string" && typeof value === "string";
      set(node, step, joins ? before + value : value);
      return true;
    }
    if (before === undefined || before === null) set(node, step, typeof next === "number" ? [] : {});
    node = at(node, step) as JsonValue;
  }
  return false;
}

function holds(node: JsonValue, step: string | number): node is JsonObject | JsonArray {
  if (!isContainer(node)) return false;
  if (typeof step === "number") return Array.isArray(node) && step < node.length + longestGap;
  return !Array.isArray(node);
}

function set(node: JsonObject | JsonArray, step: string | number, value: JsonValue): void {
  if (!Array.isArray(node)) {
    setMember(node, step as string, value);
    return;
  }
  while (node.length < (step as number)) node.push(null);
  node[step as number] = value;
}

function at(node: JsonValue, step: string | number): JsonValue | undefined {
  return Object.hasOwn(node as object, step) ? (node as Record<string | number, JsonValue>)[step] : undefined;
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonArray {
  return typeof value === "object" && value !== null;
}

/** Well-formed also where a surrogate pair is cut in two: each half is escaped, and read back as one character. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
