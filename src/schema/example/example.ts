import { Kind } from "../../json/build/kinds.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Alternative } from "../guard/alternative.js";
import { likelyScalars } from "./example-scalars.js";
import { Expansion } from "../guard/expansion.js";
import { mapSchema } from "../map-schema.js";
import { problemOfScalar } from "../guard/problems.js";
import type { Schema } from "../schema.js";
import { Shapes, type Child, type Shape } from "../guard/shape.js";

/**
 * A small value that satisfies a schema, to show a model what is wanted: with what the schema itself names (`examples`,
 * `const`, `enum`, a scalar as `default`), and made up where it names nothing. Members that may be left out are there
 * where they can be; what is recursive ends where it may.
 *
 * `undefined` where none is found: for a pattern without an example, a rule that only the schema's own check knows, or a
 * check that is asynchronous. What is given has passed that check.
 *
 * @throws {SchemaError} `no_json_schema` if the schema cannot be written as JSON Schema
 */
export function exampleOf(schema: Schema<unknown>): JsonValue | undefined {
  const { jsonSchema } = schema;
  try {
    const { root } = new Shapes(new Expansion(mapSchema(jsonSchema, withExamplesAsEnum)));
    for (const members of ["all", "required"] as const) {
      const value = new Sampler(members).sample(root, root.all);
      if (value !== undefined && isValid(schema, value)) return value;
    }
  } catch {
    // The schema is of no use, or a transform of it fails on what is made up: whoever checks with it is told so.
  }
  return undefined;
}

/** What is an example is one of the values that are right, and the ones to choose from. */
function withExamplesAsEnum(schema: JsonObject): JsonObject {
  const { examples, default: preset } = schema;
  if ("const" in schema || "enum" in schema) return schema;
  if (Array.isArray(examples) && examples.length > 0) return { ...schema, enum: examples };
  // Nothing is shown by an empty one, as `[]` or `null`.
  return preset === undefined || preset === "" || typeof preset === "object"
    ? schema
    : { ...schema, enum: [preset] };
}

function isValid(schema: Schema<unknown>, value: JsonValue): boolean {
  const result = schema.validate(structuredClone(value));
  if (!(result instanceof Promise)) return result.issues === undefined;
  result.catch(() => {}); // nobody waits for it
  return false;
}

/** Makes one value: the first that the rules allow, as far as they are those of a stream. */
class Sampler {
  private readonly members: "all" | "required";
  /** The ids of the alternatives that the value stands inside of: none is begun again within itself. */
  private readonly open = new Set<string>();
  private parts = 0;

  constructor(members: "all" | "required") {
    this.members = members;
  }

  /** @param serving the alternatives of the shape that are of use to what is around the value */
  sample(shape: Shape, serving: readonly number[]): JsonValue | undefined {
    if (++this.parts > MAX_PARTS) return undefined;
    const alternatives = serving.map((index) => [index, shape.alternatives[index] as Alternative] as const);
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
    if (named !== undefined) return named.find(isRight);
    // Without a type, anything may stand there: what the rules are about is meant.
    const isAnything = (kinds & Kind.STRING) !== 0;
    const keys = new Set(rules.flatMap(({ properties, required }) => [...properties.keys(), ...required]));
    if ((kinds & Kind.OBJECT) !== 0 && (keys.size > 0 || !isAnything)) return this.object(shape, index, keys);
    if ((kinds & Kind.ARRAY) !== 0 && !isAnything) return this.array(shape, index);
    return likelyScalars(alternative).find(isRight);
  }

  private object(shape: Shape, index: number, keys: ReadonlySet<string>): JsonObject | undefined {
    const { rules } = shape.alternatives[index] as Alternative;
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
    const { rules } = shape.alternatives[index] as Alternative;
    const least = Math.max(0, ...rules.map(({ minItems }) => minItems));
    const most = Math.min(...rules.map(({ maxItems }) => maxItems));
    const tuple = Math.max(0, ...rules.map(({ prefixItems }) => prefixItems.length));
    const elements: JsonValue[] = [];
    while (elements.length < Math.min(Math.max(least, tuple, 1), most)) {
      const value = this.child(shape.element(elements.length), index);
      if (value === undefined) return elements.length < least ? undefined : elements;
      elements.push(value);
    }
    return elements;
  }

  /** What may stand in a container of this alternative. */
  private child({ shape, serves }: Child, container: number): JsonValue | undefined {
    return this.sample(
      shape,
      shape.all.filter((index) => serves[index]?.includes(container)),
    );
  }
}

/** Beyond so many parts an example is not small, and one that is not found soon is not worth the search. */
const MAX_PARTS = 300;

/** A null shows nothing where it is not all that there is. */
function rank({ kinds }: Alternative): number {
  return kinds === Kind.NULL ? 1 : 0;
}
