import {
  isContainer,
  setMember,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../../../json/value.js";
import { argumentText } from "../../wire/plain-json.js";
import type { Path } from "./json-path.js";

/**
 * Converts arguments that arrive as values at paths to growing JSON text.
 *
 * Gemini sends arguments in document order, so a value nearly always belongs at the open end: levels after the common
 * prefix of the two paths are closed, and the levels of the new path are opened. For a place that is already closed,
 * the member of the innermost open object is written again as a whole: as in `JSON.parse`, the later duplicate wins.
 * Texts for one place are joined.
 *
 * Some models contradict themselves, for example with a member of an array (vercel/ai#14358). No JSON text can express
 * that, so the raw patch is appended and the text becomes invalid. The call becomes an `invalid_tool_call` that
 * contains everything.
 */
export class ArgumentText {
  private text = "";
  private levels: ArgumentLevel[] = [{ keys: new Set(), last: undefined }];
  /** Whether the text ends inside a string. */
  private inString = false;
  private broken = false;

  /**
   * @param more whether the value is a string that continues
   * @returns the text to append
   */
  write(path: Path | undefined, value: JsonValue, more: boolean, patch: JsonValue): string {
    const added =
      this.broken || path === undefined
        ? undefined
        : (this.append(path, value, more) ?? this.rewrite(path, value, more));
    return this.add(added ?? this.break(patch));
  }

  /** Writes all arguments at once, with or without earlier patches. */
  writeAll(args: JsonObject): string {
    if (this.text === "") {
      const entries = Object.entries(args);
      return entries.map(([key, value]) => this.write([key], value, false, args)).join("");
    }
    const same = !this.broken && argumentText(this.value()) === argumentText(args);
    return same || Object.keys(args).length === 0 ? "" : this.add(this.break(args));
  }

  /** Ends the text. An invalid text stays invalid. */
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
      const opened: ArgumentLevel = {
        keys: typeof first === "string" ? new Set() : undefined,
        last: undefined,
      };
      levels.push(opened);
      text += (typeof first === "string" ? "{" : "[") + enter(opened, first);
    }
    if (typeof value !== "string") return text + argumentText(value);
    this.inString = more;
    return `${text}"${escaped(value)}${more ? "" : '"'}`;
  }

  /** Writes the member of the nearest open object that contains the place again. */
  private rewrite(path: Path, value: JsonValue, more: boolean): string | undefined {
    const root = this.value();
    if (!put(root, path, value)) return undefined;
    let depth = Math.min(this.shared(path), path.length - 1, this.levels.length - 1);
    while (this.levels[depth]?.keys === undefined) depth--;
    const level = this.levels[depth] as ArgumentLevel;
    const text = this.closeTo(depth + 1) + enter(level, path[depth] as string);

    const member = path
      .slice(0, depth + 1)
      .reduce<JsonValue>((node, step) => at(node, step) as JsonValue, root);
    const json = argumentText(member);
    const leaf = this.open(member);
    this.inString = more && typeof leaf === "string" && this.shared(path) === path.length;
    const closers = this.levels.length - depth - 1 + (this.inString ? 1 : 0);
    return text + json.slice(0, json.length - closers);
  }

  /** Opens a value along its last members, as if it had been written in pieces, down to its last leaf. */
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
    return `${text}\n${argumentText(patch)}`;
  }

  /** Length of the common prefix of the path and the open levels. */
  private shared(path: Path): number {
    let shared = 0;
    while (shared < path.length && this.levels[shared]?.last === path[shared]) shared++;
    return shared;
  }

  private beginning(): string {
    return this.text === "" ? "{" : "";
  }

  /** Closes the string and all levels beyond `count`. */
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

/** An open container: an object, or an array if it has no keys. */
interface ArgumentLevel {
  readonly keys: Set<string> | undefined;
  /** Its last member or element. */
  last: string | number | undefined;
}

/** Skipped elements become null. A longer gap is treated as an error. */
const longestGap = 1_000;

function canBegin(step: string | number): boolean {
  return typeof step === "string" || step < longestGap;
}

/** Whether the step adds a member or element at the end of the level. */
function fits({ keys, last = -1 }: ArgumentLevel, step: string | number): boolean {
  if (typeof step === "string") return keys !== undefined && !keys.has(step);
  return keys === undefined && step > (last as number) && step <= (last as number) + longestGap;
}

function enter(level: ArgumentLevel, step: string | number): string {
  const { last } = level;
  level.last = step;
  const comma = last === undefined ? "" : ",";
  if (typeof step === "number") return comma + "null,".repeat(step - ((last ?? -1) as number) - 1);
  level.keys?.add(step);
  return `${comma}${JSON.stringify(step)}:`;
}

/** @returns false if the existing value does not match the path; the value is then unchanged */
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

/** Stays well-formed if a surrogate pair is split: each half is escaped, and both are read as one character. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
