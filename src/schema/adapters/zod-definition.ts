import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject } from "../../json/value.js";
import { all, bound, literally, matching } from "./definitions.js";
import { tableOf, wordSet } from "../../text/words-in.js";

/** The part of Zod 4 that is used here. Zod documents `_zod` for authors of libraries. */
export interface ZodSchema extends StandardSchemaV1 {
  /** Without arguments it returns the metadata. Zod Mini has no such method. */
  readonly meta?: () => unknown;
  readonly _zod: {
    readonly def: ZodDefinition;
    /** The values of an enum or literal. */
    readonly values?: ReadonlySet<unknown>;
    /** The pattern of a template literal. */
    readonly pattern?: RegExp;
    /** The target of a lazy schema. */
    readonly innerType?: ZodSchema;
    /** Whether the input, or the output, may be absent. */
    readonly optin?: string;
    readonly optout?: string;
    readonly constr: new (def: ZodDefinition) => ZodSchema;
    /** Checks a payload. It may change it. */
    run(payload: ZodPayload, context: { readonly async: true | undefined }): ZodPayload | Promise<ZodPayload>;
  };
}

export interface ZodPayload {
  readonly value: unknown;
  readonly issues: readonly unknown[];
}

/** Some of the members that are not optional belong to one type: `shape` to an object, `keyType` to a record. */
export interface ZodDefinition extends ZodCheckDefinition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly ZodCheck[];
  readonly innerType?: ZodSchema;
  readonly in?: ZodSchema;
  readonly element: ZodSchema;
  readonly items?: readonly ZodSchema[];
  readonly rest?: ZodSchema | null;
  readonly shape: Readonly<Record<string, ZodSchema>>;
  readonly catchall?: ZodSchema;
  readonly keyType: ZodSchema;
  readonly valueType: ZodSchema;
  readonly mode?: string;
  readonly partial?: boolean;
  readonly options?: readonly ZodSchema[];
  readonly left?: ZodSchema;
  readonly right?: ZodSchema;
}

interface ZodCheck {
  readonly _zod: { readonly def: ZodCheckDefinition; readonly traits?: ReadonlySet<string> };
}

