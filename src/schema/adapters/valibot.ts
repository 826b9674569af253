import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
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
    const { wrapped, options = [] } = schema;
    const inner = (): JsonObject => this.inside(wrapped);
    const refer = (write: () => JsonObject): JsonObject => this.definitions.refer(schema, write);
    switch (schema.type) {
      case "string":
        return all({ type: "string" }, ...checks.map(ruleOfString));
      case "number":
        return valibotNumber(checks);
      case "boolean":
      case "null":
        return { type: schema.type };
      case "bigint":
      case "blob":
      case "date":
      case "file":
      case "function":
      case "map":
      case "nan":
      case "never":
      case "promise":
      case "set":
      case "symbol":
      case "undefined":
      case "void":
        return nothing();
      case "literal":
        return oneOf([schema.literal]);
      case "enum":
      case "picklist":
        return oneOf(options);
      case "array":
        return refer(() =>
          all(
            { type: "array", items: this.inside(schema.item) },
            ...checks.map((check) => ruleOfLength(check, "minItems", "maxItems")),
          ),
        );
      case "tuple":
      case "loose_tuple":
      case "strict_tuple":
      case "tuple_with_rest":
        return refer(() => this.tuple(schema));
      case "object":
      case "loose_object":
      case "strict_object":
      case "object_with_rest":
        return refer(() => this.object(schema));
      case "record":
        return refer(() => this.record(schema));
      case "union":
      case "variant":
        return refer(() => ({ anyOf: options.map((option) => this.inside(option)) }));
      case "intersect":
        return refer(() => ({ allOf: options.map((option) => this.inside(option)) }));
      case "nullable":
      case "nullish":
        return { anyOf: [inner(), { type: "null" }] };
      case "optional":
      case "exact_optional":
      case "undefinedable":
      case "non_optional":
      case "non_nullable":
      case "non_nullish":
        return inner();
      case "lazy":
        return this.lazy(schema);
      default:
        return {}; // any value, or one that only Valibot can check: any, custom, instance and others
    }
  }

  private inside(schema: unknown): JsonObject {
    return isSchema(schema) ? this.write(schema) : {};
  }

  private lazy({ getter, async }: ValibotSchema): JsonObject {
    // The schema of a getter that takes the input depends on it.
    if (getter === undefined || getter.length > 0 || async === true) return {};
    return this.definitions.refer(getter, () => this.inside(getter()));
  }

  /** The actions of its pipe see the result, which may have another length. */
  private tuple({ type, items = [], rest }: ValibotSchema): JsonObject {
    return {
      type: "array",
      prefixItems: items.map((item) => this.inside(item)),
      minItems: items.findLastIndex((item) => !valibotMayBeUndefined(item)) + 1,
      ...(type === "strict_tuple" && { items: false }),
      ...(type === "tuple_with_rest" && { items: this.inside(rest) }),
    };
  }

  private object({ type, entries = {}, rest }: ValibotSchema): JsonObject {
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

  private record({ key, value }: ValibotSchema): JsonObject {
    return {
      type: ["object", "array"],
      properties: Object.fromEntries(unchecked),
      propertyNames: { anyOf: [this.inside(key), ...unchecked.map(([name]) => ({ const: name }))] },
      additionalProperties: this.inside(value),
    };
  }
}

/** Members with these keys are left out and not checked, unless they are named. */
const unchecked = ["__proto__", "prototype", "constructor"].map((key): [string, JsonValue] => [key, {}]);
