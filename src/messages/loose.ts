import { quoted } from "../text/cut.js";

/** An object of unknown shape, such as one from an untyped caller. */
export type Loose = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Describes a value in a few words, for error messages. */
export function describe(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
