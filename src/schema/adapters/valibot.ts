import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { tableOf, wordSet } from "../../text/words-in.js";
import { isIndex } from "../../tree/pointer.js";
import type { JsonSchema } from "../schema.js";
import {
  all,
  bound,
  type Definitions,
  isInherited,
  literally,
  markOf,
  matching,
  nothing,
  ofElements,
  asDefinition,
  oneOf,
  wholeSchema,
  type WritePart,
} from "./definitions.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library, type ToJsonSchema } from "./standard-schema.js";

/** The part of a Valibot schema that is used here. Valibot documents schemas and actions as plain objects. */
interface ValibotSchema extends ValibotItem {
  readonly pipe?: readonly (ValibotSchema | ValibotItem)[];
  readonly fallback?: unknown;
  readonly wrapped?: ValibotSchema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly item?: ValibotSchema;
  readonly items?: readonly ValibotSchema[];
  readonly rest?: ValibotSchema;
  readonly entries?: Readonly<Record<string, ValibotSchema>>;
  readonly key?: ValibotSchema;
  readonly value?: ValibotSchema;
  readonly getter?: (input?: unknown) => unknown;
  readonly async?: boolean;
}

/** A schema, or an action in a pipe. */
interface ValibotItem {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
  readonly metadata?: unknown;
}

/** A Valibot schema as a check, like `zod()`. For a model, pass the result of `toStandardJsonSchema(schema)`. */
export function valibot<Input, Output>(schema: StandardSchemaV1<Input, Output>): SchemaCheck<Input, Output> {
  return fromStandardSchema(schema, valibotLibrary);
}

const valibotLibrary: Library = {
  checked: (schema, toJsonSchema) =>
    "kind" in schema
      ? checkedByValibot(schema as unknown as ValibotSchema)
      : checkedBehind(schema["~standard"], toJsonSchema),
};

/**
 * Writes as JSON Schema what a Valibot schema checks, for the guard. The JSON Schema of Valibot describes what a model
 * should send. It includes metadata, and rules that Valibot does not enforce. Here, a part that is not listed accepts
 * any value.
 */
function checkedByValibot(root: ValibotSchema, pipe?: readonly ValibotItem[]): JsonSchema {
  return wholeSchema((definitions) => write(root, definitions, pipe));
}

/**
 * Like `checkedByValibot()` for the result of `toStandardJsonSchema()`, which hides the schema. Its converter shows
 * each part to callbacks: the schema at the root last, without its pipe and fallback, and then the items of its pipe.
 *
 * @param convert runs the converter
 */
function checkedBehind({ validate }: StandardSchemaV1.Props, convert: ToJsonSchema): JsonSchema {
  let root: ValibotSchema | undefined;
  let pipe: ValibotItem[] = [];
  convert({
    definitions: {},
    overrideSchema({ valibotSchema }: { readonly valibotSchema: ValibotSchema }) {
      root = valibotSchema;
      pipe = [];
      return {};
    },
    overrideAction({ valibotAction }: { readonly valibotAction: ValibotItem }) {
      pipe.push(valibotAction);
      return {};
    },
  });
  return root === undefined || mayHaveFallback(validate) ? {} : checkedByValibot(root, pipe);
}

/** A symbol is only accepted with a fallback, or by a schema that accepts anything. */
function mayHaveFallback(validate: StandardSchemaV1.Props["validate"]): boolean {
  try {
    const result = validate(Symbol());
    if (!(result instanceof Promise)) return result.issues === undefined;
    result.catch(noop);
  } catch {
    // thrown by a function of the user
  }
  return true;
}

/** @param checks the items of its pipe that see the value as the model wrote it */
type WriteValibot = WritePart<ValibotSchema, [checks: readonly ValibotItem[]]>;

/** @param pipe the items of the pipe that follow the schema; by default those that it has itself */
function write(schema: ValibotSchema, definitions: Definitions, pipe = actionsOf(schema)): JsonObject {
  const marks = pipe.flatMap(({ type, metadata }) => (type === "metadata" ? [markOf(metadata)] : []));
  const writePart = "fallback" in schema ? undefined : parts.get(schema.type); // a fallback accepts any value
  return { ...writePart?.(schema, definitions, inputChecks(pipe)), ...marks.at(-1) };
}

