import type { AnswerRow, RepairRow } from "./corpora.js";

export type Outcome = "equal" | "error" | "different";

/** The result of a reader. */
export type Reading = { readonly value: unknown } | { readonly error: unknown };

export interface Call {
  readonly name: string;
  readonly args: unknown;
}

/** With a schema, `null` equals an absent member: some libraries add optional members. */
export function outcomeOf({ value, schema }: RepairRow, reading: Reading): Outcome {
  const expected = value !== undefined;
  if ("error" in reading) return expected ? "error" : "equal";
  return expected && isSame(value, reading.value, schema !== undefined) ? "equal" : "different";
}

/** Compares as the Berkeley Function Calling Leaderboard does: one call, and each argument has a possible value. */
export function outcomeOfAnswer({ question, dialect }: AnswerRow, reading: Reading): Outcome {
  if ("error" in reading) return "error";
  const [call, ...others] = reading.value as readonly Call[];
  if (call === undefined) return "error";
  const [[name, possible] = ["", {}]] = Object.entries(question.possible);
  const found = dialect === "python" ? call.name : call.name.replaceAll("_", ".");
  const isNamed = found === name || (dialect !== "python" && found === name.replaceAll("_", "."));
  if (!isNamed || others.length > 0 || !isRecord(call.args)) return "different";
  return fits(call.args, possible) ? "equal" : "different";
}

function fits(args: object, possible: Readonly<Record<string, readonly unknown[]>>): boolean {
  const actual = new Map<string, unknown>(Object.entries(args));
  const isKnown = [...actual.keys()].every((name) => Object.hasOwn(possible, name));
  const isMet = (name: string, values: readonly unknown[]): boolean =>
    actual.has(name) ? values.some((it) => isPossible(actual.get(name), it)) : values.includes("");
  return isKnown && Object.entries(possible).every(([name, values]) => isMet(name, values));
}

/** In an object, a possible value lists the possible values of each member. */
function isPossible(value: unknown, possible: unknown): boolean {
  if (typeof value === "string" && typeof possible === "string") return plain(value) === plain(possible);
  if (Array.isArray(possible)) {
    if (!Array.isArray(value) || value.length !== possible.length) return false;
    return possible.every((it, i) => isPossible(value[i], it));
  }
  if (!isRecord(possible)) return isSame(value, possible);
  return isRecord(value) && fits(value, possible as Readonly<Record<string, readonly unknown[]>>);
}

function plain(text: string): string {
  return text
    .replaceAll(/[\s,./\-_*^]/g, "")
    .toLowerCase()
    .replaceAll("'", '"');
}

/** Deep equality. Numbers are compared by value, so -0 is 0. */
function isSame(a: unknown, b: unknown, nullIsAbsent = false): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((it, i) => isSame(it, b[i], nullIsAbsent));
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => {
    const [x, y] = [a, b].map((it) => (Object.hasOwn(it, key) ? it[key] : nullIsAbsent ? null : undefined));
    return isSame(x, y, nullIsAbsent);
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
