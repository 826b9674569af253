import { quoted } from "../text/cut.js";

/** An object of unknown shape, such as one from an untyped caller. */
export type Loose = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function presentIn(fields: Loose): Loose {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? undefined) !== undefined));
}

export function stringsIn<Name extends string>(
  fields: Readonly<Record<Name, unknown>>,
): Readonly<Partial<Record<Name, string>>> {
  const strings = Object.entries(fields).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(strings) as Partial<Record<Name, string>>;
}

export function describe(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}