function inside(schema: unknown, definitions: Definitions): JsonObject {
  return isSchema(schema) ? write(schema, definitions) : {};
}

const allOptions =
  (keyword: string): WriteValibot =>
  ({ options = [] }, definitions) => ({ [keyword]: options.map((option) => inside(option, definitions)) });

/** What Valibot checks, by type. Other types accept any value, or one that only Valibot can check: any, custom, … */
const parts = tableOf<WriteValibot>({
  string: (_schema, _definitions, checks) => all({ type: "string" }, ...checks.map(ruleOfString)),
  number: (_schema, _definitions, checks) => valibotNumber(checks),
  "boolean null": ({ type }) => ({ type }),
  "bigint blob date file function map nan never promise set symbol undefined void": nothing,
  literal: ({ literal }) => oneOf([literal]),
  "enum picklist": ({ options = [] }) => oneOf(options),
  array: asDefinition(({ item }, definitions, checks) =>
    all(
      { type: "array", items: inside(item, definitions) },
      ...checks.map((check) => ofElements(ruleOfLength(check))),
    ),
  ),
  "tuple loose_tuple strict_tuple tuple_with_rest": asDefinition(tuple),
  "object loose_object strict_object object_with_rest": asDefinition(object),
  record: asDefinition(({ key, value }, definitions) => ({
    type: ["object", "array"],
    properties: Object.fromEntries(unchecked),
    propertyNames: { anyOf: [inside(key, definitions), ...unchecked.map(([name]) => ({ const: name }))] },
    additionalProperties: inside(value, definitions),
  })),
  "union variant": asDefinition(allOptions("anyOf")),
  intersect: asDefinition(allOptions("allOf")),
  "nullable nullish": ({ wrapped }, definitions) => ({
    anyOf: [inside(wrapped, definitions), { type: "null" }],
  }),
  "optional exact_optional undefinedable non_optional non_nullable non_nullish": ({ wrapped }, definitions) =>
    inside(wrapped, definitions),
  lazy({ getter, async }, definitions) {
    // The schema of a getter that takes the input depends on it.
    if (getter === undefined || getter.length > 0 || async === true) return {};
    return definitions.refer(getter, () => inside(getter(), definitions));
  },
});

/** The actions of its pipe see the result, which may have another length. */
function tuple({ type, items = [], rest }: ValibotSchema, definitions: Definitions): JsonObject {
  return {
    type: "array",
    prefixItems: items.map((item) => inside(item, definitions)),
    minItems: items.findLastIndex((item) => !valibotMayBeUndefined(item)) + 1,
    ...(type === "strict_tuple" && { items: false }),
    ...(type === "tuple_with_rest" && { items: inside(rest, definitions) }),
  };
}

function object({ type, entries = {}, rest }: ValibotSchema, definitions: Definitions): JsonObject {
  const keys: string[] = [];
  for (const key in entries) keys.push(key); // in the way of Valibot
  const required = keys.filter((key) => !isInherited(key) && !valibotMayBeAbsent(entries[key]));
  const withRest = type === "object_with_rest";
  return {
    // An array with all required members is an object to Valibot.
    type: required.every((key) => isIndex(key) || key in []) ? ["object", "array"] : "object",
    properties: Object.fromEntries([
      ...(withRest ? unchecked : []),
      ...keys.map((key): [string, JsonValue] => [key, inside(entries[key], definitions)]),
    ]),
    required,
    ...(type === "strict_object" && { additionalProperties: false }),
    ...(withRest && { additionalProperties: inside(rest, definitions) }),
  };
}

/** Members with these keys are left out and not checked, unless they are named. */
const unchecked = ["__proto__", "prototype", "constructor"].map((key): [string, JsonValue] => [key, {}]);

function isSchema(value: unknown): value is ValibotSchema {
  return typeof value === "object" && value !== null && (value as ValibotItem).kind === "schema";
}

function actionsOf({ pipe = [] }: ValibotSchema): readonly ValibotItem[] {
  return pipe.flatMap((item, i) => [...(i === 0 ? [] : [item]), ...actionsOf(item)]);
}

