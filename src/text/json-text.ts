export interface JsonTextOptions {
  /** Maximum number of containers inside each other. Default: no limit. */
  readonly maxDepth?: number;
  /** Maximum length of the text. Default: 67,108,864. */
  readonly maxLength?: number;
  /** Writes `NaN` and `Infinity` as such, which JSON does not have. Default: null, as `JSON.stringify()` does. */
  readonly nonFinite?: boolean;
  /** Leaves out the members for which it returns true. */
  readonly omit?: (key: string, value: unknown) => boolean;
}

export interface JsonText {
  /** The text, or with a problem its beginning. */
  readonly text: string;
  /** Why the value has no text or no more text, such as "it contains itself at /a/b". */
  readonly problem: string | undefined;
  /** The error that a getter, `toJSON()` or a proxy has thrown. */
  readonly cause: unknown;
}

/**
 * Writes a foreign value as `JSON.stringify()` does, but does not recurse and never throws: not at any depth, and not
 * for a cycle, a bigint, a getter or `toJSON()` that throws, or a revoked proxy.
 */
export function jsonText(value: unknown, options: JsonTextOptions = {}): JsonText {
  return new JsonWriter(options).write(value);
}

/** A string as JSON text, without quotes. */
export function inJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** An array or object that is not written to its end. */
interface Container {
  readonly value: object;
  /** The keys of an object; `undefined` for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  /** The index of the next member. */
  next: number;
  empty: boolean;
}

class JsonWriter {
  private readonly maxDepth: number;
  private readonly maxLength: number;
  private readonly omit: JsonTextOptions["omit"];
  private readonly nonFinite: boolean;
  private readonly open: Container[] = [];
  private readonly ancestors = new Set<unknown>();
  private text = "";
  private problem: string | undefined;

  constructor({ maxDepth = Infinity, maxLength = 67_108_864, omit, nonFinite = false }: JsonTextOptions) {
    this.nonFinite = nonFinite;
    this.maxDepth = maxDepth;
    this.maxLength = maxLength;
    this.omit = omit;
  }

  write(root: unknown): JsonText {
    let cause: unknown;
    try {
      if (!this.add("", root, ""))
        this.fail(root === undefined ? "it is undefined" : `it is a ${typeof root}`);
      for (let last = this.open.at(-1); last !== undefined; last = this.open.at(-1)) this.continue(last);
    } catch (error) {
      if (this.problem === undefined) cause = error;
      this.problem ??= `reading it failed${this.place()}`;
    }
    return { text: this.text, problem: this.problem, cause };
  }

  /** Writes the next member of a container, or its end. */
  private continue(container: Container): void {
    const { value, keys, length, next, empty } = container;
    const comma = empty ? "" : ",";
    if (next === length) {
      this.open.pop();
      this.ancestors.delete(value);
      this.append(keys === undefined ? "]" : "}");
      return;
    }
    container.next++;
    if (keys === undefined) {
      container.empty = false;
      if (!this.add(comma, (value as readonly unknown[])[next], String(next))) this.append(`${comma}null`);
      return;
    }
    const key = keys[next] as string;
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (this.omit?.(key, member) === true) return;
    if (this.add(`${comma}${JSON.stringify(key)}:`, member, key)) container.empty = false;
  }

  /** Writes a scalar, or begins a container. Returns false for a value that JSON leaves out, such as `undefined`. */
  private add(prefix: string, foreign: unknown, key: string): boolean {
    const value = replaced(foreign, key);
    switch (typeof value) {
      case "string":
        // A longer text would be cut off anyway.
        this.append(prefix + JSON.stringify(value.slice(0, this.maxLength + 1)));
        return true;
      case "number":
        this.append(prefix + (this.nonFinite || Number.isFinite(value) ? String(value) : "null"));
        return true;
      case "boolean":
        this.append(prefix + String(value));
        return true;
      case "object":
        if (value === null) this.append(`${prefix}null`);
        else this.begin(prefix, value);
        return true;
      case "bigint":
        return this.fail(`it contains a bigint${this.place()}`);
      default:
        return false;
    }
  }

  private begin(prefix: string, value: object): void {
    if (this.ancestors.has(value)) this.fail(`it contains itself${this.place()}`);
    if (this.open.length >= this.maxDepth) this.fail(`it is nested more than ${this.maxDepth} levels deep`);
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    const length = keys?.length ?? (value as readonly unknown[]).length;
    this.append(prefix + (keys === undefined ? "[" : "{"));
    this.open.push({ value, keys, length, next: 0, empty: true });
    this.ancestors.add(value);
  }

  private append(text: string): void {
    this.text += text;
    if (this.text.length <= this.maxLength) return;
    this.text = this.text.slice(0, this.maxLength);
    this.fail(`it is longer than ${this.maxLength} characters`);
  }

  private fail(problem: string): never {
    this.problem = problem;
    throw new Error(problem);
  }

  /** The place of the current member as a JSON Pointer, if it is a short one. */
  private place(): string {
    const { open } = this;
    if (open.length === 0 || open.length > maxPlace) return "";
    const keys = open.map(({ keys, next }) => String(keys?.[next - 1] ?? next - 1));
    const pointer = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return pointer.length > maxPlace ? "" : ` at ${pointer}`;
  }
}

const maxPlace = 200;

/** The value that JSON writes for an object with `toJSON()`, or for a scalar in an object. */
function replaced(foreign: unknown, key: string): unknown {
  if (typeof foreign !== "object" && typeof foreign !== "function" && typeof foreign !== "bigint")
    return foreign;
  const { toJSON } = (foreign ?? {}) as { readonly toJSON?: unknown };
  const value: unknown = typeof toJSON === "function" ? toJSON.call(foreign, key) : foreign;
  const isWrapper =
    value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt;
  return isWrapper ? value.valueOf() : value;
}

/**
 * JSON text without half a surrogate pair, which servers refuse: each becomes U+FFFD. In the text that
 * `JSON.stringify()` writes, and in that of a model, such a half is an escape: `"\ud83c"`. A pair of escapes stays.
 */
export function wellFormedJson(text: string): string {
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(escapes, (escape) => (half.test(escape) ? "\\ufffd" : escape));
}

/** A pair of escapes, or any other escape: `\\` also hides the letter after it. */
const escapes = /\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|\\u[\da-f]{4}|\\[^]/gi;
const half = /^\\ud[89a-f][\da-f]{2}$/i;

/** JSON whose members are in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(JSON.parse(jsonText(value).text), (_, it: unknown) =>
    typeof it === "object" && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

/** The value of a JSON text. @param problem makes the error for any other text */
export function parseJson(text: string, problem: (cause: unknown) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw problem(cause);
  }
}

/** The value of a JSON text, or `undefined`. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
