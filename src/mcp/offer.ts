import { entriesIn, isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { isRecord } from "../messages/loose.js";
import { inlineReferences } from "../schema/inline-references.js";
import { formatIssues, type Schema } from "../schema/schema.js";
import { schemaOf } from "../schema/schema-of.js";
import { cut, quoted } from "../text/cut.js";
import { messageOf } from "../text/excerpt.js";
import { jsonText } from "../text/json-text.js";
import { tool, type Tool } from "../tools/define/tool.js";
import { ToolError } from "../tools/errors.js";
import { getOrInsert } from "../tree/made-once.js";
import type { ToolEffects } from "../tools/run/any-tool.js";
import type { ToolRuntime } from "../tools/run/runtime.js";
import { McpToolsError } from "./errors.js";
import { safeName } from "./names.js";
import { hasSlowPattern, withQuickPatterns } from "./patterns.js";

/** A tool of a server, as the server describes it. */
export interface Definition {
  /** The name at the server. */
  readonly name: string;
  readonly inputSchema: JsonObject;
  /** Checks `structuredContent`. */
  readonly output: Schema<unknown> | undefined;
  readonly effects: ToolEffects;
}

export interface OfferOptions {
  readonly prefix: string | undefined;
  readonly maxDescriptionChars: number;
  readonly maxSchemaChars: number;
  readonly timeout: number;
  readonly isRepeatable: (name: string) => boolean;
  readonly call: (definition: Definition, args: JsonObject, runtime: ToolRuntime) => Promise<unknown>;
}

/**
 * Makes a tool of a definition that a server has sent.
 *
 * @throws {McpToolsError} `left_out`
 */
export function offeredTool(sent: unknown, options: OfferOptions): Tool<JsonObject> {
  const name = nameIn(sent);
  if (!isRecord(sent)) throw leftOutError(name, "Its definition is not an object.");
  try {
    return toTool(name, sent, options);
  } catch (cause) {
    throw leftOutError(name, messageOf(cause), cause);
  }
}

/** The error of a tool that is not offered. */
export function leftOutError(name: string, reason: string, cause?: unknown): McpToolsError {
  const message = `The tool ${quoted(name)} of the server is left out. ${cut(reason, 500)}`;
  return new McpToolsError("left_out", message, { tool: cut(name, 200), cause });
}

/** The name of a tool at its server; `""` if it has none. */
export function nameIn(sent: unknown): string {
  const name = isRecord(sent) ? sent["name"] : undefined;
  return typeof name === "string" ? name : "";
}

function toTool(
  name: string,
  {
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    execution,
  }: Readonly<Record<string, unknown>>,
  { prefix, maxDescriptionChars, maxSchemaChars, timeout, isRepeatable, call }: OfferOptions,
): Tool<JsonObject> {
  if (name === "" || name.length > maxName) throw new Error(`Its name must have 1 to ${maxName} characters.`);
  if (isRecord(execution) && execution["taskSupport"] === "required") {
    throw new Error("It runs only as a task, which is not supported.");
  }
  const input = readSchema("input schema", inputSchema, maxSchemaChars);
  const definition: Definition = {
    name,
    inputSchema: inputSchema as JsonObject,
    output:
      outputSchema === undefined
        ? undefined
        : readSchema("output schema", outputSchema, maxSchemaChars).schema,
    effects: effectsIn(annotations),
  };
  const schema = withoutRootUnion(input.jsonSchema);
  const words = [description, title].find((it) => typeof it === "string" && it !== "") as string | undefined;
  const offeredName = safeName(name, prefix);
  return tool({
    name: offeredName,
    ...(words !== undefined && { description: cut(words, maxDescriptionChars) }),
    schema,
    effects: definition.effects,
    repeatable: isRepeatable(name),
    timeout,
    run: (args, runtime) => {
      const found = schema === input.jsonSchema ? undefined : input.schema.validate(args);
      if (found === undefined || found instanceof Promise || found.issues === undefined)
        return call(definition, args, runtime);
      const problem = `The arguments of "${offeredName}" do not satisfy the schema. ${formatIssues(found.issues)}`;
      throw new ToolError("invalid_input", problem, { tool: offeredName, issues: found.issues });
    },
  }) as never;
}

const maxName = 1_000;

function readSchema(
  which: string,
  sent: unknown,
  maxLength: number,
): { readonly jsonSchema: JsonObject; readonly schema: Schema<unknown> } {
  const { problem } = jsonText(sent, { maxLength, maxDepth: 200 });
  if (problem !== undefined) throw new Error(`Its ${which} cannot be used: ${problem}.`);
  if (!isObject(sent as JsonValue)) throw new Error(`Its ${which} is not an object.`);
  const checked = withQuickPatterns(sent as JsonObject);
  if (hasSlowPattern(checked)) throw new Error(`Its ${which} cannot be used: a pattern may take too long.`);
  const schema = schemaOf(checked);
  const lost = schema.warnings.find(({ message }) => message.endsWith("leads nowhere."));
  if (lost !== undefined) throw new Error(`Its ${which} cannot be used: ${formatIssues([lost])}`);
  return { jsonSchema: checked, schema };
}

/** The hints of the server, with the defaults of the protocol: a tool without hints may destroy something. */
function effectsIn(annotations: unknown): ToolEffects {
  const hints = isRecord(annotations) ? annotations : {};
  const hint = (name: string, byDefault: boolean): boolean => {
    const value = hints[name];
    return typeof value === "boolean" ? value : byDefault;
  };
  const readOnly = hint("readOnlyHint", false);
  return {
    readOnly,
    destructive: !readOnly && hint("destructiveHint", true),
    idempotent: hint("idempotentHint", false),
    openWorld: hint("openWorldHint", true),
  };
}

/**
 * A schema without alternatives at the root, which providers refuse in tools. All their properties are allowed, and the
 * schema of the server is checked when the tool runs. Other schemas are returned as they are.
 */
function withoutRootUnion(schema: JsonObject): JsonObject {
  const { anyOf, oneOf, ...rest } = inlineReferences(schema);
  const branches = [anyOf, oneOf].flatMap((it) => (Array.isArray(it) ? it : [])).filter((it) => isObject(it));
  if (branches.length === 0) return schema;
  const found = new Map<string, Map<string, JsonValue>>();
  for (const { properties } of [rest, ...branches]) {
    for (const [name, property] of entriesIn(properties))
      getOrInsert(found, name, () => new Map<string, JsonValue>()).set(JSON.stringify(property), property);
  }
  const properties = Array.from(found, ([name, variants]): [string, JsonValue] => {
    const [only, ...others] = [...variants.values()];
    return [name, others.length === 0 ? (only as JsonValue) : { anyOf: [...variants.values()] }];
  });
  return { ...rest, type: "object", properties: Object.fromEntries(properties) };
}
