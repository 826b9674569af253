import { type Catalogue, MillraceError } from "millrace";
import { schemaOf } from "millrace/schema";
import type { JsonObject, JsonValue } from "millrace/json";
import { RequestError } from "millrace/serve";
import { isObject } from "../tree.js";
import { parserFor } from "./parser-for.js";
import type { Control, RunRequest } from "../protocol.js";

const pace = { playing: { type: "boolean" }, interval: { type: "number", minimum: 0, maximum: 60_000 } };
const text = { type: "string" };
const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const chunking: JsonObject = {
  anyOf: [
    closed({ by: { const: "characters" }, size: { type: "integer", minimum: 1, maximum: 100_000 } }),
    closed({ by: { const: "tokens" }, seed: { type: "integer" } }),
    closed({ by: { enum: ["words", "lines"] } }),
  ],
};

const runRequest = schemaOf({
  type: "object",
  properties: {
    source: {
      anyOf: [
        closed({ kind: { const: "text" }, text, chunking }),
        closed({ kind: { const: "recording" }, name: text }),
        closed({ kind: { const: "lines" }, text }),
        closed({ kind: { const: "model" }, model: text, prompt: { type: "string", minLength: 1 } }),
      ],
    },
    format: { enum: ["json", "spec"] },
    schema: text,
    strict: { type: "boolean" },
    pace: closed(pace),
  },
  required: ["source", "pace"],
  additionalProperties: false,
});

const control = schemaOf({
  anyOf: [
    closed({ action: { const: "pace" }, ...pace }),
    closed({ action: { enum: ["step", "cut", "stop"] } }),
  ],
});

/** @throws {RequestError} `invalid_input` */
export function readRunRequest(body: JsonValue): Promise<RunRequest> {
  return read<RunRequest>(body, runRequest);
}

/** @throws {RequestError} `invalid_input` */
export function readControl(body: JsonValue): Promise<Control> {
  return read<Control>(body, control);
}

/** @throws {RequestError} `invalid_input` if the text is not a usable JSON Schema */
export function readSchema(text: string): Promise<JsonObject> {
  return readUsable(text, (schema) => [schema]);
}

/** @throws {RequestError} `invalid_input` if the text is not an object of usable JSON Schemas */
export function readComponents(text: string): Promise<Catalogue["components"]> {
  return readUsable<JsonObject & Catalogue["components"]>(text, Object.values);
}

async function readUsable<T extends JsonObject>(
  text: string,
  schemasIn: (object: JsonObject) => readonly JsonValue[],
): Promise<T> {
  try {
    const object = parserFor(undefined, { strict: true }).parse(text);
    const schemas = isObject(object) ? schemasIn(object) : [];
    if (!isObject(object) || !schemas.every(isObject))
      throw new RequestError("invalid_input", "A schema must be an object.");
    // Reports an unusable schema before the run starts.
    for (const schema of schemas) await schemaOf(schema).validate(null);
    return object as T;
  } catch (cause) {
    if (!(cause instanceof MillraceError) || cause instanceof RequestError) throw cause;
    throw new RequestError("invalid_input", `The schema cannot be used. ${cause.message}`, { cause });
  }
}

async function read<T>(body: JsonValue, schema: ReturnType<typeof schemaOf>): Promise<T> {
  const { issues } = await schema.validate(body);
  if (issues === undefined) return body as T;
  const [problem] = issues.map(({ pointer, message }) => `${pointer || "The body"}: ${message}`);
  throw new RequestError("invalid_input", `The request is invalid. ${problem ?? ""}`);
}
