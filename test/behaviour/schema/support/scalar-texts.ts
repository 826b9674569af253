import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";

/** A schema for numbers, booleans, dates or options, and a text of parts that have a meaning there. */
export interface TextForScalar {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

function textOf(parts: readonly string[], maxLength = 7): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength }).map((all) => all.join(""));
}

const number = textOf(
  "1|2|34|567|000|0|.|,| |\u202f|-|+|\u2212|$|€|USD|EUR|US$|ABCD|%|e|E|e+|'|’|_|/|⁄|½|¾|²|(|\n|k|kg|٣|NaN|R$".split(
    "|",
  ),
);
const boolean = textOf('true|false|yes|no|Y|TRUE| |.|!|*|"|ye|s|1|0|tr|ue|:'.split("|"), 4);
const date = textOf(
  "5|05|12|2024|March|mar|Tue|Tuesday| |, |,|of |th|-|/|.|T|14:30|:00|.5|Z|UTC|+01:00|\n".split("|"),
  9,
);
const words =
  "High|low|LOW|e\u0301| |-|: |*|**|!|\"|'|1|10|²|½|5|.|,|(|)|C#|C++|not|Σ|σ|ΟΔΟΣ|ß|ss|\u2014|\n|_|ﬁ|İ|i|①".split(
    "|",
  );
const option = fc.tuple(textOf(words, 3), textOf(words, 3), textOf(words, 4)).chain(([one, other, more]) =>
  fc.record({
    schema: fc.constantFrom<JsonObject>(
      { enum: [one, other] },
      { enum: [one, 5, true, null] },
      { anyOf: [{ const: one }, { type: "number" }] },
    ),
    value: fc.constantFrom(one + more, `**${one}** ${more}`, one.toUpperCase(), more),
  }),
);

function of(value: fc.Arbitrary<string>, ...schemas: readonly JsonObject[]): fc.Arbitrary<TextForScalar> {
  return fc.record({ schema: fc.constantFrom(...schemas), value });
}

/** The scalar itself, a member, or a list of one. */
export const textForScalar: fc.Arbitrary<TextForScalar> = fc
  .oneof(
    of(
      number,
      { type: "number" },
      { type: "integer" },
      { type: ["number", "boolean"] },
      { maximum: 1, type: "number" },
    ),
    of(boolean, { type: "boolean" }, { const: true }, { type: ["boolean", "null"] }),
    of(date, { type: "string", format: "date" }, { type: "string", format: "date-time" }),
    option,
  )
  .chain(({ schema, value }) =>
    fc.constantFrom<TextForScalar>(
      { schema, value },
      { schema: { type: "object", properties: { a: schema }, required: ["a"] }, value: { a: value } },
      { schema: { type: "array", items: schema }, value },
    ),
  );
