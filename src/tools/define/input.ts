import { parsePointer } from "../../tree/pointer.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { isRecord } from "../../messages/loose.js";
import { type Schema, type Validation, formatIssues, thenOrNow } from "../../schema/schema.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool } from "./any-tool.js";
import { ToolError } from "../errors.js";
import { hasProperty, inlined, isObjectSchema, withoutProperties } from "./object-schema.js";

/** What a tool knows of its arguments. */
export type ToolInput = Pick<AnyTool, "parameters" | "schema" | "check">;

/**
 * The arguments of a tool: an object, or one text, which the model writes as `{"input": "…"}`.
 *
 * @throws {ToolError} `invalid_tool` if the schema is of anything else, or cannot be shown to a model
 */
export function toolInput(
  tool: string,
  given: SchemaInput | undefined,
  injected: readonly string[],
): ToolInput {
  const schemaInput = given ?? { type: "string" };
  const read = readable(tool, schemaInput);
  const { schema, jsonSchema } = read;
  if (jsonSchema["type"] === "string") {
    if (injected.length === 0) return textInput(tool, schemaInput, read);
    throw new ToolError(
      "invalid_tool",
      `The tool "${tool}" takes one text, so nothing can be injected. Give it a schema of an object.`,
      { tool },
    );
  }
  if (!isObjectSchema(jsonSchema)) {
    throw new ToolError(
      "invalid_tool",
      `The schema of the tool "${tool}" must be that of an object, or of a string, but its JSON Schema says ${excerpt(jsonSchema)}.`,
      { tool },
    );
  }
  const names = new Set(injected);
  const own = new Set(injected.filter((name) => hasProperty(jsonSchema, name)));
  return {
    parameters: names.size === 0 ? jsonSchema : withoutProperties(jsonSchema, names),
    ...(names.size === 0 && { schema: schemaInput }),
    check: (args, values) => {
      const whole = { ...without(args, names), ...pick(values, (name) => own.has(name)) };
      return thenOrNow(schema.validate(whole), (validation) => {
        const value = valueOf(validation, tool, names);
        return own.size === names.size
          ? value
          : withExtra(
              value,
              pick(values, (name) => !own.has(name)),
              tool,
            );
      });
    },
  };
}

function textInput(tool: string, given: SchemaInput, { schema, jsonSchema }: Readable): ToolInput {
  const { $schema, title: _title, ...input } = jsonSchema;
  const parameters: JsonObject = {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: { input },
    required: ["input"],
  };
  if ("~standard" in given) {
    return {
      parameters,
      check: ({ input: text }) =>
        thenOrNow(schema.validate(text), (validation) => valueOf(validation, tool, none, "/input")),
    };
  }
  const whole = schemaOf(parameters); // a JSON Schema alone cannot say that the text is missing
  return {
    parameters,
    check: (args) =>
      thenOrNow(
        whole.validate(args),
        (validation) => (valueOf(validation, tool, none) as JsonObject)["input"],
      ),
  };
}

const none: ReadonlySet<string> = new Set();

interface Readable {
  readonly schema: Schema<unknown>;
  readonly jsonSchema: JsonObject;
}

function readable(tool: string, given: SchemaInput): Readable {
  try {
    const schema = schemaOf(given);
    return { schema, jsonSchema: inlined(schema.jsonSchema) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(
      "invalid_tool",
      `The schema of the tool "${tool}" cannot be shown to a model. ${reason} Arguments that are injected need not be in it.`,
      { tool, cause },
    );
  }
}

/** Nothing that a model invents may pass for what is injected. */
function without(args: JsonObject, names: ReadonlySet<string>): JsonObject {
  return names.size === 0 || !isObject(args) ? args : pick(args, (name) => !names.has(name));
}

function pick<T>(object: Readonly<Record<string, T>>, wanted: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => wanted(name)));
}

function valueOf<T>(validation: Validation<T>, tool: string, injected: ReadonlySet<string>, at = ""): T {
  if (validation.issues === undefined) return validation.value;
  const issues = validation.issues.map(({ pointer, message }) => ({ pointer: at + pointer, message }));
  // The program's own values are no concern of the model's.
  const ownFault = issues.find(({ pointer }) => injected.has(parsePointer(pointer)[0] ?? ""));
  const [code, subject] =
    ownFault === undefined
      ? (["invalid_input", "The arguments"] as const)
      : (["injection", "The injected arguments"] as const);
  throw new ToolError(code, `${subject} of "${tool}" do not satisfy the schema. ${formatIssues(issues)}`, {
    tool,
    issues,
  });
}

function withExtra(value: unknown, extra: Record<string, unknown>, tool: string): unknown {
  if (isRecord(value)) return { ...value, ...extra };
  throw new ToolError(
    "injection",
    `The schema of "${tool}" makes no object of the arguments, so nothing can be injected into them.`,
    { tool },
  );
}

function excerpt(schema: JsonObject): string {
  const { $schema: _draft, ...own } = schema;
  const text = JSON.stringify(own);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
