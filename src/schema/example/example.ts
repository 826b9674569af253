import * as Kind from "../../json/build/kind.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Alternative } from "../guard/alternative.js";
import { Expansion } from "../guard/expansion.js";
import { documentSource } from "../adapters/document-source.js";
import { limitsIn, type Rules } from "../guard/rules.js";
import { SchemaDocument } from "../interpreter/schema-document.js";
import { mapSchema } from "../map-schema.js";
import { problemOfScalar } from "../guard/problems.js";
import type { Schema } from "../schema.js";
import { type Child, childrenIn, type Shape, Shapes } from "../guard/shape.js";
import { noop } from "../../stream/core/result.js";

/**
 * Finds a small value that satisfies a schema, as an example for a model. It uses the values that the schema names
 * (`examples`, `const`, `enum`, a scalar `default`) and makes up the others. Optional members are included where
 * possible, and recursion ends as early as possible.
 *
 * The value has passed the schema's own check. Returns `undefined` if none is found: for a pattern without `examples`,
 * a rule that only the schema's own check knows, or an asynchronous check.
 *
 * @throws {SchemaError} `no_json_schema` if the schema cannot be written as JSON Schema
 */
export function exampleOf(schema: Schema<unknown>): JsonValue | undefined {
  const { jsonSchema } = schema;
  try {
    const document = new SchemaDocument(mapSchema(jsonSchema, withExamplesAsEnum));
    const { root } = new Shapes(new Expansion(documentSource(document, false)));
    for (const members of ["all", "required"] as const) {
      const value = new Sampler(members).sample(root, root.all);
      if (value !== undefined && isValid(schema, value)) return value;
    }
  } catch {
    // The schema is unusable, or a transform failed on the made-up value. The schema's own check reports the former.
  }
  return undefined;
}

/** Treats examples as the allowed values. */
function withExamplesAsEnum(schema: JsonObject): JsonObject {
  const { examples, default: preset } = schema;
  if ("const" in schema || "enum" in schema) return schema;
  if (Array.isArray(examples) && examples.length > 0) return { ...schema, enum: examples };
  // An empty default such as `[]` or `null` shows nothing.
  return preset === undefined || preset === "" || typeof preset === "object"
    ? schema
    : { ...schema, enum: [preset] };
}

function isValid(schema: Schema<unknown>, value: JsonValue): boolean {
  const result = schema.validate(structuredClone(value));
  if (!(result instanceof Promise)) return result.issues === undefined;
  result.catch(noop); // the result is not used
  return false;
}

/** Makes one value: the first that satisfies the rules known to the guard. */
class Sampler {
  private readonly members: "all" | "required";
  /** Ids of the alternatives around the value. None is used again within itself, which ends recursion. */
  private readonly open = new Set<string>();
  private parts = 0;

  constructor(members: "all" | "required") {
    this.members = members;
  }

  /** @param allowed indices of the alternatives that the container allows */
  sample(shape: Shape, allowed: readonly number[]): JsonValue | undefined {
    if (++this.parts > MAX_PARTS) return undefined;
    const alternatives = allowed.map((index) => [index, shape.at(index)] as const);
    for (const [index, alternative] of alternatives.sort(([, a], [, b]) => rank(a) - rank(b))) {
      if (this.open.has(alternative.id)) continue;
      this.open.add(alternative.id);
      const value = this.valueOf(shape, index, alternative);
      this.open.delete(alternative.id);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private valueOf(shape: Shape, index: number, alternative: Alternative): JsonValue | undefined {
    const { rules, kinds } = alternative;
    const named = rules.find(({ options }) => options !== undefined)?.options;
    const isRight = (value: JsonValue): boolean =>
      problemOfScalar(alternative, value as string) === undefined;
    if (named !== undefined) return [...named].find(isRight);
    // Without `type` every kind is allowed, and only `properties` or `required` show that an object is wanted.
    const isAnything = (kinds & Kind.STRING) !== 0;
    const keys = new Set(rules.flatMap(({ properties, required }) => [...properties.keys(), ...required]));
    if ((kinds & Kind.OBJECT) !== 0 && (keys.size > 0 || !isAnything)) return this.object(shape, index, keys);
    if ((kinds & Kind.ARRAY) !== 0 && !isAnything) return this.array(shape, index);
    return likelyScalars(alternative).find(isRight);
  }

  private object(shape: Shape, index: number, keys: ReadonlySet<string>): JsonObject | undefined {
    const { rules } = shape.at(index);
    const required = new Set(rules.flatMap((each) => each.required));
    const ofRecord = rules.some(({ additionalProperties: others }) => typeof others === "object");
    const members: [string, JsonValue][] = [];
    for (const key of keys.size === 0 && ofRecord ? ["key"] : keys) {
      if (!required.has(key) && this.members === "required") continue;
      const value = this.child(shape.member(key), index);
      if (value !== undefined) members.push([key, value]);
      else if (required.has(key)) return undefined;
    }
    return Object.fromEntries(members);
  }

  private array(shape: Shape, index: number): JsonValue[] | undefined {
    const { rules } = shape.at(index);
    const min = Math.max(0, ...limitsIn(rules, "minItems"));
    const max = Math.min(...limitsIn(rules, "maxItems"));
    const tuple = Math.max(0, ...rules.map(({ prefixItems }) => prefixItems.length));
    const elements: JsonValue[] = [];
    while (elements.length < Math.min(Math.max(min, tuple, 1), max)) {
      const value = this.child(shape.element(elements.length), index);
      if (value === undefined) return elements.length < min ? undefined : elements;
      elements.push(value);
    }
    return elements;
  }

  /** A value for a member or element of a container of this alternative. */
  private child(child: Child, container: number): JsonValue | undefined {
    return this.sample(child.shape, childrenIn(child, [container]));
  }
}

/** Bounds the size of an example and the length of the search. */
const MAX_PARTS = 300;

/** Prefers alternatives other than `null`, which shows nothing. */
function rank({ kinds }: Alternative): number {
  return kinds === Kind.NULL ? 1 : 0;
}

/** Scalars to try for a schema, the best first. Not all of them satisfy it. */
function likelyScalars({ rules, kinds }: Alternative): (string | number | boolean | null)[] {
  return [
    ...((kinds & Kind.STRING) === 0 ? [] : likelyStrings(rules)),
    ...((kinds & Kind.NUMBER) === 0 ? [] : likelyNumbers(rules)),
    true,
    null,
  ];
}

function likelyStrings(rules: readonly Rules[]): string[] {
  const min = Math.max(1, ...limitsIn(rules, "minLength"));
  const max = Math.min(...limitsIn(rules, "maxLength"));
  const formatted = rules.flatMap(({ format = "" }) => inFormat.get(format) ?? []);
  return min > LONG ? formatted : [...formatted, "text".repeat(Math.ceil(min / 4)).slice(0, max)];
}

function likelyNumbers(rules: readonly Rules[]): number[] {
  const low = Math.max(...limitsIn(rules, "minimum", "exclusiveMinimum"));
  const high = Math.min(...limitsIn(rules, "maximum", "exclusiveMaximum"));
  const step = Math.max(0, ...limitsIn(rules, "multipleOf")) || 1;
  const steps = Math.ceil(Math.max(low, 1) / step);
  const all = [steps * step, low, high, low + step, high - step, (low + high) / 2, 0];
  return all.filter(Number.isFinite).sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1));
}

/** A string of more characters makes no small example. */
const LONG = 200;

const inFormat: ReadonlyMap<string, string> = new Map([
  ["date-time", "2026-01-31T12:00:00Z"],
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["duration", "PT5M"],
  ["email", "ada@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
]);
