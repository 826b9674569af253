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

/** Metadata that says more than Valibot checks. */
const lies =
  'v.metadata({ type: "number", minimum: 5, maxLength: 1, minLength: 9, pattern: "^z", enum: ["z"], const: "z", format: "email", ' +
  'required: ["z"], additionalProperties: false, items: false, maxItems: 0, minProperties: 9, not: {} })';

/** `v.pipe(base, …)`, with up to three of the actions. */
function piped(base: string, ...actions: readonly string[]): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...actions), { maxLength: 3 })
    .map((some) => (some.length === 0 ? base : `v.pipe(${[base, ...some].join(", ")})`));
}

const common = [
  lies,
  'v.metadata({ stream: "whole" })',
  'v.title("t")',
  'v.description("d")',
  'v.examples(["e"])',
  'v.brand("b")',
  'v.flavor("f")',
  "v.readonly()",
  'v.check((x) => x !== "b")',
  "v.rawCheck(() => {})",
  "v.guard((x) => true)",
  "v.transform((x) => [x])",
  "v.rawTransform(({ dataset }) => dataset.value)",
];

const stringActions = [
  ...common,
  "v.minLength(1)",
  "v.maxLength(3)",
  "v.length(2)",
  "v.nonEmpty()",
  "v.empty()",
  "v.regex(/^[a-c]/)",
  "v.regex(/a/i)",
  "v.regex(/^.$/u)",
  "v.regex(/b/g)",
  'v.includes("b")',
  'v.excludes("b")',
  'v.startsWith("a")',
  'v.endsWith("b")',
  'v.endsWith("\\n")',
  "v.trim()",
  "v.trimStart()",
  "v.trimEnd()",
  "v.normalize()",
  "v.toLowerCase()",
  "v.toUpperCase()",
  "v.toCamelCase()",
  "v.toKebabCase()",
  "v.toPascalCase()",
  "v.toSnakeCase()",
  'v.value("a")',
  "v.value(1)",
  'v.values(["a", "b"])',
  'v.notValue("a")',
  'v.notValues(["a"])',
  'v.minValue("a")',
  'v.maxValue("b")',
  'v.gtValue("a")',
  'v.ltValue("c")',
  "v.minBytes(1)",
  "v.maxBytes(4)",
  "v.bytes(2)",
  "v.notBytes(2)",
  "v.minCodePoints(1)",
  "v.maxCodePoints(2)",
  "v.codePoints(2)",
  "v.notCodePoints(2)",
  "v.minGraphemes(1)",
  "v.maxGraphemes(2)",
  "v.graphemes(2)",
  "v.notGraphemes(2)",
  'v.minWords("en", 1)',
  'v.maxWords("en", 2)',
  'v.words("en", 1)',
  'v.notWords("en", 1)',
  "v.notLength(1)",
  "v.parseJson()",
  "v.toNumber()",
  "v.toBigint()",
  "v.toBoolean()",
  "v.toDate()",
  "v.parseBoolean()",
  "v.stringifyJson()",
  'v.toMinValue("b")',
  'v.toMaxValue("b")',
  "v.forward(v.maxLength(2), [])",
  'v.string(), v.picklist(["a", "b"])',
];

const numberActions = [
  ...common,
  "v.integer()",
  "v.safeInteger()",
  "v.finite()",
  "v.minValue(1)",
  "v.maxValue(3)",
  'v.minValue("2")',
  "v.gtValue(0)",
  "v.ltValue(5)",
  "v.multipleOf(0.1)",
  "v.multipleOf(2)",
  "v.multipleOf(-3)",
  "v.value(1)",
  'v.value("1")',
  "v.values([0, 1, 2])",
  'v.values([1, "2"])',
  "v.notValue(1)",
  "v.toMinValue(2)",
  "v.toMaxValue(2)",
  "v.toString()",
];

const listActions = [
  ...common,
  "v.minLength(1)",
  "v.maxLength(2)",
  "v.length(1)",
  "v.notLength(1)",
  "v.nonEmpty()",
  "v.empty()",
  'v.includes("a")',
  'v.excludes("a")',
  "v.everyItem(() => true)",
  "v.someItem(() => true)",
  "v.checkItems(() => true)",
  "v.filterItems(() => false)",
  "v.findItem(() => true)",
  "v.mapItems((x) => [x])",
  "v.reduceItems((all) => all + 1, 0)",
  "v.sortItems()",
  "v.minLength(1), v.transform((x) => x.slice(1)), v.maxLength(1)",
];

const objectActions = [
  ...common,
  "v.minEntries(1)",
  "v.maxEntries(1)",
  "v.entries(1)",
  "v.notEntries(1)",
  'v.partialCheck([["a"]], () => true)',
];

const uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
const formats: readonly (readonly [code: string, ...values: string[]])[] = [
  ["v.base64()", "YWI=", "YWI"],
  ["v.bic()", "DEUTDEFF"],
  ["v.creditCard()", "4111 1111 1111 1111", "4111111111111112"],
  ["v.cuid2()", "tz4a98xxat96iws9zmbrgj3a"],
  ["v.decimal()", "1.5", "+.5", "1."],
  ["v.digits()", "123"],
  ["v.domain()", "a.bc", "localhost"],
  ["v.email()", "a@b.co", "é@b.co"],
  ["v.emoji()", "😀", "a"],
  ['v.hash(["md5"])', "d41d8cd98f00b204e9800998ecf8427e", "D41D8CD98F00B204E9800998ECF8427E"],
  ["v.hexColor()", "#fFf"],
  ["v.hexadecimal()", "0xAB", "ab"],
  ["v.imei()", "536498459191226"],
  ["v.ip()", "::1", "1.2.3.4"],
  ["v.ipv4()", "1.2.3.4"],
  ["v.ipv6()", "::1", "2001:DB8::1"],
  ["v.isbn()", "978-3-16-148410-0"],
  ["v.isoDate()", "2024-02-29", "2023-02-31"],
  ["v.isoDateTime()", "2024-01-01T00:00", "2024-01-01 00:00"],
  ["v.isoDateTimeSecond()", "2024-01-01T00:00:00"],
  ["v.isoTime()", "01:02"],
  ["v.isoTimeSecond()", "01:02:03"],
  ["v.isoTimestamp()", "2024-01-01T00:00:00Z", "2024-01-01 00:00:00.5 +01"],
  ["v.isoWeek()", "2024-W01"],
  ["v.isrc()", "USS1Z9900001"],
  ["v.jwsCompact()", "eyJhbGciOiJIUzI1NiJ9.e30.xxxx"],
  ["v.ksuid()", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"],
  ["v.mac()", "00:1A:2B:3C:4D:5E"],
  ["v.mac48()", "00:1A:2B:3C:4D:5E"],
  ["v.mac64()", "00:1A:2B:3C:4D:5E:6F:70"],
  ["v.nanoid()", "V1StGXR8_Z5jdHi6B-myT"],
  ["v.octal()", "0o17", "17"],
  ["v.rfcEmail()", "a@b"],
  ["v.slug()", "a-b"],
  ["v.ulid()", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  ["v.url()", "http://a.b", "mailto:x", " http://a.b "],
  ["v.uuid()", uuid, uuid.toUpperCase()],
];

const keyTypes = [
  "v.string()",
  "v.pipe(v.string(), v.minLength(2))",
  "v.pipe(v.string(), v.regex(/^[ab]/))",
  "v.pipe(v.string(), v.trim(), v.maxLength(1))",
  'v.pipe(v.string(), v.transform(() => "__proto__"))',
  'v.picklist(["a", "b"])',
  'v.enum({ A: "a" })',
  'v.literal("a")',
  'v.union([v.literal("a"), v.pipe(v.string(), v.startsWith("x-"))])',
  'v.fallback(v.literal("a"), "b")',
  "v.any()",
  "v.lazy(() => v.string())",
];

const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const inner = tie("sample");
  const list = (codes: readonly string[]): string => `[${codes.join(", ")}]`;
  const scalars = fc.oneof(
    withValue(text, piped("v.string()", ...stringActions)),
    withValue(text, piped("v.string()", ...stringActions)),
    withValue(number, piped("v.number()", ...numberActions)),
    withValue(number, piped("v.number()", ...numberActions)),
    fc
      .constantFrom(...formats)
      .chain(([action, ...values]) =>
        leaf(
          fc.constantFrom(
            `v.pipe(v.string(), ${action})`,
            `v.pipe(v.string(), v.trim(), ${action})`,
            `v.pipe(v.string(), ${action}, v.maxLength(3))`,
            `v.pipe(v.pipe(v.string(), ${action}), v.toLowerCase(), v.minLength(5))`,
          ),
          ...values,
        ),
      ),
    leaf("v.boolean()", true, false),
    leaf("v.null()", null),
    leaf("v.null_()", null),
    leaf('v.picklist(["a", "abc", 1, undefined, 10n])', "a", "abc", 1),
    leaf('v.enum({ A: 0, B: "b", 0: "A" })', 0, "b", "A"),
    leaf('v.enum_({ A: "a" })', "a"),
    leaf('v.literal("a")', "a"),
    leaf(fc.constantFrom("v.literal(1)", "v.literal(-0)", "v.literal(10n)", "v.literal(true)"), 1, 0, true),
    leaf("v.keyof(v.object({ a: v.any(), b: v.any() }))", "a", "b"),
    leaf(
      fc.constantFrom(
        "v.any()",
        "v.unknown()",
        "v.custom(() => true)",
        'v.custom((x) => typeof x === "string")',
      ),
    ),
    leaf(fc.constantFrom("v.undefined()", "v.undefined_()", "v.void()", "v.void_()", "v.never()", "v.nan()")),
    leaf(fc.constantFrom("v.symbol()", "v.date()", "v.file()", "v.blob()", "v.bigint()", "v.promise()")),
    leaf(fc.constantFrom("v.function()", "v.function_()", "v.instance(Array)", "v.instance(Object)")),
    leaf(
      fc.constantFrom("v.map(v.any(), v.any())", "v.set(v.any())", "v.pipe(v.set(v.any()), v.minSize(1))"),
    ),
    leaf("v.pipe(v.file(), v.mimeType(['a/b']), v.size(1), v.maxSize(1), v.notSize(2))"),
    leaf("v.pipe(v.function(), v.args(v.tuple([])), v.returns(v.any()))"),
    leaf('v.pipe(v.any(), v.minLength(1), v.startsWith("a"))', "a", "b"),
    leaf("v.pipe(v.union([v.string(), v.number()]), v.minValue(2))", 1, 3, "1", "3"),
  );
  const arrays = fc.tuple(inner, fc.nat(3)).chain(([{ code, value }, length]) =>
    piped(`v.array(${code})`, ...listActions).map((all) => ({
      code: all,
      value: Array.from({ length }, () => value),
    })),
  );
  const tuples = listOf(inner, (codes) =>
    fc
      .constantFrom(
        `v.tuple(${list(codes)})`,
        `v.looseTuple(${list(codes)})`,
        `v.strictTuple(${list(codes)})`,
        `v.tupleWithRest(${list(codes)}, v.number())`,
      )
      .chain((base) => piped(base, ...listActions)),
  );
  const objects = objectOf(inner, (members) => {
    const entries = objectCode(members);
    const [[first, code] = ["a", "v.any()"]] = members;
    return fc
      .constantFrom(
        `v.object(${entries})`,
        `v.object(${entries})`,
        `v.looseObject(${entries})`,
        `v.strictObject(${entries})`,
        `v.objectWithRest(${entries}, v.number())`,
        `v.objectWithRest(${entries}, v.optional(v.string()))`,
        `v.partial(v.object(${entries}))`,
        `v.required(v.object(${entries}))`,
        `v.pick(v.object(${objectCode([[first, code]])}), [${JSON.stringify(first)}])`,
        `v.omit(v.object({ ...${entries}, z: v.string() }), ["z"])`,
        `v.object(v.entriesFromObjects([v.object(${entries}), v.object({ b: v.optional(v.string()) })]))`,
        `v.object(v.entriesFromList(["a", "b"], ${code}))`,
        `v.object({ ...${entries}, a: v.pipe(${code}, v.metadata({ stream: "required" })) })`,
      )
      .chain((base) => piped(base, ...objectActions));
  });
  const records = recordOf(inner, (code) =>
    fc.constantFrom(...keyTypes).chain((keyType) => piped(`v.record(${keyType}, ${code})`, ...objectActions)),
  );
  const unions = fc.oneof(
    anyOf(inner, (codes) => `v.union(${list(codes)})`),
    fc
      .tuple(
        objectOf(inner, (members) => fc.constant(objectCode(members))),
        inner,
      )
      .map(([{ code, value }, other]) => ({
        code:
          `v.variant("k", [v.object({ ...${code}, k: v.literal("a") }), v.strictObject({ k: v.picklist(["b", "c"]), x: ${other.code} }), ` +
          `v.variant("l", [v.object({ k: v.optional(v.literal("d")), l: v.literal(1) })])])`,
        value: merged(value, { k: "a" }),
      })),
  );
  const intersections = fc
    .tuple(fc.oneof(objects, records, inner), fc.oneof(objects, records, inner))
    .map(([one, other]) => ({
      code: `v.intersect([${one.code}, ${other.code}])`,
      value: merged(one.value, other.value),
    }));
  const wrappers = wrapped(
    inner,
    (code) => `v.optional(${code})`,
    (code) => `v.optional(${code}, "x")`,
    (code) => `v.exactOptional(${code})`,
    (code) => `v.undefinedable(${code})`,
    (code) => `v.nullable(${code})`,
    (code) => `v.nullable(${code}, "x")`,
    (code) => `v.nullish(${code})`,
    (code) => `v.nonOptional(${code})`,
    (code) => `v.nonNullable(${code})`,
    (code) => `v.nonNullish(${code})`,
    (code) => `v.nonNullish(v.nullish(${code}, "x"))`,
    (code) => `v.fallback(${code}, "x")`,
    (code) => `v.pipe(v.fallback(${code}, "x"), v.transform((x) => [x]))`,
    (code) => `v.lazy(() => ${code})`,
    (code) => `v.lazy((x) => (x === "a" ? v.string() : ${code}))`,
    (code) => `v.pipe(${code}, v.any())`,
    (code) => `v.pipe(${code}, v.transform((x) => [x]), v.array(v.any()), v.minLength(1))`,
    (code) => `v.pipe(${code}, v.minLength(1))`,
    (code) => `v.pipe(${code}, ${lies})`,
    (code) => `v.unwrap(v.optional(${code}))`,
    (code) => `v.config(${code}, { abortEarly: true })`,
    (code) => `v.message(${code}, "m")`,
    (code) => `v.cache(${code})`,
  );
  const recursive = fc.constantFrom<Sample>(
    {
      code: "(() => { const T = v.object({ x: v.string(), k: v.array(v.lazy(() => T)) }); return T; })()",
      value: { x: "", k: [{ x: "a", k: [] }] },
    },
    {
      code: "(() => { const T = v.union([v.string(), v.lazy(() => v.tuple([T, T]))]); return T; })()",
      value: ["a", ["b", "c"]],
    },
    {
      code: "(() => { const f = () => v.strictObject({ t: v.optional(v.lazy(f)) }); return f(); })()",
      value: { t: { t: {} } },
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

const asynchronous = wrapped(
  sample,
  (code) => `v.pipeAsync(${code}, v.checkAsync(async (x) => x !== "b"))`,
  (code) => `v.pipeAsync(${code}, v.transformAsync(async (x) => [x]))`,
  (code) =>
    `v.pipeAsync(${code}, v.rawCheckAsync(async () => {}), v.rawTransformAsync(async ({ dataset }) => dataset.value))`,
  (code) => `v.pipeAsync(v.promise(), v.awaitAsync(), ${code})`,
  (code) => `v.pipeAsync(v.array(${code}), v.checkItemsAsync(async () => true))`,
  (code) =>
    `v.pipeAsync(v.object({ a: ${code} }), v.forwardAsync(v.partialCheckAsync([["a"]], async () => true), ["a"]))`,
  (code) => `v.pipeAsync(v.function(), v.argsAsync(v.tupleAsync([${code}])), v.returnsAsync(${code}))`,
  (code) => `v.arrayAsync(${code})`,
  (code) => `v.tupleAsync([${code}])`,
  (code) => `v.looseTupleAsync([${code}])`,
  (code) => `v.strictTupleAsync([${code}])`,
  (code) => `v.tupleWithRestAsync([${code}], ${code})`,
  (code) => `v.objectAsync({ a: ${code} })`,
  (code) => `v.looseObjectAsync({ a: ${code} })`,
  (code) => `v.strictObjectAsync({ a: ${code} })`,
  (code) => `v.objectWithRestAsync({ a: ${code} }, ${code})`,
  (code) => `v.partialAsync(v.objectAsync({ a: ${code} }))`,
  (code) => `v.requiredAsync(v.objectAsync({ a: ${code} }))`,
  (code) => `v.recordAsync(v.string(), ${code})`,
  (code) => `v.unionAsync([${code}, v.string()])`,
  (code) => `v.variantAsync("a", [v.objectAsync({ a: ${code} })])`,
  (code) => `v.intersectAsync([${code}, v.any()])`,
  (code) => `v.mapAsync(${code}, ${code})`,
  (code) => `v.setAsync(${code})`,
  () => `v.customAsync(async () => true)`,
  (code) => `v.lazyAsync(async () => ${code})`,
  (code) => `v.fallbackAsync(v.pipeAsync(${code}, v.checkAsync(async () => true)), "x")`,
  (code) => `v.optionalAsync(${code})`,
  (code) => `v.exactOptionalAsync(${code})`,
  (code) => `v.undefinedableAsync(${code})`,
  (code) => `v.nullableAsync(${code})`,
  (code) => `v.nullishAsync(${code})`,
  (code) => `v.nonOptionalAsync(${code})`,
  (code) => `v.nonNullableAsync(${code})`,
  (code) => `v.nonNullishAsync(${code})`,
  (code) => `v.cacheAsync(${code})`,
);

/** Schemas of Valibot that use all its constructors, with values that they may accept. */
export const valibotSamples: fc.Arbitrary<Sample> = nearly(
  fc.oneof({ weight: 9, arbitrary: sample }, { weight: 1, arbitrary: asynchronous }),
);
