import type { JsonObject } from "../../json/value.js";
import { all, literally, matching, oneOf } from "./definitions.js";
import { wordsIn } from "../../text/words-in.js";

/** The part of a Valibot schema that is used here. Valibot documents schemas and actions as plain objects. */
export interface ValibotSchema extends ValibotItem {
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
export interface ValibotItem {
  readonly kind: string;
  readonly type: string;
  readonly requirement?: unknown;
  readonly metadata?: unknown;
}

export function isSchema(value: unknown): value is ValibotSchema {
  return typeof value === "object" && value !== null && (value as ValibotItem).kind === "schema";
}

export function actionsOf({ pipe = [] }: ValibotSchema): readonly ValibotItem[] {
  return pipe.flatMap((item, i) => [...(i === 0 ? [] : [item]), ...actionsOf(item)]);
}

/** The actions that see the value as the model wrote it: those before the first that may change it. */
export function inputChecks(pipe: readonly ValibotItem[]): readonly ValibotItem[] {
  const firstChange = pipe.findIndex(({ kind, type }) =>
    kind === "transformation" ? !/^(?:brand|flavor|readonly)$/.test(type) : kind === "schema",
  );
  return firstChange < 0 ? pipe : pipe.slice(0, firstChange);
}

export function ruleOfString(action: ValibotItem): JsonObject {
  const { kind, type, requirement } = action;
  if (kind !== "validation") return {};
  if (checkedByPattern.has(type)) return { format: type, ...matching(requirement as RegExp) };
  if (checkedByFunction.has(type)) return { format: type };
  return rulesOfStrings.get(type)?.(requirement) ?? ruleOfLength(action, "minLength", "maxLength");
}

const rulesOfStrings: ReadonlyMap<string, (requirement: unknown) => JsonObject> = new Map([
  ["regex", (it: unknown) => matching(it as RegExp)],
  ["starts_with", (it) => ({ pattern: `^${literally(it as string)}` })],
  ["ends_with", (it) => ({ pattern: `${literally(it as string)}$` })],
  ["includes", (it) => ({ pattern: literally(it as string) })],
  ["value", (it) => ruleOfValues(it, "string")],
  ["values", (it) => ruleOfValues(it, "string")],
]);

const checkedByPattern: ReadonlySet<string> = new Set(
  wordsIn(`
    base64 bic cuid2 decimal digits domain email emoji hash hex_color hexadecimal ip ipv4 ipv6 iso_date iso_date_time
    iso_date_time_second iso_time iso_time_second iso_timestamp iso_week isrc jws_compact ksuid mac mac48 mac64 nanoid
    octal rfc_email slug ulid uuid
  `),
);
const checkedByFunction: ReadonlySet<string> = new Set(["credit_card", "imei", "isbn", "url"]);

export function ruleOfLength(
  { type, requirement }: ValibotItem,
  atLeast: string,
  atMost: string,
): JsonObject {
  return rulesOfLengths.get(type)?.(atLeast, atMost, requirement as number) ?? {};
}

const rulesOfLengths: ReadonlyMap<string, (atLeast: string, atMost: string, length: number) => JsonObject> =
  new Map([
    ["min_length", (atLeast: string, _atMost: string, length: number) => ({ [atLeast]: length })],
    ["max_length", (_atLeast, atMost, length) => ({ [atMost]: length })],
    ["length", (atLeast, atMost, length) => ({ [atLeast]: length, [atMost]: length })],
    ["non_empty", (atLeast) => ({ [atLeast]: 1 })],
    ["empty", (_atLeast, atMost) => ({ [atMost]: 0 })],
  ]);

export function valibotNumber(checks: readonly ValibotItem[]): JsonObject {
  const isInteger = checks.some(({ type }) => type === "integer" || type === "safe_integer");
  return all({ type: isInteger ? "integer" : "number" }, ...checks.map(ruleOfNumber));
}

function ruleOfNumber({ type, requirement }: ValibotItem): JsonObject {
  if (type === "safe_integer") return { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
  if (type === "value" || type === "values") return ruleOfValues(requirement, "number");
  const keyword = keywordsOfNumbers.get(type);
  return keyword === undefined || typeof requirement !== "number" ? {} : { [keyword]: requirement };
}

const keywordsOfNumbers: ReadonlyMap<string, string> = new Map([
  ["min_value", "minimum"],
  ["max_value", "maximum"],
  ["gt_value", "exclusiveMinimum"],
  ["lt_value", "exclusiveMaximum"],
  ["multiple_of", "multipleOf"],
]);

/** Values of another type are compared by `<=` and `>=`, which converts them. */
function ruleOfValues(requirement: unknown, type: "string" | "number"): JsonObject {
  const values = [requirement].flat();
  return values.every((value) => typeof value === type) ? oneOf(values) : {};
}

/** Whether a member of this schema may be absent. */
export function valibotMayBeAbsent(schema: unknown): boolean {
  if (!isSchema(schema) || "fallback" in schema) return true;
  return /^(?:optional|exact_optional|nullish)$/.test(schema.type);
}

/** Whether the schema may accept `undefined`, which stands for a missing element. Decided by its type. */
export function valibotMayBeUndefined(schema: unknown): boolean {
  if (!isSchema(schema) || "fallback" in schema) return true;
  const { type, options = [], literal } = schema;
  if (type === "literal") return literal === undefined;
  if (type === "picklist" || type === "enum") return options.includes(undefined);
  if (type === "union") return options.some(valibotMayBeUndefined);
  return !definite.has(type);
}

/** Schemas that refuse `undefined`. */
const definite: ReadonlySet<string> = new Set(
  wordsIn(`
    string number boolean null array tuple loose_tuple strict_tuple tuple_with_rest object loose_object strict_object
    object_with_rest record variant
  `),
);
