import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { mapCatalogueSchema, issuesOutside, streamSchemaOf } from "../../parsers/patch-lines/catalogue.js";
import { asPart } from "../../schema/combined.js";
import type { Schema, SchemaIssue } from "../../schema/schema.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import { a2uiVersions } from "./a2ui-message.js";

/** The components that an interface of A2UI may use. */
export interface A2uiCatalogue {
  /** For each type of component, the schema of its properties: all members but `id` and `component`. */
  readonly components: Readonly<Record<string, SchemaInput>>;
}

/**
 * The schema of a message. With a catalogue, each component has a type and properties of it. Where a property may
 * stand, a binding or a call may too: `{"path": "/title"}`, `{"call": "formatDate", "args": {…}}`.
 */
export class A2uiCatalogueSchema {
  private readonly components: ReadonlyMap<string, Schema<unknown>> | undefined;

  constructor(catalogue: A2uiCatalogue | undefined) {
    if (catalogue === undefined) return;
    this.components = new Map(
      Object.entries(catalogue.components).map(([name, input]) => [name, schemaOf(input)]),
    );
  }

  /** The JSON Schema of a message, which guards it while it is read. */
  get streamSchema(): JsonObject {
    return this.messageOf(streamSchemaOf);
  }

  /** The JSON Schema of a message, for the prompt. */
  get jsonSchema(): JsonObject {
    return this.messageOf((schema) => schema.jsonSchema);
  }

  /** For each component, the schema of its properties, for the prompt. */
  get properties(): readonly (readonly [name: string, schema: Schema<unknown>])[] {
    return [...(this.components ?? [])];
  }

  /** Whether a catalogue is known and allows the component as it is, although it may still grow. */
  allows(component: JsonObject): boolean {
    return this.components !== undefined && this.issuesOf(component, () => false).length === 0;
  }

  /** The faults of a complete component, as its own schema reports them. */
  check(component: JsonObject): readonly SchemaIssue[] {
    return this.issuesOf(component, isDynamic);
  }

  private issuesOf(component: JsonObject, isComputed: (value: JsonValue) => boolean): readonly SchemaIssue[] {
    const { id: _, component: name, ...others } = component;
    if (this.components === undefined) return [];
    const schema = typeof name === "string" ? this.components.get(name) : undefined;
    if (schema === undefined)
      return [{ pointer: "/component", message: "Expected a component of the catalogue." }];
    const known = namesIn(schema);
    const own = Object.fromEntries(
      Object.entries(others).filter(([key]) => !Object.hasOwn(common, key) || known.has(key)),
    );
    const result = schema.validate(own);
    if (result instanceof Promise) {
      result.catch(() => {});
      throw new TypeError("A component of A2UI is checked at once, so its schema cannot be asynchronous.");
    }
    return issuesOutside(own, result.issues ?? [], isComputed);
  }

  private messageOf(jsonSchemaOf: (schema: Schema<unknown>) => JsonObject): JsonObject {
    const $defs: JsonObject = {};
    const { components } = this;
    const component: JsonObject =
      components === undefined
        ? { type: "object", properties: { id: name, component: name }, required: ["id", "component"] }
        : {
            oneOf: [...components].map(([type, schema], i) => {
              const properties = mapCatalogueSchema(jsonSchemaOf(schema), binding);
              return componentOf(type, asPart(properties, $defs, `component${i}`), $defs);
            }),
          };
    const list = { type: "array", items: component, minItems: 1 };
    const dataModel = {};
    return {
      ...strict({
        version: { enum: [...a2uiVersions] },
        createSurface: strict(
          {
            ...{ surfaceId: name, catalogId: { type: "string" }, theme: {}, metadata: {} },
            ...{ sendDataModel: { type: "boolean" }, components: list, dataModel },
          },
          ["surfaceId"],
        ),
        updateComponents: strict({ surfaceId: name, components: list }, ["surfaceId", "components"]),
        updateDataModel: strict({ surfaceId: name, path: { type: "string" }, value: {} }, ["surfaceId"]),
        deleteSurface: strict({ surfaceId: name }, ["surfaceId"]),
      }),
      $defs,
    };
  }
}

/** A component with its properties beside its id. */
function componentOf(type: string, part: JsonObject, $defs: JsonObject): JsonObject {
  const target = /^#\/\$defs\/(.*)$/s.exec(typeof part["$ref"] === "string" ? part["$ref"] : "")?.[1];
  const schema = target === undefined ? part : ($defs[target] as JsonObject);
  const own = { id: name, component: { const: type } };
  const { properties, required, ...others } = schema;
  if (!isObject(properties) && !("additionalProperties" in others)) {
    return {
      type: "object",
      properties: { ...common, ...own },
      required: ["id", "component"],
      allOf: [part],
    };
  }
  return {
    ...others,
    type: "object",
    properties: { ...common, ...(isObject(properties) ? properties : undefined), ...own },
    required: ["id", "component", ...(Array.isArray(required) ? required : [])],
  };
}

function namesIn(schema: Schema<unknown>): ReadonlySet<string> {
  const { properties } = streamSchemaOf(schema);
  return new Set(isObject(properties) ? Object.keys(properties) : []);
}

function strict(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, required: [...required], additionalProperties: false };
}

const name: JsonObject = { type: "string", minLength: 1 };

/** The properties that any component may have, in any catalogue. */
const common: JsonObject = {
  accessibility: { type: "object" },
  weight: { type: "number" },
  catalogId: { type: "string" },
};

/** `{"path": "/title"}`, `{"componentId": "row", "path": "/rows"}`, `{"call": "now", "args": {}}` */
const binding: JsonObject = {
  type: "object",
  properties: {
    ...{ path: { type: "string" }, componentId: { type: "string" } },
    ...{ call: { type: "string" }, args: {}, returnType: { type: "string" } },
  },
  additionalProperties: false,
};

function isDynamic(value: JsonValue): boolean {
  return isObject(value) && (typeof value["path"] === "string" || typeof value["call"] === "string");
}
