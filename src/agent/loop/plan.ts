import type { JsonParserOptions } from "../../json/options.js";
import type { JsonObject } from "../../json/value.js";
import type { ModelProfile } from "../../models/contract/chat-model.js";
import { guardOfSchema } from "../../schema/guard/guard.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import type { Schema } from "../../schema/schema.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import { AgentError } from "../errors.js";
import {
  type AgentResponseFormat,
  type FormatParts,
  type HandleError,
  partsOf,
} from "../response/response-format.js";

/** How one call of a model is asked for the structured response. */
export interface Plan {
  readonly kind: "tool" | "provider";
  readonly targets: readonly Target[];
  readonly strict: boolean | undefined;
  readonly handleError: HandleError;
  readonly toolMessageContent: string | undefined;
  /** Whether the model is stopped when the response cannot become right any more. */
  readonly failFast: boolean;
}

/** One of the schemas that the response may have. */
export interface Target {
  /** Of letters, digits, `_` and `-`, as providers take it. No two targets of a plan have the same. */
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: Schema<unknown>;
  readonly jsonSchema: JsonObject;
  /** How it is read. */
  readonly reading: JsonParserOptions;
}

/** How a response is read, in every run of an agent. */
export interface Reading {
  /** Whether the guard of the schema watches the stream. */
  readonly failFast: boolean;
  readonly append: boolean;
}

/** Makes plans. Schemas are read once, however often a plan is asked for. */
export class Planner {
  private readonly reading: Reading;
  private readonly known = new WeakMap<object, { readonly tool?: Plan; readonly provider?: Plan }>();

  constructor(reading: Reading) {
    this.reading = reading;
  }

  /**
   * @throws {AgentError} `invalid_options` for a schema that no tool can have
   * @throws {SchemaError} for what is no schema, or cannot be written as JSON Schema
   */
  plan(format: AgentResponseFormat | undefined, profile: ModelProfile): Plan | undefined {
    if (format === undefined) return undefined;
    const parts = partsOf(format);
    const kind = parts.kind === "auto" ? (profile.structuredOutput ? "provider" : "tool") : parts.kind;
    const plans = this.known.get(format);
    const known = plans?.[kind];
    if (known !== undefined) return known;
    const plan = this.make(kind, parts);
    this.known.set(format, { ...plans, [kind]: plan });
    return plan;
  }

  private make(
    kind: Plan["kind"],
    { schemas, strict, handleError = true, toolMessageContent }: FormatParts,
  ): Plan {
    if (schemas.length === 0) {
      throw new AgentError("invalid_options", "responseFormat is an array without any schema.");
    }
    const names = new Set<string>();
    const targets = schemas.map((input) => this.target(kind, input, names));
    return { kind, targets, strict, handleError, toolMessageContent, failFast: this.reading.failFast };
  }

  private target(kind: Plan["kind"], input: SchemaInput, names: Set<string>): Target {
    const given = schemaOf(input);
    // The strict mode of some providers makes a model write null where a property is absent.
    const schema = kind === "provider" ? withNullAsAbsent(given) : given;
    const { jsonSchema } = schema;
    const name = freeName(given.name, names);
    names.add(name);
    const { type = "object", description } = jsonSchema;
    if (kind === "tool" && type !== "object") {
      throw new AgentError(
        "invalid_options",
        `The response format "${name}" is asked for by a tool, whose arguments are an object; but its type is ${JSON.stringify(type)}.`,
      );
    }
    const { failFast, append } = this.reading;
    return {
      name,
      description: typeof description === "string" ? description : undefined,
      schema,
      jsonSchema,
      reading: { repair: true, append, ...(failFast ? { guard: guardOfSchema(schema) } : undefined) },
    };
  }
}

/** Two schemas without a title are `output` and `output_2`. */
function freeName(title: string, names: ReadonlySet<string>): string {
  const name = title.replace(/[^\w-]/g, "_").slice(0, 60);
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}
