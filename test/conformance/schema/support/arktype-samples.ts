import fc from "fast-check";
import {
  anyOf,
  leaf,
  listOf,
  merged,
  nearly,
  number,
  objectCode,
  objectOf,
  recordOf,
  text,
  withValue,
  wrapped,
  type Sample,
} from "./sample.js";

/** Metadata that says more than ArkType checks. */
const lies =
  '.configure({ minimum: 5, maxLength: 1, minLength: 9, pattern: "^z", enum: ["z"], const: "z", format: "email", ' +
  'required: ["z"], additionalProperties: false, items: false, maxItems: 0, minProperties: 9, not: {} })';

const strings = [
  "string",
  "string > 1",
  "string <= 3",
  "1 < string < 4",
  "string == 2",
  "/^[a-c]/",
  "string.alpha",
  "string.alphanumeric",
  "string.capitalize",
  "string.capitalize.preformatted",
  "string.digits",
  "string.lower",
  "string.lower.preformatted",
  "string.upper",
  "string.trim",
  "string.trim.preformatted",
  "string.normalize",
  "string.numeric",
  "string.numeric.parse",
  "string.integer",
  "string.integer.parse",
  "string.json",
  "string.json.parse",
  "string.regex",
  "string.hex",
  "string.base64",
  "string.base64.url",
];

