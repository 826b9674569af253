import { excerpt, messageOf } from "../../text/excerpt.js";
import { kindName } from "../../text/kind-name.js";
import { parsePointer } from "../../tree/pointer.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { isRecord } from "../../messages/loose.js";
import { type Schema, type Validation, formatIssues, thenOrNow } from "../../schema/schema.js";
import { membersOf } from "../../schema/members-of.js";
import { withNullAsAbsent } from "../../schema/null-as-absent.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import type { AnyTool } from "../run/any-tool.js";
import { ToolError } from "../errors.js";
import { inlineReferences } from "../../schema/inline-references.js";
import { hasProperty, isObjectSchema, withoutProperties } from "./object-schema.js";

/** The fields of a tool that describe and check its arguments. */
export type ToolInput = Pick<AnyTool, "parameters" | "schema" | "check">;

/**
 * Makes these fields from the schema of an object or of a string, which the model writes as `{"input": "…"}`.
 *
 * @throws {ToolError} `invalid_tool` if the schema has another type or cannot be converted to JSON Schema
 */
export function toolInput(
  tool: string,
  schemaInput: SchemaInput | undefined,
  injected: readonly string[],
): ToolInput {
  const input = schemaInput ?? { type: "string" };
  const converted = convertSchema(tool, input);
  const { schema, jsonSchema, isUnion } = converted;
  if (jsonSchema["type"] === "string") {
    if (injected.length === 0) return textInput(tool, input, converted);
    throw new ToolError(
      "invalid_tool",
      `The tool "${tool}" takes one string, so arguments cannot be injected. Use an object schema.`,
      { tool },
    );
  }
  if (isUnion || !isObjectSchema(jsonSchema)) {
    const wayOut = isUnion
      ? " Make one tool for each member of the union, or put the union into a property of an object."
      : "";
    throw new ToolError(
      "invalid_tool",
      `The schema of the tool "${tool}" must describe one object or a string, but its JSON Schema is ${shown(jsonSchema)}.${wayOut}`,
      { tool },
    );
  }
  const names = new Set(injected);
  const inSchema = new Set(injected.filter((name) => hasProperty(jsonSchema, name)));
  const { required } = jsonSchema;
  const needed = injected.filter((name) => Array.isArray(required) && required.includes(name));
  // A missing member is reported at the object itself.
  const namesAndObject = new Set([...names, ""]);
  return {
    // Providers require the type.
    parameters: { ...withoutProperties(jsonSchema, names), type: "object" },
    ...(names.size === 0 && { schema: input }),
    check: (args, values, strict = false) => {
      if (!isObject(args)) valueOf(notAnObject(args), tool, none);
      const whole = { ...without(args, names), ...pick(values, (name) => inSchema.has(name)) };
      const checked = strict ? withNullAsAbsent(schema, false) : schema;
      return thenOrNow(checked.validate(whole), (validation) => {
        const isMissing = needed.some((name) => values[name] === undefined);
        const value = valueOf(validation, tool, isMissing ? namesAndObject : names);
        const extra = pick(values, (name) => !inSchema.has(name));
        return inSchema.size === names.size ? value : withExtra(value, extra, tool);
      });
    },
  };
}

function textInput(tool: string, schemaInput: SchemaInput, { schema, jsonSchema }: Converted): ToolInput {
  const { $schema, title: _title, ...input } = jsonSchema;
  const parameters: JsonObject = {
    ...($schema !== undefined && { $schema }),
    type: "object",
    properties: { input },
    required: ["input"],
  };
  if ("~standard" in schemaInput) {
    return {
      parameters,
      check: ({ input: text }) =>
        thenOrNow(schema.validate(text), (validation) => valueOf(validation, tool, none, "/input")),
    };
  }
  const whole = schemaOf(parameters); // the JSON Schema of the string alone cannot report a missing string
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

/** Spread, a list or null would be an object, and the tool would run. */
function notAnObject(args: unknown): Validation<never> {
  return { issues: [{ pointer: "", message: `Expected an object, but got ${kindName(args)}.` }] };
}

interface Converted {
  readonly schema: Schema<unknown>;
  readonly jsonSchema: JsonObject;
  readonly isUnion: boolean;
}

function convertSchema(tool: string, schemaInput: SchemaInput): Converted {
  try {
    const schema = schemaOf(schemaInput);
    const members = membersOf(schemaInput);
    const isUnion = members.length > 1;
    const { jsonSchema } = isUnion ? schema : (members[0] ?? schema);
    return { schema, jsonSchema: inlineReferences(jsonSchema), isUnion };
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ToolError(
      "invalid_tool",
      `The schema of the tool "${tool}" cannot be converted to JSON Schema. ${reason} Injected arguments may be left out of it.`,
      { tool, cause },
    );
  }
}

/** Drops values that the model wrote for injected arguments. */
function without(args: JsonObject, names: ReadonlySet<string>): JsonObject {
  return names.size === 0 ? args : pick(args, (name) => !names.has(name));
}

function pick<T>(object: Readonly<Record<string, T>>, keep: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => keep(name)));
}

function valueOf<T>(validation: Validation<T>, tool: string, injected: ReadonlySet<string>, at = ""): T {
  if (validation.issues === undefined) return validation.value;
  const issues = validation.issues.map(({ pointer, message }) => ({ pointer: at + pointer, message }));
  const isInjected = issues.some(({ pointer }) => injected.has(parsePointer(pointer)[0] ?? ""));
  const subject = isInjected ? "The injected arguments" : "The arguments";
  const problem = `${subject} of "${tool}" do not satisfy the schema. ${formatIssues(issues)}`;
  throw new ToolError(isInjected ? "injection" : "invalid_input", problem, { tool, issues });
}

function withExtra(value: unknown, extra: Record<string, unknown>, tool: string): unknown {
  if (isRecord(value)) return { ...value, ...extra };
  throw new ToolError(
    "injection",
    `The schema of "${tool}" does not return an object, so the injected arguments cannot be added to it.`,
    { tool },
  );
}

function shown({ $schema: _draft, ...schema }: JsonObject): string {
  return excerpt(schema, 80);
}
