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
  parseFormat,
} from "./response-format.js";

/** How a model call asks for the structured response. */
export interface Plan {
  readonly kind: "tool" | "provider";
  readonly targets: readonly TargetSchema[];
  readonly strict: boolean | undefined;
  readonly handleError: HandleError;
  readonly toolMessageContent: string | undefined;
  /** Whether to stop the model when the response can no longer become valid. */
  readonly failFast: boolean;
}

/** One of the schemas that the response may match. */
export interface TargetSchema {
  /** Letters, digits, `_` and `-`, as providers require. Unique in a plan. */
  readonly name: string;
  readonly description: string | undefined;
  readonly schema: Schema<unknown>;
  readonly jsonSchema: JsonObject;
  readonly parserOptions: JsonParserOptions;
}

/** The options of an agent that apply to all its plans. */
export interface PlanOptions {
  /** Whether to validate the response while it streams. */
  readonly failFast: boolean;
  readonly append: boolean;
}

/** Makes plans and caches them by response format, so that each schema is converted once. */
export class Planner {
  private readonly options: PlanOptions;
  private readonly cache = new WeakMap<object, { readonly tool?: Plan; readonly provider?: Plan }>();

  constructor(options: PlanOptions) {
    this.options = options;
  }

  /**
   * @throws {AgentError} `invalid_options` if there is no schema, or one that a tool cannot have
   * @throws {SchemaError} if a schema is invalid or cannot be converted to JSON Schema
   */
  plan(format: AgentResponseFormat | undefined, profile: ModelProfile): Plan | undefined {
    if (format === undefined) return undefined;
    const parts = parseFormat(format);
    const kind = parts.kind === "auto" ? (profile.structuredOutput ? "provider" : "tool") : parts.kind;
    const plans = this.cache.get(format);
    const cached = plans?.[kind];
    if (cached !== undefined) return cached;
    const plan = this.make(kind, parts);
    this.cache.set(format, { ...plans, [kind]: plan });
    return plan;
  }

  private make(
    kind: Plan["kind"],
    { schemas, strict, handleError = true, toolMessageContent }: FormatParts,
  ): Plan {
    if (schemas.length === 0) {
      throw new AgentError("invalid_options", "responseFormat is an empty array. Add at least one schema.");
    }
    const names = new Set<string>();
    const targets = schemas.map((input) => this.target(kind, input, names));
    return { kind, targets, strict, handleError, toolMessageContent, failFast: this.options.failFast };
  }

  private target(kind: Plan["kind"], input: SchemaInput, names: Set<string>): TargetSchema {
    const original = schemaOf(input);
    // In the strict mode of some providers, models write null for absent properties.
    const schema = kind === "provider" ? withNullAsAbsent(original) : original;
    const { jsonSchema } = schema;
    const name = uniqueName(original.name, names);
    names.add(name);
    const { type = "object", description } = jsonSchema;
    if (kind === "tool" && type !== "object") {
      throw new AgentError(
        "invalid_options",
        `The schema "${name}" of responseFormat is sent as a tool, so its type must be "object", but is ${JSON.stringify(type)}. Wrap it in an object.`,
      );
    }
    const { failFast, append } = this.options;
    return {
      name,
      description: typeof description === "string" ? description : undefined,
      schema,
      jsonSchema,
      parserOptions: { repair: true, append, ...(failFast ? { guard: guardOfSchema(schema) } : undefined) },
    };
  }
}

/** Two schemas without a title get the names `output` and `output_2`. */
function uniqueName(title: string, names: ReadonlySet<string>): string {
  const name = title.replace(/[^\w-]/g, "_").slice(0, 60);
  if (!names.has(name)) return name;
  let number = 2;
  while (names.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}