/** Those that are not optional belong to one check. */
interface ZodCheckDefinition {
  readonly check?: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly length: number;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly discriminator?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly includes: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** The checks that see the value as the model wrote it: those before the first that may change it. */
function checksOf({ _zod: { def } }: ZodSchema): readonly ZodCheckDefinition[] {
  const checks = allChecks(def);
  const firstChange = checks.findIndex((check) => !keepsValue(check));
  // The change of a URL comes after its check.
  const isUrl = checks[firstChange]?._zod.def.format === "url";
  return checks
    .slice(0, firstChange < 0 ? undefined : firstChange + Number(isUrl))
    .map((check) => check._zod.def);
}

/** Whether the result is the value itself. For scalars. */
export function keepsItsValue({ _zod: { def } }: ZodSchema): boolean {
  return def.coerce !== true && allChecks(def).every(keepsValue);
}

/** Whether any string, or any value of the enum or literal, is accepted. */
export function hasNoChecks({ _zod: { def } }: ZodSchema): boolean {
  return /^(?:string|enum|literal)$/.test(def.type) && def.coerce !== true && allChecks(def).length === 0;
}

/** A schema such as `z.email()` is its own first check. */
function allChecks(def: ZodDefinition): readonly ZodCheck[] {
  return [...(def.check === undefined ? [] : [{ _zod: { def } }]), ...(def.checks ?? [])];
}

function keepsValue({ _zod: { def, traits } }: ZodCheck): boolean {
  if (def.check === "string_format") return def.format !== "url"; // a URL is trimmed
  // A refinement cannot replace the value. Other functions can.
  return (
    readOnlyChecks.has(def.check ?? "") || (def.check === "custom" && traits?.has("$ZodCustom") === true)
  );
}

const readOnlyChecks = wordSet(`
  min_length max_length length_equals greater_than less_than multiple_of number_format
`);

/** The rules of its checks. Those of a length are as for a string. */
export function zodRules(schema: ZodSchema): JsonObject[] {
  return checksOf(schema).map((def) => ruleOf.get(def.check ?? "")?.(def) ?? {});
}

/** What a check requires, by its name. Others are not known. */
const ruleOf = tableOf<(def: ZodCheckDefinition) => JsonObject>({
  min_length: ({ minimum }) => ({ minLength: minimum }),
  max_length: ({ maximum }) => ({ maxLength: maximum }),
  length_equals: ({ length }) => ({ minLength: length, maxLength: length }),
  greater_than: ({ value, inclusive }) => bound(inclusive ? "minimum" : "exclusiveMinimum", value),
  less_than: ({ value, inclusive }) => bound(inclusive ? "maximum" : "exclusiveMaximum", value),
  multiple_of: ({ value }) => bound("multipleOf", value),
  string_format: ruleOfFormat,
});

function ruleOfFormat({ format = "", pattern, includes, prefix, suffix }: ZodCheckDefinition): JsonObject {
  const rule = pattern === undefined ? {} : matching(pattern);
  switch (format) {
    case "regex":
    case "lowercase":
    case "uppercase":
      return rule;
    // The patterns of these describe the check, but some do not agree with it.
    case "includes":
      return { pattern: literally(includes) };
    case "starts_with":
      return { pattern: `^${literally(prefix)}` };
    case "ends_with":
      return { pattern: `${literally(suffix)}$` };
    default:
      return { format, ...(checkedByPattern.has(format) && rule) };
  }
}

/** The formats that are checked by their pattern. For others it only describes the check. */
const checkedByPattern = wordSet(
  "guid uuid email emoji nanoid cuid cuid2 ulid xid ksuid datetime date time duration ipv4 cidrv4 mac e164",
);

export function zodNumber(schema: ZodSchema): JsonObject {
  const checks = checksOf(schema);
  const formats = checks.flatMap(({ check, format = "" }) => (check === "number_format" ? [format] : []));
  return all(
    { type: formats.some((format) => format.includes("int")) ? "integer" : "number" },
    ...zodRules(schema),
    ...formats.map(rangeOf),
  );
}

function rangeOf(format: string): JsonObject {
  if (format === "int32") return { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
  if (format === "uint32") return { minimum: 0, maximum: 2 ** 32 - 1 };
  if (!format.includes("int")) return {};
  return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
}

export function zodMayBeAbsent(schema: ZodSchema): boolean {
  const { optin, optout } = schema._zod;
  return optin !== undefined || optout === "optional" || zodMayBeUndefined(schema);
}

/**
 * Whether the schema may accept `undefined`. Decided by its type, because running it would run the user's functions.
 */
export function zodMayBeUndefined(schema: ZodSchema, within: readonly ZodSchema[] = []): boolean {
  const { def, values } = schema._zod;
  const { type } = def;
  if (within.includes(schema)) return true;
  if (/^(?:string|number|boolean|bigint|date)$/.test(type)) return def.coerce === true;
  if (/^(?:null|array|object|tuple|record|template_literal)$/.test(type)) return false;
  if (/^(?:enum|literal)$/.test(type)) return values?.has(undefined) !== false;
  const accepts = (inner: ZodSchema): boolean => zodMayBeUndefined(inner, [...within, schema]);
  if (type === "union") return innerOf(schema).some(accepts);
  const asInside = /^(?:lazy|nullable|nonoptional|readonly|intersection|pipe)$/.test(type);
  return !asInside || innerOf(schema).every(accepts);
}

/** The schemas that look at the same value: of a union, an intersection, the input of a pipe, or a wrapper. */
export function innerOf({ _zod: { def, innerType = def.innerType } }: ZodSchema): readonly ZodSchema[] {
  return [...(def.options ?? []), def.left, def.right, def.in, innerType].filter((it) => it !== undefined);
}

export function metadataOf(schema: ZodSchema): unknown {
  const registry = (globalThis as { readonly __zod_globalRegistry?: { get(schema: object): unknown } })
    .__zod_globalRegistry;
  return schema.meta?.() ?? registry?.get(schema);
}
