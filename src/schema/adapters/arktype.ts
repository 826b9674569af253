import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { isIndex } from "../../tree/pointer.js";
import { tableOf } from "../../text/words-in.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library } from "./standard-schema.js";
import {
  all,
  bound,
  type Definitions,
  isInherited,
  markOf,
  matching,
  nothing,
  ofElements,
  asDefinition,
  oneOf,
  wholeSchema,
  type WritePart,
} from "./definitions.js";

/** The part of an ArkType node that is used here. A type is its root node. */
interface ArkNode {
  readonly kind: string;
  readonly inner: ArkInner;
  readonly meta?: { readonly format?: unknown };
  /** The node for the input, without morphs. */
  readonly rawIn?: ArkNode;
  /** The target of an alias. */
  readonly resolution?: ArkNode;
}

/** The rules of a node. Which of them it has depends on its kind. */
interface ArkInner {
  // unit, domain, proto, union
  readonly unit?: unknown;
  readonly domain?: unknown;
  readonly proto?: unknown;
  readonly branches?: readonly ArkNode[];
  // single rules, such as min
  readonly rule?: unknown;
  readonly exclusive?: boolean;
  readonly flags?: string;
  // intersection
  readonly divisor?: ArkNode;
  readonly structure?: ArkNode;
  // structure
  readonly required?: readonly ArkNode[];
  readonly optional?: readonly ArkNode[];
  readonly index?: readonly ArkNode[];
  readonly undeclared?: string;
  readonly sequence?: ArkNode;
  // properties and index signatures
  readonly key?: unknown;
  readonly signature?: ArkNode;
  readonly value?: ArkNode;
  // sequence
  readonly prefix?: readonly ArkNode[];
  readonly optionals?: readonly ArkNode[];
  readonly variadic?: ArkNode;
  readonly postfix?: readonly ArkNode[];
}

/** A type of ArkType as a check, like `zod()`. */
export function arktype<Input, Output>(schema: StandardSchemaV1<Input, Output>): SchemaCheck<Input, Output> {
  return fromStandardSchema(schema, arkTypeLibrary);
}

/**
 * Writes as JSON Schema what a type of ArkType checks, for the guard. The JSON Schema of ArkType describes what a model
 * should send. It leaves out the flags of patterns, allows no array where ArkType takes it for an object, refuses the
 * keys that an index signature names in a closed object, and lets metadata replace rules. Here, a part that is not
 * listed accepts any value.
 */
const arkTypeLibrary: Library = {
  checked: (schema) => wholeSchema((definitions) => write(schema as unknown as ArkNode, definitions)),
};

export function isArkType(schema: StandardSchemaV1): boolean {
  return schema["~standard"].vendor === "arktype" && "inner" in schema;
}

function write(node: ArkNode, definitions: Definitions): JsonObject {
  const part = node.rawIn ?? node;
  return { ...parts.get(part.kind)?.(part, definitions), ...markOf(node.meta) };
}

const parts = tableOf<WritePart<ArkNode, []>>({
  unit: ({ inner }) => oneOf([inner.unit]),
  "domain proto": ({ inner }) => ruleOfBasis(inner),
  union: asDefinition(union),
  intersection: asDefinition(intersection),
  alias: asDefinition(({ resolution }, definitions) =>
    resolution === undefined ? {} : write(resolution, definitions),
  ),
});

/** To ArkType, a boolean is a union of `true` and `false`. */
function union({ inner: { branches = [] } }: ArkNode, definitions: Definitions): JsonObject {
  const booleans = branches.filter(({ kind, inner }) => kind === "unit" && typeof inner.unit === "boolean");
  const others = branches.filter((branch) => booleans.length < 2 || !booleans.includes(branch));
  const anyOf = others.map((branch) => write(branch, definitions));
  return { anyOf: booleans.length < 2 ? anyOf : [...anyOf, { type: "boolean" }] };
}

function intersection({ inner, meta }: ArkNode, definitions: Definitions): JsonObject {
  const { structure, divisor } = inner;
  const isArray = (inner.proto as ArkNode | undefined)?.inner.proto === Array;
  const format = typeof meta?.format === "string" ? { format: meta.format } : {};
  const inside = isArray
    ? elements(structure?.inner.sequence?.inner, definitions)
    : members(structure?.inner, definitions);
  const own = Object.values(inner).flat() as ArkNode[];
  const found = own.map((rule) => rules.get(rule.kind)?.(rule.inner) ?? {});
  const type = divisor === undefined ? {} : { type: "integer" };
  return all(type, ...(isArray ? found.map(ofElements) : found), format, inside);
}

function elements(sequence: ArkInner | undefined, definitions: Definitions): JsonObject {
  if (sequence === undefined) return {};
  const { prefix = [], optionals = [], variadic, postfix } = sequence;
  const items = variadic === undefined ? false : write(variadic, definitions);
  return {
    prefixItems: [...prefix, ...optionals].map((element) => write(element, definitions)),
    ...(postfix === undefined && { items }),
  };
}

function members(structure: ArkInner | undefined, definitions: Definitions): JsonObject {
  if (structure === undefined) return {};
  const { required = [], optional = [], index = [], undeclared } = structure;
  const properties = [...required, ...optional].flatMap(({ inner: { key, value } }): [string, JsonValue][] =>
    typeof key === "string" && value !== undefined ? [[key, write(value, definitions)]] : [],
  );
  const keys = required.flatMap(({ inner: { key } }) => (typeof key === "string" ? [key] : []));
  const others = index.find(({ inner: { signature } }) => signature?.inner.domain === "string");
  return {
    // An array with all required members is an object to ArkType.
    ...(keys.some((key) => !isIndex(key) && !(key in [])) && { type: "object" }),
    properties: Object.fromEntries(properties),
    required: keys.filter((key) => !isInherited(key)),
    ...(index.length === 0 && undeclared === "reject" && { additionalProperties: false }),
    ...(others?.inner.value !== undefined && {
      additionalProperties: write(others.inner.value, definitions),
    }),
  };
}

/** What ArkType checks, by the kind of a rule. Those of a length are as for a string. */
const rules = tableOf<(inner: ArkInner) => JsonObject>({
  "domain proto": ruleOfBasis,
  min: ({ rule, exclusive }) => bound(exclusive === true ? "exclusiveMinimum" : "minimum", rule),
  max: ({ rule, exclusive }) => bound(exclusive === true ? "exclusiveMaximum" : "maximum", rule),
  divisor: ({ rule }) => (rule === 1 ? {} : bound("multipleOf", rule)),
  minLength: ({ rule }) => bound("minLength", rule),
  maxLength: ({ rule }) => bound("maxLength", rule),
  exactLength: ({ rule }) => ({ ...bound("minLength", rule), ...bound("maxLength", rule) }),
  pattern: ({ rule, flags }) => matching(new RegExp(rule as string, flags)),
});

function ruleOfBasis({ domain, proto }: ArkInner): JsonObject {
  if (proto === Array) return { type: "array" };
  if (domain === "object") return { type: ["object", "array"] };
  if (domain === "string" || domain === "number") return { type: domain };
  return domain === undefined ? {} : nothing(); // other domains and prototypes
}
