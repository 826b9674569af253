import type { JsonObject } from "../../json/value.js";

/** The parts of a schema, each written once under `$defs`, so that a recursive schema has an end. */
export class Definitions {
  readonly $defs: JsonObject = {};
  private readonly ids = new Map<object, number>();

  /**
   * Returns a reference to a part. Calls `write` for the first reference.
   *
   * @param form distinguishes several definitions of one part
   */
  refer(part: object, write: () => JsonObject, form = ""): JsonObject {
    const id = this.ids.get(part) ?? this.ids.size;
    this.ids.set(part, id);
    const name = `${id}${form}`;
    if (!(name in this.$defs)) {
      this.$defs[name] = {}; // for a part that contains itself
      this.$defs[name] = write();
    }
    return { $ref: `#/$defs/${name}` };
  }
}

/** The schema that `write` returns, with the definitions of its parts. */
export function wholeSchema(write: (definitions: Definitions) => JsonObject): JsonObject {
  const definitions = new Definitions();
  return { ...write(definitions), $defs: definitions.$defs };
}

/** Writes a part of a type, for which a table of a library has a row. */
export type WritePart<Part, More extends readonly unknown[]> = (
  part: Part,
  definitions: Definitions,
  ...more: More
) => JsonObject;

/** Writes a part once, under `$defs`, because it may contain itself. With `true` it is another definition. */
export function asDefinition<Part extends object, More extends readonly unknown[]>(
  write: WritePart<Part, More>,
): WritePart<Part, More> {
  return (part, definitions, ...more) =>
    definitions.refer(part, () => write(part, definitions, ...more), more.includes(true) ? "-open" : "");
}

/** A schema that accepts no value. */
export function nothing(): JsonObject {
  return { enum: [] };
}

/** One schema that requires all of `rules`: their keywords side by side, and repeated keywords in `allOf`. */
export function all(...rules: readonly JsonObject[]): JsonObject {
  const merged: JsonObject = {};
  const others: JsonObject[] = [];
  for (const rule of rules) {
    if (Object.keys(rule).some((keyword) => keyword in merged)) others.push(rule);
    else Object.assign(merged, rule);
  }
  return others.length === 0 ? merged : { ...merged, allOf: others };
}

/** A rule with a number. No rule for another value. */
export function bound(keyword: string, value: unknown): JsonObject {
  return typeof value === "number" ? { [keyword]: value } : {};
}

/** The rule for the length of a string as a rule for the number of elements. */
export function ofElements(rule: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(rule).map(([keyword, value]) => [keyword.replace("Length", "Items"), value]),
  );
}

/** The scalars among `values` as an `enum`. JSON has no other values that a library compares. */
export function oneOf(values: Iterable<unknown>): JsonObject {
  const isScalar = (value: unknown): value is string | number | boolean | null =>
    value === null || ["string", "number", "boolean"].includes(typeof value);
  return { enum: [...values].filter(isScalar) };
}

/** The `pattern` of a regular expression. No rule if flags change what it matches, because JSON Schema has no flags. */
export function matching({ source, flags }: RegExp): JsonObject {
  return flags === "" || flags === "u" ? { pattern: source } : {};
}

export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Whether every object has this key, because libraries look for keys in the prototype too (`"toString" in {}`). */
export function isInherited(key: string): boolean {
  return key in {};
}

/** The mark of a part, as `{ stream: "whole" }`. */
export function markOf(metadata: unknown): JsonObject {
  const { stream } = Object(metadata) as { readonly stream?: unknown };
  return stream === "whole" || stream === "required" ? { stream } : {};
}
