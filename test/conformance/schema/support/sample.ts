import fc from "fast-check";
import type { JsonValue } from "millrace";
import type { SchemaInput } from "millrace/schema";

/** A schema, as code that creates it with a library, and a value that it may accept. */
export interface Sample {
  readonly code: string;
  readonly value: JsonValue;
}

/** Runs the code of a schema, which may use the names in `scope`. A failure prints the schema as code. */
export function schemaFrom(code: string, scope: Readonly<Record<string, unknown>>): SchemaInput {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- see above
  return new Function(...Object.keys(scope), `return ${code}`)(...Object.values(scope)) as SchemaInput;
}

/** Code, and values that it may accept. */
export function leaf(code: string | fc.Arbitrary<string>, ...values: JsonValue[]): fc.Arbitrary<Sample> {
  const arbitrary = typeof code === "string" ? fc.constant(code) : code;
  const value = values.length === 0 ? anyJson : fc.constantFrom(...values);
  return fc.tuple(arbitrary, value).map(([it, found]) => ({ code: it, value: found }));
}

/** Code that is made of a value, and that value. */
export function withValue(value: fc.Arbitrary<JsonValue>, code: fc.Arbitrary<string>): fc.Arbitrary<Sample> {
  return fc.tuple(code, value).map(([it, found]) => ({ code: it, value: found }));
}

/** `base.a().b()`, with up to three of the calls. */
export function chained(base: string, ...calls: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...calls), { maxLength: 3 }).map((some) => [base, ...some].join(""));
}

/** The given samples, or samples around others. */
export function wrapped(
  inner: fc.Arbitrary<Sample>,
  ...wrap: readonly ((code: string) => string)[]
): fc.Arbitrary<Sample> {
  return fc
    .tuple(inner, fc.constantFrom(...wrap))
    .map(([{ code, value }, by]) => ({ code: by(code), value }));
}

/** One of the samples, under the given code of all: a union. */
export function anyOf(
  inner: fc.Arbitrary<Sample>,
  code: (codes: readonly string[]) => string,
): fc.Arbitrary<Sample> {
  return fc
    .array(inner, { minLength: 1, maxLength: 3 })
    .chain((samples) =>
      fc
        .constantFrom(...samples)
        .map(({ value }) => ({ code: code(samples.map((each) => each.code)), value })),
    );
}

/** Arrays whose elements have a schema each. `values` may be fewer than `codes`, or more. */
export function listOf(
  inner: fc.Arbitrary<Sample>,
  code: (codes: readonly string[]) => fc.Arbitrary<string>,
): fc.Arbitrary<Sample> {
  return fc.array(inner, { maxLength: 3 }).chain((samples) =>
    fc
      .tuple(code(samples.map((each) => each.code)), fc.subarray(samples, { minLength: 0 }))
      .map(([it, some]) => ({
        code: it,
        value: some.map(({ value }) => value),
      })),
  );
}

/** The code of an object literal, in which `__proto__` is a member. */
export function objectCode(entries: readonly (readonly [key: string, code: string])[]): string {
  return `{ ${entries.map(([name, code]) => `[${JSON.stringify(name)}]: ${code}`).join(", ")} }`;
}

export const text: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom("a", "b", "c", "A", "B", " ", "é", "😀", "\n", "1", "-"),
  maxLength: 6,
});

export const number: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -10, max: 10 }),
  fc.integer({ min: -100, max: 100 }).map((tenths) => tenths / 10),
  fc.integer({ min: -1_000, max: 1_000 }).map((parts) => parts / 1_000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1.5e22, 1e-7, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 3.5e38, 1e308),
);

/** Names that objects, arrays or libraries treat in a special way, and plain ones. */
const key: fc.Arbitrary<string> = fc.constantFrom(
  ..."a a b b c ab __proto__ constructor prototype toString length 0 1 1.5 x-a A".split(" "),
  "",
  " a ",
);

/** Objects whose members have a schema each. Some members are left out, and some are unknown. */
export function objectOf(
  inner: fc.Arbitrary<Sample>,
  code: (entries: readonly (readonly [key: string, code: string])[]) => fc.Arbitrary<string>,
): fc.Arbitrary<Sample> {
  return fc.uniqueArray(fc.tuple(key, inner), { maxLength: 3, selector: ([name]) => name }).chain((members) =>
    fc
      .tuple(
        code(members.map(([name, sample]) => [name, sample.code])),
        fc.oneof({ weight: 3, arbitrary: fc.constant(members) }, fc.subarray(members)),
      )
      .map(([it, some]) => ({
        code: it,
        value: Object.fromEntries(some.map(([name, { value }]) => [name, value])),
      })),
  );
}

/** Objects whose members all have the schema `inner`. */
export function recordOf(
  inner: fc.Arbitrary<Sample>,
  code: (inner: string) => fc.Arbitrary<string>,
): fc.Arbitrary<Sample> {
  return fc
    .tuple(inner, fc.uniqueArray(key, { maxLength: 3 }))
    .chain(([{ code: it, value }, keys]) =>
      code(it).map((all) => ({ code: all, value: Object.fromEntries(keys.map((name) => [name, value])) })),
    );
}

/** Two objects in one. */
export function merged(one: JsonValue, other: JsonValue): JsonValue {
  const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(one) || !isObject(other)) return one;
  return Object.fromEntries([...Object.entries(one), ...Object.entries(other)]);
}

const { anyJson } = fc.letrec<{ anyJson: JsonValue }>((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    text,
    number,
    fc.constantFrom(null, true, false, [], {}),
    fc.array(tie("anyJson"), { maxLength: 2 }),
    fc.dictionary(key, tie("anyJson"), { maxKeys: 2, noNullPrototype: true }),
  ),
}));

/** The value with up to three members set to null. */
export function withNulls(samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const places = fc.array(fc.tuple(fc.nat(6), key), { maxLength: 3 });
  return fc.tuple(samples, places).map(([{ code, value }, nulls]) => ({
    code,
    value: nulls.reduce(
      (all, [at, name]) =>
        changedAt(all, at, (inner) =>
          typeof inner === "object" && inner !== null && !Array.isArray(inner)
            ? Object.fromEntries([...Object.entries(inner), [name, null]])
            : inner,
        ),
      value,
    ),
  }));
}

/** The value, or the value with one change. */
export function nearly(samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const change = fc.record({ at: fc.nat(20), how: fc.nat(4), key, json: anyJson });
  return fc.tuple(samples, fc.option(change, { freq: 3 })).map(([{ code, value }, it]) => ({
    code,
    value: it === null ? value : changedAt(value, it.at, (inner) => changed(inner, it.how, it.key, it.json)),
  }));
}

/** Replaces one of the values inside a value: the one with this number, in the order of the text. */
function changedAt(value: JsonValue, at: number, change: (inner: JsonValue) => JsonValue): JsonValue {
  const visit = (inner: JsonValue): JsonValue => {
    if (at-- === 0) return change(inner);
    if (Array.isArray(inner)) return inner.map(visit);
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, member]) => [name, visit(member)]));
  };
  return visit(value);
}

function changed(value: JsonValue, how: number, name: string, json: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    if (how === 1) return value.slice(0, -1);
    if (how > 1) return [...value, json];
  } else if (typeof value === "object" && value !== null) {
    if (how === 1) return Object.fromEntries(Object.entries(value).slice(1));
    if (how > 1) return Object.fromEntries([...Object.entries(value), [name, json]]);
  } else if (how === 1) return String(value);
  else if (how === 2) return [value];
  return json;
}
