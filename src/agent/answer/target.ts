import { isObject, type JsonObject } from "../../json/value.js";
import { inlineReferences } from "../../schema/inline-references.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import type { Schema } from "../../schema/schema.js";
import { invalidOptions } from "../errors.js";

/** One of the schemas that the response may match. */
export interface TargetSchema {
  /** Letters, digits, `_` and `-`, as providers require. Unique in a plan. */
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: Schema<unknown>;
  readonly jsonSchema: JsonObject;
}

/**
 * The schema of a response that comes as text. In the strict mode of some providers, models write null for absent
 * properties.
 */
export function textTarget(original: Schema<unknown>, coerce: boolean): TargetSchema {
  const schema = withNullAsAbsent(original, coerce);
  return targetOf(schema, uniqueName(schema.name, []), schema.jsonSchema);
}

/**
 * The schemas of a response that comes as a tool call.
 *
 * @throws {AgentError} `invalid_options` if one is not that of an object
 */
export function toolTargets(schemas: readonly Schema<unknown>[]): TargetSchema[] {
  const targets: TargetSchema[] = [];
  for (const schema of schemas) {
    const jsonSchema = inlineReferences(schema.jsonSchema);
    const title = schemas.length > 1 ? (constantIn(schema, jsonSchema) ?? schema.name) : schema.name;
    const name = uniqueName(title, targets);
    const { type = "object" } = jsonSchema;
    if (type !== "object") {
      const problem = `The schema "${name}" is sent as a tool, so its type must be "object", but is ${JSON.stringify(type)}. Wrap it in an object.`;
      if (type !== "array") throw invalidOptions(problem);
      const advice = "Or pass the schema of one element to streamObject() with elements: true.";
      throw invalidOptions(`${problem} ${advice}`, { advice });
    }
    targets.push(targetOf(schema, name, { ...jsonSchema, type }));
  }
  return targets;
}

function targetOf(schema: Schema<unknown>, name: string, jsonSchema: JsonObject): TargetSchema {
  const { description } = jsonSchema;
  return {
    name,
    description: typeof description === "string" ? description : undefined,
    schema,
    jsonSchema,
  };
}

/** The constant by which a schema without a title differs from the other members of its union: `"circle"`. */
function constantIn({ name }: Schema<unknown>, { title, properties }: JsonObject): string | undefined {
  if (name === title || !isObject(properties)) return undefined;
  for (const property of Object.values(properties)) {
    const constant = isObject(property) ? property["const"] : undefined;
    if (typeof constant === "string" && constant !== "") return constant;
  }
  return undefined;
}

/** Two schemas without a title get the names `output` and `output_2`. */
function uniqueName(title: string, targets: readonly TargetSchema[]): string {
  const names = new Set(targets.map(({ name }) => name));
  const name = title.replace(/[^\w-]/g, "_").slice(0, 60);
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}
