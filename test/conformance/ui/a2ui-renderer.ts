import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { A2uiMessageSchema, Catalog, MessageProcessor } from "@a2ui/web_core/v0_9";
// eslint-disable-next-line no-restricted-imports -- the entry of another package
import { type AnySchemaObject, Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonValue } from "millrace";

/** A stream of messages that the published package ships, read where it is installed. */
export interface A2uiExample {
  readonly name: string;
  readonly messages: readonly Readonly<Record<string, JsonValue>>[];
}

const versions = join(dirname(fileURLToPath(import.meta.resolve("@a2ui/web_core/v0_9"))), "..");

export const examples: readonly A2uiExample[] = ["basic", "minimal"].flatMap((catalogue) =>
  examplesIn("v0_9", catalogue),
);

/** The examples of v1.0. The package has no renderer of that version, only schemas. */
export const examplesOfV1: readonly A2uiExample[] = examplesIn("v1_0", "basic");

function examplesIn(version: string, catalogue: string): A2uiExample[] {
  const folder = join(versions, version, "schemas/catalogs", catalogue, "examples");
  return readdirSync(folder).map((file) => {
    const { messages } = JSON.parse(readFileSync(join(folder, file), "utf8")) as A2uiExample;
    return { name: `${version}/${catalogue}/${file}`, messages };
  });
}

/** Returns the errors that the published schema of v1.0 and its basic catalogue find in a message. */
export function errorsOfV1(message: object): unknown {
  return isValidInV1(message) ? [] : isValidInV1.errors;
}

const isValidInV1 = validatorOfV1();

function validatorOfV1(): ValidateFunction {
  const read = (file: string): AnySchemaObject =>
    JSON.parse(readFileSync(join(versions, "v1_0/schemas", file), "utf8")) as AnySchemaObject;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(read("common_types.json"));
  // The messages refer to the catalogue of a renderer as catalog.json.
  const $id = "https://a2ui.org/specification/v1_0/catalog.json";
  ajv.addSchema({ ...read("catalogs/basic/catalog.json"), $id });
  return ajv.compile(read("agent_to_renderer.json"));
}

/** The published renderer's model. It accepts any component of a catalogue that it is not given. */
export class Renderer {
  private readonly processor: MessageProcessor<never>;

  constructor(catalogs: readonly object[]) {
    this.processor = new MessageProcessor(catalogs as never[]);
  }

  /** @throws {Error} if the message is not one of v0.9, or does not fit */
  process(message: unknown): void {
    const copy = JSON.parse(JSON.stringify(message)) as never;
    A2uiMessageSchema.parse(copy);
    this.processor.processMessages([copy]);
  }

  /** For each surface its components and its data, as `fromA2ui()` has them. */
  get surfaces(): unknown {
    const surfaces = [...this.processor.model.surfacesMap].map(([id, { componentsModel, dataModel }]) => {
      const components = [...componentsModel.entries].map(([name, { type, properties }]) => [
        name,
        { ...properties, id: name, component: type },
      ]);
      return [
        id,
        {
          components: Object.fromEntries(components) as unknown,
          dataModel: dataModel.get("/") as unknown,
        },
      ];
    });
    return JSON.parse(JSON.stringify(Object.fromEntries(surfaces))) as unknown;
  }

  dataOf(surfaceId: string): unknown {
    return this.processor.model.getSurface(surfaceId)?.dataModel.get("/") as unknown;
  }
}

/** A renderer for these messages, whose catalogues allow everything. */
export function openRenderer(messages: readonly object[]): Renderer {
  const ids = messages.flatMap((message) =>
    "createSurface" in message ? [(message.createSurface as { catalogId: string }).catalogId] : [],
  );
  return new Renderer([...new Set(ids)].map((id) => new Catalog(id, [])));
}
