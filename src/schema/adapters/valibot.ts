import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { wordsIn } from "../../text/words-in.js";
import { isIndex } from "../../tree/pointer.js";
import type { JsonSchema } from "../schema.js";
import { all, Definitions, isInherited, markOf, nothing, oneOf } from "./definitions.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library, type ToJsonSchema } from "./standard-schema.js";
import {
  actionsOf,
  inputChecks,
  isSchema,
  ruleOfLength,
  ruleOfString,
  type ValibotItem,
  valibotMayBeAbsent,
  valibotMayBeUndefined,
  valibotNumber,
  type ValibotSchema,
} from "./valibot-definition.js";

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
  const writer = new ValibotWriter();
  return { ...writer.write(root, pipe), $defs: writer.$defs };
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

class ValibotWriter {
  private readonly definitions = new Definitions<object>();

  get $defs(): JsonObject {
    return this.definitions.$defs;
  }

  /** @param pipe the items of the pipe that follow the schema; by default those that it has itself */
  write(schema: ValibotSchema, pipe = actionsOf(schema)): JsonObject {
    const marks = pipe.flatMap(({ type, metadata }) => (type === "metadata" ? [markOf(metadata)] : []));
    // A schema with a fallback accepts any value.
    const part = "fallback" in schema ? {} : this.part(schema, inputChecks(pipe));
    return { ...part, ...marks.at(-1) };
  }

  private part(schema: ValibotSchema, checks: readonly ValibotItem[]): JsonObject {
    return parts.get(schema.type)?.(schema, this, checks) ?? {};
  }

  /** Writes a part once, under `$defs`, because it may contain itself. */
  refer(schema: object, write: () => JsonObject): JsonObject {
    return this.definitions.refer(schema, write);
  }

  inside(schema: unknown): JsonObject {
    return isSchema(schema) ? this.write(schema) : {};
  }

  lazy({ getter, async }: ValibotSchema): JsonObject {
    // The schema of a getter that takes the input depends on it.
    if (getter === undefined || getter.length > 0 || async === true) return {};
    return this.refer(getter, () => this.inside(getter()));
  }

  /** The actions of its pipe see the result, which may have another length. */
  tuple({ type, items = [], rest }: ValibotSchema): JsonObject {
    return {
      type: "array",
      prefixItems: items.map((item) => this.inside(item)),
      minItems: items.findLastIndex((item) => !valibotMayBeUndefined(item)) + 1,
      ...(type === "strict_tuple" && { items: false }),
      ...(type === "tuple_with_rest" && { items: this.inside(rest) }),
    };
  }

  object({ type, entries = {}, rest }: ValibotSchema): JsonObject {
    const keys: string[] = [];
    for (const key in entries) keys.push(key); // in the way of Valibot
    const required = keys.filter((key) => !isInherited(key) && !valibotMayBeAbsent(entries[key]));
    const withRest = type === "object_with_rest";
    return {
      // An array with all required members is an object to Valibot.
      type: required.every((key) => isIndex(key) || key in []) ? ["object", "array"] : "object",
      properties: Object.fromEntries([
        ...(withRest ? unchecked : []),
        ...keys.map((key): [string, JsonValue] => [key, this.inside(entries[key])]),
      ]),
      required,
      ...(type === "strict_object" && { additionalProperties: false }),
      ...(withRest && { additionalProperties: this.inside(rest) }),
    };
  }

  record({ key, value }: ValibotSchema): JsonObject {
    return {
      type: ["object", "array"],
      properties: Object.fromEntries(unchecked),
      propertyNames: { anyOf: [this.inside(key), ...unchecked.map(([name]) => ({ const: name }))] },
      additionalProperties: this.inside(value),
    };
  }
}

type WriteValibot = (
  schema: ValibotSchema,
  writer: ValibotWriter,
  checks: readonly ValibotItem[],
) => JsonObject;

const once =
  (write: WriteValibot): WriteValibot =>
  (schema, writer, checks) =>
    writer.refer(schema, () => write(schema, writer, checks));
const sameFor = (types: string, write: WriteValibot): (readonly [string, WriteValibot])[] =>
  wordsIn(types).map((type) => [type, write] as const);
const allOptions =
  (keyword: string): WriteValibot =>
  ({ options = [] }, writer) => ({ [keyword]: options.map((option) => writer.inside(option)) });

/** What Valibot checks, by type. Other types accept any value, or one that only Valibot can check: any, custom, … */
const parts: ReadonlyMap<string, WriteValibot> = new Map<string, WriteValibot>([
  ["string", (_schema, _writer, checks) => all({ type: "string" }, ...checks.map(ruleOfString))],
  ["number", (_schema, _writer, checks) => valibotNumber(checks)],
  ...sameFor("boolean null", ({ type }) => ({ type })),
  ...sameFor("bigint blob date file function map nan never promise set symbol undefined void", nothing),
  ["literal", ({ literal }) => oneOf([literal])],
  ...sameFor("enum picklist", ({ options = [] }) => oneOf(options)),
  [
    "array",
    once(({ item }, writer, checks) =>
      all(
        { type: "array", items: writer.inside(item) },
        ...checks.map((check) => ruleOfLength(check, "minItems", "maxItems")),
      ),
    ),
  ],
  ...sameFor(
    "tuple loose_tuple strict_tuple tuple_with_rest",
    once((schema, writer) => writer.tuple(schema)),
  ),
  ...sameFor(
    "object loose_object strict_object object_with_rest",
    once((schema, writer) => writer.object(schema)),
  ),
  ["record", once((schema, writer) => writer.record(schema))],
  ...sameFor("union variant", once(allOptions("anyOf"))),
  ["intersect", once(allOptions("allOf"))],
  ...sameFor("nullable nullish", ({ wrapped }, writer) => ({
    anyOf: [writer.inside(wrapped), { type: "null" }],
  })),
  ...sameFor(
    "optional exact_optional undefinedable non_optional non_nullable non_nullish",
    ({ wrapped }, writer) => writer.inside(wrapped),
  ),
  ["lazy", (schema, writer) => writer.lazy(schema)],
]);

/** Members with these keys are left out and not checked, unless they are named. */
const unchecked = ["__proto__", "prototype", "constructor"].map((key): [string, JsonValue] => [key, {}]);
