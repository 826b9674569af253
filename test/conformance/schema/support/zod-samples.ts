import fc from "fast-check";
import {
  anyOf,
  chained,
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

const json = JSON.stringify;
const list = (codes: readonly string[]): string => `[${codes.join(", ")}]`;

/** Metadata that says more than Zod checks. */
const lies =
  '{ type: "number", minimum: 5, maxLength: 1, minLength: 9, pattern: "^z", enum: ["z"], const: "z", format: "email", ' +
  'required: ["z"], additionalProperties: false, items: false, maxItems: 0, minProperties: 9, not: {} }';

const stringCalls = [
  ".min(1)",
  ".max(3)",
  ".length(2)",
  ".nonempty()",
  ".regex(/^[a-c]/)",
  ".regex(/a/i)",
  ".regex(/^.$/u)",
  ".regex(/b/g)",
  '.includes("b")',
  '.includes("b", { position: 1 })',
  '.includes("a.", { position: -1 })',
  '.startsWith("a")',
  '.endsWith("b")',
  '.endsWith("\\n")',
  ".lowercase()",
  ".uppercase()",
  ".trim()",
  ".normalize()",
  ".toLowerCase()",
  ".toUpperCase()",
  ".slugify()",
  '.overwrite((s) => s + "a")',
  '.refine((s) => s !== "b")',
  ".superRefine(() => {})",
  ".check(z.minLength(1), z.maxLength(4), z.length(2))",
  '.check(z.regex(/a/), z.includes("a"), z.startsWith("a"), z.endsWith("a"), z.lowercase(), z.uppercase())',
  '.check(z.trim(), z.normalize(), z.toLowerCase(), z.toUpperCase(), z.slugify(), z.overwrite((s) => s + "a"))',
  '.check((payload) => { payload.value += "ab"; })',
  '.check(z.property("length", z.number()), z.properties({ length: z.number().max(3) }))',
  `.meta(${lies})`,
  ".meta({ minimum: 1, id: `id${Math.random()}` })",
  '.meta({ stream: "whole" })',
  '.describe("d")',
];

const numberCalls = [
  ".min(1)",
  ".max(3)",
  ".gt(0)",
  ".gte(-1)",
  ".lt(5)",
  ".lte(5)",
  ".positive()",
  ".negative()",
  ".nonnegative()",
  ".nonpositive()",
  ".multipleOf(0.1)",
  ".multipleOf(2)",
  ".step(0.01)",
  ".multipleOf(-3)",
  ".int()",
  ".safe()",
  ".finite()",
  ".overwrite(Math.round)",
  ".check(z.gt(0), z.gte(0), z.lt(9), z.lte(9), z.multipleOf(1))",
  ".check(z.positive(), z.nonnegative())",
  ".check(z.negative(), z.nonpositive())",
  `.meta(${lies})`,
];

const hash = "d41d8cd98f00b204e9800998ecf8427e";
const uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
const formats: readonly (readonly [code: string, ...values: string[]])[] = [
  ["z.email()", "a@b.co", "a@b.c"],
  ["z.email({ pattern: z.regexes.html5Email })", "a@b.c", "a@b"],
  ["z.guid()", uuid, "00000000-0000-0000-0000-000000000001"],
  ["z.uuid()", uuid, uuid.toUpperCase()],
  ["z.uuidv4()", uuid],
  ["z.uuidv6()", "1ec9414c-232a-6b00-b3c8-9e6bdeced846"],
  ["z.uuidv7()", "01890a5d-ac96-774b-bcce-b302099a8057"],
  ["z.url()", "http://a.b", " HTTP://A.B/é\n", "mailto:a@b.co"],
  ["z.url({ hostname: /^a/, protocol: /^http$/, normalize: true })", "http://a.b", "http:a.b"],
  ["z.httpUrl()", "https://a.bc/", "http://a"],
  ["z.hostname()", "a.b", "localhost"],
  ["z.emoji()", "😀", "a"],
  ["z.nanoid()", "V1StGXR8_Z5jdHi6B-myT"],
  ["z.cuid()", "cjld2cjxh0000qzrmn831i7rn", "CJLD2CJXH0000QZRMN831I7RN"],
  ["z.cuid2()", "tz4a98xxat96iws9zmbrgj3a"],
  ["z.ulid()", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav"],
  ["z.xid()", "9m4e2mr0ui3e8a215n4g"],
  ["z.ksuid()", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"],
  ["z.ipv4()", "1.2.3.4", "1.2.3.256"],
  ["z.ipv6()", "::1", "1::", "::ffff:1.2.3.4", "2001:DB8::1", "fe80::1%eth0"],
  ["z.mac()", "00:1A:2B:3C:4D:5E"],
  ['z.mac({ delimiter: "-" })', "00-1A-2B-3C-4D-5E"],
  ["z.cidrv4()", "1.2.3.0/24"],
  ["z.cidrv6()", "::1/128", "::/0", "::ffff:1.2.3.4/96"],
  ["z.base64()", "YWI=", "", "YWI", "YWJj"],
  ["z.base64url()", "YWI", "YW-_"],
  ["z.e164()", "+14155552671"],
  ["z.creditCard()", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111112"],
  ["z.iban()", "DE89370400440532013000", "DE89370400440532013001"],
  ["z.currencyCode()", "EUR", "eur"],
  ["z.jwt()", "eyJhbGciOiJIUzI1NiJ9.e30.x"],
  ["z.hex()", "ab12", "AB", ""],
  ['z.hash("md5")', hash, hash.toUpperCase()],
  ['z.hash("md5", { enc: "base64" })', "1B2M2Y8AsgTpgAmY7PhCfg=="],
  ["z.iso.date()", "2024-02-29", "2023-02-29"],
  ["z.iso.datetime()", "2024-01-01T00:00:00Z", "2024-01-01T00:00Z"],
  [
    "z.iso.datetime({ offset: true, local: true, precision: 0 })",
    "2024-01-01T00:00:00+01:00",
    "2024-01-01T00:00:00",
  ],
  ["z.iso.time()", "01:02:03", "01:02", "01:02:03.5"],
  ["z.iso.duration()", "P1D", "PT1H", "P1W"],
  ['z.stringFormat("email", (s) => s.length > 1)', "ab", "a"],
  ['z.stringFormat("mine", /^a/i)', "Ab", "b"],
  ["z.string().email()", "a@b.co"],
  ["z.string().url()", "http://a.b "],
  ["z.string().datetime()", "2024-01-01T00:00:00Z"],
  ["z.string().ipv6()", "::1"],
  ["z.string().base64().min(3)", "YWI="],
];

const keyTypes = [
  "z.string()",
  "z.string().min(2)",
  "z.string().regex(/^[ab]/)",
  "z.string().regex(/^a/i)",
  "z.string().trim()",
  "z.string().toLowerCase()",
  'z.string().overwrite((s) => "__proto__")',
  'z.string().refine((s) => s !== "a")',
  'z.string().transform((s) => s + "x")',
  "z.number()",
  "z.int().max(1)",
  "z.coerce.number()",
  'z.enum(["a", "b"])',
  'z.enum(["a", "__proto__"])',
  'z.enum(["a", "b"]).refine((s) => s !== "a")',
  'z.enum(["a", "b"]).transform(() => "__proto__")',
  "z.enum({ A: 0, B: 1 })",
  'z.literal(["a", 1, "toString"])',
  'z.literal("a").optional()',
  'z.union([z.literal("a"), z.string().regex(/^x-/)])',
  'z.union([z.enum(["a", "b"]), z.literal(1)])',
  'z.templateLiteral(["x-", z.string()])',
  'z.templateLiteral([z.enum(["a", "b"])])',
  'z.codec(z.string(), z.string(), { decode: (s) => s + "1", encode: (s) => s })',
  "z.lazy(() => z.string().max(1))",
];

const { sample } = fc.letrec<{ sample: Sample }>((tie) => {
  const inner = tie("sample");
  const strings = withValue(text, chained("z.string()", ...stringCalls));
  const numbers = withValue(
    number,
    fc
      .constantFrom("z.number()", "z.int()", "z.int32()", "z.uint32()", "z.float32()", "z.float64()")
      .chain((base) => chained(base, ...numberCalls)),
  );
  const formatted = fc
    .constantFrom(...formats)
    .chain(([base, ...values]) =>
      leaf(chained(base, ".max(5)", ".min(3)", ".trim()", ".toLowerCase()"), ...values),
    );
  const scalars = fc.oneof(
    strings,
    strings,
    numbers,
    numbers,
    formatted,
    formatted,
    leaf("z.boolean()", true, false),
    leaf("z.null()", null),
    leaf('z.enum(["a", "b", "abc"])', "a", "b", "abc"),
    leaf("z.nativeEnum({ A: 0, B: 1, 0: 'A', 1: 'B', C: 'c' })", 0, 1, "c", "A"),
    leaf('z.literal("a")', "a"),
    leaf('z.literal(["a", 1, null, true, undefined, -0, 10n])', "a", 1, null, true, 0),
    leaf('z.keyof(z.object({ a: z.any(), "__proto__": z.any(), b: z.any() }))', "a", "b"),
    leaf(
      'z.templateLiteral(["a", z.number(), z.enum(["b", "c"]), z.string().max(1).optional()])',
      "a1b",
      "a-1.5cx",
    ),
    leaf('z.templateLiteral([z.string().min(1), "-", z.boolean(), z.null()])', "a-truenull"),
    leaf(
      fc.constantFrom(
        "z.coerce.string()",
        "z.coerce.number().min(1)",
        "z.coerce.boolean()",
        "z.coerce.date()",
      ),
    ),
    leaf(fc.constantFrom("z.coerce.bigint()", "z.any()", "z.unknown()", "z.json()", "z.custom()")),
    leaf("z.stringbool()", "true", "no", "1", "ON"),
    leaf('z.stringbool({ truthy: ["t"], falsy: ["f"], case: "sensitive" })', "t", "f"),
    leaf(
      fc.constantFrom(
        'z.custom((x) => typeof x === "string")',
        "z.instanceof(Array)",
        "z.instanceof(Object)",
      ),
    ),
    leaf(
      fc.constantFrom(
        "z.undefined()",
        "z.void()",
        "z.never()",
        "z.nan()",
        "z.symbol()",
        "z.date()",
        'z.file().check(z.mime(["a/b"]))',
      ),
    ),
    leaf(fc.constantFrom("z.bigint()", "z.int64()", "z.uint64()", "z.function()", "z.success(z.string())")),
    leaf(
      fc.constantFrom(
        "z.map(z.string(), z.any())",
        "z.set(z.any()).check(z.size(1), z.minSize(1), z.maxSize(2))",
        "z.transform(String)",
      ),
    ),
  );
  const arrays = fc.tuple(fc.array(inner, { maxLength: 3 }), fc.nat(5)).map(([samples, call]) => ({
    code: `z.array(${samples[0]?.code ?? "z.any()"})${["", ".min(1)", ".max(2)", ".length(2)", ".nonempty()", ".overwrite((a) => a.slice(1)).max(1)"][call] ?? ""}`,
    value: samples.map(() => samples[0]?.value ?? null),
  }));
  const tuples = listOf(inner, (codes) =>
    fc
      .tuple(
        fc.constantFrom("", ", z.number()", ", z.any().optional()"),
        fc.constantFrom("", ".check(z.minLength(1))"),
      )
      .map(([rest, check]) => `z.tuple(${list(codes)}${rest})${check}`),
  );
  const shapes = (entries: readonly (readonly [string, string])[]): fc.Arbitrary<string> => {
    const shape = objectCode(entries);
    const [first = ["a", "z.any()"]] = entries;
    return fc.constantFrom(
      `z.object(${shape})`,
      `z.object(${shape})`,
      `z.strictObject(${shape})`,
      `z.looseObject(${shape})`,
      `z.object(${shape}).catchall(z.number())`,
      `z.object(${shape}).catchall(z.string().optional())`,
      `z.object(${shape}).partial()`,
      `z.object(${shape}).exactPartial()`,
      `z.object(${shape}).required()`,
      `z.strictObject(${shape}).extend({ b: z.string().catch("x") })`,
      `z.object(${shape}).strict().refine((o) => Object.keys(o).length < 3)`,
      `z.object(${shape}).transform((o) => Object.keys(o))`,
      `z.object(${shape}).meta(${lies})`,
      `z.object(${shape}).check(z.property("length", z.any()))`,
      `z.deepPartial(z.object(${shape}))`,
      `z.object(${objectCode([[first[0], `${first[1]}.meta({ stream: "required" })`]])})`,
      `z.object({ get [${json(first[0])}]() { return ${first[1]}; } })`,
    );
  };
  const objects = objectOf(inner, shapes);
  const records = recordOf(inner, (code) =>
    fc
      .tuple(
        fc.constantFrom(
          (keyType: string) => `z.record(${keyType}, ${code})`,
          (keyType: string) => `z.record(${keyType}, ${code})`,
          (keyType: string) => `z.partialRecord(${keyType}, ${code})`,
          (keyType: string) => `z.looseRecord(${keyType}, ${code})`,
        ),
        fc.constantFrom(...keyTypes),
      )
      .map(([by, keyType]) => by(keyType)),
  );
  const unions = fc.oneof(
    anyOf(inner, (codes) => `z.union(${list(codes)})`),
    anyOf(inner, (codes) => `z.xor(${list(codes)})`),
    fc
      .tuple(
        objectOf(inner, (entries) => fc.constant(objectCode(entries))),
        inner,
      )
      .map(([{ code, value }, other]) => ({
        code: `z.discriminatedUnion("k", [z.object({ ...${code}, k: z.literal("a") }), z.strictObject({ k: z.enum(["b", "c"]), x: ${other.code} }), z.object({ k: z.literal("d").optional() })])`,
        value: merged(value, { k: "a" }),
      })),
  );
  const containers = fc.oneof(objects, records, tuples);
  const intersections = fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: containers }, inner),
      fc.oneof({ weight: 3, arbitrary: containers }, inner),
      fc.constantFrom(
        (l: string, r: string) => `z.intersection(${l}, ${r})`,
        (l: string, r: string) => `z.intersection(z.union([${l}, z.string()]), ${r}.optional())`,
        (l: string, r: string) =>
          `z.intersection(${l}, z.lazy(() => ${r})).and(z.record(z.string().regex(/^[abx]/), z.any()))`,
        (l: string, r: string) => `z.intersection(z.pipe(${l}, z.any()), z.readonly(${r}))`,
      ),
    )
    .map(([one, other, by]) => ({ code: by(one.code, other.code), value: merged(one.value, other.value) }));
  const wrappers = wrapped(
    inner,
    (code) => `z.optional(${code})`,
    (code) => `z.nullable(${code})`,
    (code) => `z.nullish(${code})`,
    (code) => `z.exactOptional(${code})`,
    (code) => `z._default(${code}, "x")`,
    (code) => `z.prefault(${code}, "x")`,
    (code) => `z.catch(${code}, "x")`,
    (code) => `z.nonoptional(${code})`,
    (code) => `z.readonly(${code})`,
    (code) => `z.lazy(() => ${code})`,
    (code) => `z.pipe(${code}, z.any())`,
    (code) => `z.pipe(${code}, z.transform((x) => [x]))`,
    (code) => `z.preprocess((x) => x, ${code})`,
    (code) => `z.preprocess((x) => (x === null ? undefined : x), ${code})`,
    (code) => `z.codec(${code}, z.any(), { decode: (x) => [x], encode: (x) => x[0] })`,
    (code) => `z.invertCodec(z.codec(z.any(), ${code}, { decode: (x) => [x], encode: (x) => x[0] }))`,
    (code) => `z.compile(${code})`,
    (code) => `z.clone(${code})`,
    (code) => `${code}.brand("b")`,
    (code) => `${code}.refine((x) => x !== "b")`,
    (code) => `${code}.superRefine((x, context) => { if (x === "b") context.addIssue("no"); })`,
    (code) => `${code}.describe("d").meta(${lies})`,
    (code) => `${code}.meta({ stream: "whole" })`,
    (code) => `${code}.check(z.describe("d"), z.meta(${lies}), z.refine((x) => x !== 7))`,
    (code) => `z.array(${code}).pipe(z.array(z.any()).max(1))`,
  );
  const recursive = fc.constantFrom<Sample>(
    {
      code: "(() => { const T = z.object({ v: z.string(), get k() { return z.array(T); } }); return T; })()",
      value: { v: "", k: [{ v: "a", k: [] }] },
    },
    {
      code: "(() => { const T = z.union([z.string(), z.lazy(() => z.tuple([T, T]))]); return T; })()",
      value: ["a", ["b", "c"]],
    },
    {
      code: "(() => { const T = z.lazy(() => z.strictObject({ t: T.optional() }).and(z.looseObject({ b: z.any() }))); return T; })()",
      value: { b: 1, t: { b: 2 } },
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
      intersections,
      wrappers,
      wrappers,
      recursive,
    ),
  };
});

/** Schemas of Zod that use all its constructors, with values that they may accept. */
export const zodSamples: fc.Arbitrary<Sample> = nearly(
  fc.oneof(
    { weight: 9, arbitrary: sample },
    // Asynchronous parts are at the root only, because Zod tries a schema synchronously first and drops the promises of
    // that attempt. Where a merge fails, they are unhandled rejections.
    leaf("z.promise(z.string())", "a"),
    wrapped(
      sample,
      (code) => `${code}.transform(async (x) => [x])`,
      (code) => `${code}.refine(async (x) => x !== "b")`,
    ),
  ),
);