/** The actions that see the value as the model wrote it: those before the first that may change it. */
function inputChecks(pipe: readonly ValibotItem[]): readonly ValibotItem[] {
  const firstChange = pipe.findIndex(({ kind, type }) =>
    kind === "transformation" ? !/^(?:brand|flavor|readonly)$/.test(type) : kind === "schema",
  );
  return firstChange < 0 ? pipe : pipe.slice(0, firstChange);
}

function ruleOfString(action: ValibotItem): JsonObject {
  const { kind, type, requirement } = action;
  if (kind !== "validation") return {};
  if (checkedByPattern.has(type)) return { format: type, ...matching(requirement as RegExp) };
  if (checkedByFunction.has(type)) return { format: type };
  return rulesOfStrings.get(type)?.(requirement) ?? ruleOfLength(action);
}

const rulesOfStrings = tableOf<(requirement: unknown) => JsonObject>({
  regex: (it) => matching(it as RegExp),
  starts_with: (it) => ({ pattern: `^${literally(it as string)}` }),
  ends_with: (it) => ({ pattern: `${literally(it as string)}$` }),
  includes: (it) => ({ pattern: literally(it as string) }),
  "value values": (it) => ruleOfValues(it, "string"),
});

const checkedByPattern = wordSet(`
  base64 bic cuid2 decimal digits domain email emoji hash hex_color hexadecimal ip ipv4 ipv6 iso_date iso_date_time
  iso_date_time_second iso_time iso_time_second iso_timestamp iso_week isrc jws_compact ksuid mac mac48 mac64 nanoid
  octal rfc_email slug ulid uuid
`);
const checkedByFunction: ReadonlySet<string> = new Set(["credit_card", "imei", "isbn", "url"]);

/** The rule for a length, as for a string. */
function ruleOfLength({ type, requirement }: ValibotItem): JsonObject {
  return rulesOfLengths.get(type)?.(requirement as number) ?? {};
}

const rulesOfLengths = tableOf<(length: number) => JsonObject>({
  min_length: (minLength) => ({ minLength }),
  max_length: (maxLength) => ({ maxLength }),
  length: (length) => ({ minLength: length, maxLength: length }),
  non_empty: () => ({ minLength: 1 }),
  empty: () => ({ maxLength: 0 }),
});

function valibotNumber(checks: readonly ValibotItem[]): JsonObject {
  const isInteger = checks.some(({ type }) => type === "integer" || type === "safe_integer");
  return all({ type: isInteger ? "integer" : "number" }, ...checks.map(ruleOfNumber));
}

function ruleOfNumber({ type, requirement }: ValibotItem): JsonObject {
  if (type === "safe_integer") return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  if (type === "value" || type === "values") return ruleOfValues(requirement, "number");
  const keyword = keywordsOfNumbers.get(type);
  return keyword === undefined ? {} : bound(keyword, requirement);
}

const keywordsOfNumbers = tableOf({
  min_value: "minimum",
  max_value: "maximum",
  gt_value: "exclusiveMinimum",
  lt_value: "exclusiveMaximum",
  multiple_of: "multipleOf",
});

/** Values of another type are compared by `<=` and `>=`, which converts them. */
function ruleOfValues(requirement: unknown, type: "string" | "number"): JsonObject {
  const values = [requirement].flat();
  return values.every((value) => typeof value === type) ? oneOf(values) : {};
}

function valibotMayBeAbsent(schema: unknown): boolean {
  if (!isSchema(schema) || "fallback" in schema) return true;
  return /^(?:optional|exact_optional|nullish)$/.test(schema.type);
}

/** Whether the schema may accept `undefined`, which stands for a missing element. Decided by its type. */
function valibotMayBeUndefined(schema: unknown): boolean {
  if (!isSchema(schema) || "fallback" in schema) return true;
  const { type, options = [], literal } = schema;
  if (type === "literal") return literal === undefined;
  if (type === "picklist" || type === "enum") return options.includes(undefined);
  if (type === "union") return options.some(valibotMayBeUndefined);
  return !definite.has(type);
}

/** Schemas that refuse `undefined`. */
const definite = wordSet(`
  string number boolean null array tuple loose_tuple strict_tuple tuple_with_rest object loose_object strict_object
  object_with_rest record variant
`);