const formats: readonly (readonly [code: string, ...values: string[]])[] = [
  ["string.creditCard", "4111111111111111", "4111111111111112"],
  ["string.date", "2024-01-01", "x"],
  ["string.date.parse", "2024-01-01"],
  ["string.date.iso", "2024-01-01T00:00:00Z"],
  ["string.date.iso.parse", "2024-01-01"],
  ["string.date.epoch", "1700000000"],
  ["string.date.epoch.parse", "1700000000"],
  ["string.email", "a@b.co"],
  ["string.ip", "::1", "1.2.3.4"],
  ["string.ip.v4", "1.2.3.4"],
  ["string.ip.v6", "::1", "2001:DB8::1"],
  ["string.semver", "1.2.3-a"],
  ["string.url", "http://a.b"],
  ["string.url.parse", "http://a.b"],
  ["string.uuid", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
  ["string.uuid.v4", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
];

const numbers = [
  "number",
  "number.integer",
  "number.epoch",
  "number.safe",
  "number.NaN",
  "number.Infinity",
  "number > 0",
  "number <= 3",
  "0 <= number < 5",
  "number % 2",
  "number % 3",
  "(number % 2) > 1",
  "number.integer >= -1",
];

const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const inner = tie("sample");
  const list = (codes: readonly string[]): string => `[${codes.join(", ")}]`;
  const called = (names: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom("", "", "", lies, '.configure({ stream: "whole" })', '.describe("d")', '.brand("b")'),
      )
      .map(([name, more]) => `type(${JSON.stringify(name)})${more}`);
  const scalars = fc.oneof(
    withValue(text, called(strings)),
    withValue(text, called(strings)),
    withValue(number, called(numbers)),
    withValue(number, called(numbers)),
    fc.constantFrom(...formats).chain(([name, ...values]) => leaf(`type("${name}")`, ...values)),
    leaf(fc.constantFrom('type("boolean")', 'type("true")', 'type("true | null")'), true, false, null),
    leaf(fc.constantFrom("type(\"'a' | 'abc' | 1\")", 'type.enumerated("a", "abc", 1, null)'), "a", "abc", 1),
    leaf(
      fc.constantFrom('type.unit("a")', 'type("===", 1, "a")', 'type("\'a\'").or("1")', "type.unit(-0)"),
      "a",
      1,
      0,
    ),
    leaf('type.valueOf({ A: 0, B: "b" })', 0, "b"),
    leaf(fc.constantFrom('type("unknown")', 'type("unknown.any")', 'type("object.json")', 'type("object")')),
    leaf(
      fc.constantFrom(
        'type("never")',
        'type("undefined")',
        'type("bigint")',
        'type("symbol")',
        'type("Date")',
      ),
    ),
    leaf(
      fc.constantFrom(
        'type("10n | string")',
        "type.instanceOf(Array)",
        'type("instanceof", Object)',
        'type("Array")',
      ),
    ),
    leaf(
      fc.constantFrom(
        'type("string").narrow((s) => s !== "b")',
        'type("string > 1").filter((s) => s !== "ab")',
      ),
    ),
    leaf(
      fc.constantFrom('type("string").pipe((s) => [s])', 'type("string.trim").to("string <= 2")'),
      "a",
      " ab ",
      "abc",
    ),
    leaf('type("string[]").and("unknown[] > 0")', [], ["a"], ["a", "b"]),
    leaf('type({ length: "number", "0?": "string" })', [], [1], { length: 1 }, "a"),
    leaf('type("string | number[] < 2")', "a", [], [1], [1, 2]),
    leaf('type.keywords.Array.liftFrom("string")', "a", ["a"]),
    leaf('type.schema({ domain: "number", divisor: 2, min: 1 })', 2, 3),
  );
  const arrays = fc
    .tuple(inner, fc.nat(3))
    .chain(([{ code, value }, length]) =>
      fc
        .constantFrom(
          "",
          ".atLeastLength(1)",
          ".atMostLength(1)",
          ".exactlyLength(2)",
          ".moreThanLength(1)",
          ".lessThanLength(2)",
        )
        .map((call) => ({ code: `type(${code}, "[]")${call}`, value: Array.from({ length }, () => value) })),
    );
  const tuples = listOf(inner, (codes) => {
    const [first = 'type("string")', ...rest] = codes;
    return fc.constantFrom(
      `type(${list(codes)})`,
      `type(${list([first, ...rest.map((code) => `[${code}, "?"]`)])})`,
      `type(${list([...codes, '"..."', 'type("number[]")'])})`,
      `type(${list(['"..."', 'type("string[]")', ...codes])})`,
      `type(${list([...codes, "\"string = 'x'\""])})`,
      `type(${list([...codes, '"string?"', '"..."', 'type("boolean[]")'])})`,
    );
  });
  const objects = objectOf(inner, (members) => {
    const optional = members.map(([name, code], i) => [i % 2 === 0 ? name : `${name}?`, code] as const);
    const some = objectCode(optional);
    const all = objectCode(members);
    return fc.constantFrom(
      `type(${all})`,
      `type(${some})`,
      `type({ ...${some}, "+": "reject" })`,
      `type({ ...${some}, "+": "delete" })`,
      `type({ ...${some}, "+": "ignore" })`,
      `type({ ...${some}, "[string]": "unknown" })`,
      `type({ ...${some}, "[string]": "number | string", "+": "reject" })`,
      `type({ ...${some}, "[/^[ab]/]": "number", "+": "reject" })`,
      `type({ ...${some}, "[string > 1]": "number", "+": "reject" })`,
      `type({ ...${some}, "[string.alpha]": "number" })`,
      `type({ ...${some}, x: "number = 1", "y?": "string.trim" })`,
      `type(${all}).partial()`,
      `type(${all}).required()`,
      `type(${some}).merge({ b: "string", "+": "reject" })`,
      `type(${some}).onUndeclaredKey("reject")`,
      `type(${some}).onDeepUndeclaredKey("delete")`,
      `type(${some})${lies}`,
      `type(${some}).narrow((o) => Object.keys(o).length < 3)`,
      `type(${some}).pipe((o) => Object.keys(o))`,
      `type(${all}).readonly()`,
      `type(${all}).configure({ stream: "required" }, "self")`,
    );
  });
  const records = recordOf(inner, (code) =>
    fc.constantFrom(
      `type({ "[string]": ${code} })`,
      `type.Record("string", ${code})`,
      `type.keywords.Partial(type.Record("string", ${code}))`,
      `type({ "[/^a/]": ${code} })`,
    ),
  );
  const unions = fc.oneof(
    anyOf(inner, (codes) => codes.reduce((one, other) => `type(${one}, "|", ${other})`)),
    fc
      .tuple(
        objectOf(inner, (members) => fc.constant(objectCode(members))),
        inner,
      )
      .map(([{ code, value }, other]) => ({
        code: `type({ ...${code}, k: "'a'" }).or({ k: "'b' | 'c'", x: ${other.code}, "+": "reject" })`,
        value: merged(value, { k: "a" }),
      })),
  );
  const intersections = fc
    .tuple(fc.oneof(objects, records, inner), fc.oneof(objects, records, inner))
    .map(([one, other]) => ({
      code: `type(${one.code}, "&", ${other.code})`,
      value: merged(one.value, other.value),
    }));
  const wrappers = wrapped(
    inner,
    (code) => `type(${code}, "|", "null")`,
    (code) => `type(${code}).narrow((x) => x !== "b")`,
    (code) => `type(${code}, ":", (x) => x !== "b")`,
    (code) => `type(${code}).pipe((x) => [x])`,
    (code) => `type(${code}, "=>", (x) => [x])`,
    (code) => `type(${code}, "|>", "unknown")`,
    (code) => `type(${code}, "@", "d")`,
    (code) => `type(${code})${lies}`,
    (code) => `type(${code}).configure({ stream: "whole" })`,
    (code) => `type(${code}).brand("b")`,
    (code) => `type({ a: type(${code}).default(() => []) })`,
    (code) => `type({ a: [${code}, "=", "x"] })`,
    (code) => `type({ "a?": ${code} }).get("a")`,
    (code) => `type.module({ X: ${code} }).X`,
    (code) => `scope({ X: ${code}, Y: "X[]" }).type("Y | X")`,
    (code) => `type("<T>", { a: "T" })(${code})`,
    (code) => `type.keywords.Pick(type({ a: ${code}, b: "string" }), "'a'")`,
    (code) => `type.keywords.Omit(type({ a: ${code}, b: "string" }), "'b'")`,
    (code) => `type({ a: ${code} }).omit("b")`,
    (code) => `type({ a: ${code}, b: "string" }).pick("a")`,
    (code) => `type(${code}).exclude("string")`,
    (code) => `type(${code}).extract("string")`,
    (code) => `type.raw(${code})`,
    (code) => `type(${code}).in`,
    (code) => `type(() => ${code})`,
  );
  const recursive = fc.constantFrom<Sample>(
    { code: 'type({ v: "string", "k?": "this[]" })', value: { v: "", k: [{ v: "a", k: [] }] } },
    {
      code: 'scope({ t: { a: "t | string", "b?": "t", "c?": "t | number" } }).export().t',
      value: { a: "x", b: { a: "y" }, c: { a: { a: "x" } } },
    },
    {
      code: 'scope({ t: [{ k: "\'a\'", n: "t | string" }, "|", { k: "\'b\'", n: "t" }] }).export().t',
      value: { k: "b", n: { k: "a", n: "x" } },
    },
    {
      code: 'scope({ l: ["string", "l | null"] }).export().l',
      value: ["a", ["a", null]],
    },
    {
      code: 'scope({ j: "string | number | boolean | null | j[] | o", o: { "[string]": "j" } }).export().j',
      value: { a: [1, "1"] },
    },
  );
  return {
    sample: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalars,
      scalars,
      arrays,
      tuples,
      objects,
      objects,
      records,
      unions,
      intersections,
      wrappers,
      wrappers,
      recursive,
    ),
  };
});

/** Types of ArkType that use all its constructors, with values that they may accept. */
export const arktypeSamples: fc.Arbitrary<Sample> = nearly(sample);
