/** BAML reads a text as a type of its own language. Its schemas are translated from JSON Schema. */
import type { JsonSchema } from "../../src/schema/index.js";
import { loadUntyped } from "../../test/support/load-untyped.js";

interface Baml {
  readonly BamlRuntime: {
    fromFiles(root: string, files: object, environment: object): Runtime;
  };
}
interface Runtime {
  createContextManager(): object;
  parseLlmResponse(
    name: string,
    text: string,
    partial: boolean,
    context: object,
    ...none: unknown[]
  ): unknown;
}

export type BamlReader = (text: string, schema?: JsonSchema, partial?: boolean) => unknown;

export async function bamlReader(): Promise<BamlReader> {
  process.env["BAML_INTERNAL_LOG"] = "off";
  const { BamlRuntime } = await loadUntyped<Baml>("@boundaryml/baml/native");
  const readers = new Map<string, (text: string, partial: boolean) => unknown>();
  return (text, schema = {}, partial = false) => {
    if (/(?:[[{][^[{]*){200}|[^]{10000}/.test(text)) throw new Error("BAML needs minutes for such a text.");
    const key = JSON.stringify(schema);
    let read = readers.get(key);
    if (read === undefined) {
      const types = new BamlTypes(schema);
      const runtime = BamlRuntime.fromFiles("baml_src", { "main.baml": types.source }, {});
      const context = runtime.createContextManager();
      read = (it, isPartial) =>
        types.renamed(runtime.parseLlmResponse("Read", it, isPartial, context, undefined, undefined, {}));
      readers.set(key, read);
    }
    return read(text, partial);
  };
}

/** A JSON Schema as classes of BAML. A part that has no counterpart becomes any JSON. */
class BamlTypes {
  readonly source: string;
  private readonly classes: string[] = [];
  private readonly names = new Map<JsonSchema, string>();
  private readonly keys: string[] = [];
  private readonly root: JsonSchema;

  constructor(root: JsonSchema) {
    this.root = root;
    const type = this.typeOf(root);
    this.source = [
      'client<llm> None {\n  provider openai\n  options {\n    model "x"\n    api_key "x"\n  }\n}',
      "type AnyJson = int | float | bool | string | null | AnyJson[] | map<string, AnyJson>",
      ...this.classes,
      `function Read() -> ${type} {\n  client None\n  prompt #"{{ ctx.output_format }}"#\n}`,
    ].join("\n");
  }

  /** Gives members their keys, which need not be identifiers of BAML. */
  renamed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((it) => this.renamed(it));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, it]) => [this.keyOf(name), this.renamed(it)]);
    return Object.fromEntries(entries) as unknown;
  }

  private keyOf(name: string): string {
    return /^field\d+$/.test(name) ? (this.keys[Number(name.slice(5))] ?? name) : name;
  }

  private typeOf(schema: JsonSchema): string {
    const { $ref, anyOf, oneOf, type, properties, items, additionalProperties: others } = schema as Keywords;
    if ($ref !== undefined) {
      const path = $ref.split("/").slice(1);
      return this.typeOf(path.reduce<unknown>((it, key) => (it as Keywords)[key], this.root) as JsonSchema);
    }
    const members = anyOf ?? oneOf;
    if (members !== undefined) return union(members.map((it) => this.typeOf(it)));
    const constants = schema["enum"] ?? ("const" in schema ? [schema["const"]] : undefined);
    if (Array.isArray(constants)) return union(constants.map((it) => JSON.stringify(it)));
    if (Array.isArray(type)) return union(type.map((it) => this.typeOf({ ...schema, type: it as string })));
    if (properties !== undefined) return this.classOf(schema, properties);
    switch (type) {
      case "array":
        return `${items === undefined ? "AnyJson" : union([this.typeOf(items)])}[]`;
      case "object":
        return `map<string, ${typeof others === "object" ? this.typeOf(others) : "AnyJson"}>`;
      default:
        return scalars[String(type)] ?? "AnyJson";
    }
  }

  private classOf(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): string {
    let name = this.names.get(schema);
    if (name !== undefined) return name;
    name = `Class${this.names.size}`;
    this.names.set(schema, name);
    const { required = [] } = schema as Keywords;
    const fields = Object.entries(properties).map(([key, it]) => {
      const type = union([this.typeOf(it), ...(required.includes(key) ? [] : ["null"])]);
      return `  field${this.keys.push(key) - 1} ${type} @alias(#"${key}"#)`;
    });
    this.classes.push(`class ${name} {\n${fields.join("\n")}\n}`);
    return name;
  }
}

const scalars: Readonly<Record<string, string>> = {
  string: "string",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "null",
};

function union(types: readonly string[]): string {
  return types.length === 1 && types[0]?.includes("|") !== true ? String(types[0]) : `(${types.join(" | ")})`;
}

interface Keywords extends Readonly<Record<string, unknown>> {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
}
