import type { JsonObject, JsonValue } from "../../json/value.js";
import { formatJsonError, JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import { SchemaError } from "../../schema/errors.js";
import { schemaOf } from "../../schema/schema-of.js";
import { kindName } from "../../text/kind-name.js";
import { readWhole } from "./open-file.js";
import { UsageError } from "../terminal/usage-error.js";

/**
 * Reads a JSON Schema from a file.
 *
 * @throws {UsageError} if the file cannot be read, is not JSON, is not an object, or is not a usable JSON Schema
 */
export async function readSchemaFile(path: string): Promise<JsonObject> {
  const schema = parse(path, await readWhole("The schema file", path));
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new UsageError(
      `The schema file "${path}" must hold a JSON Schema object, but holds ${kindName(schema)}.`,
    );
  }
  await check(path, schema);
  return schema;
}

/** Reports an unusable schema before any input is read or a model is paid for. */
async function check(path: string, schema: JsonObject): Promise<void> {
  try {
    await schemaOf(schema).validate(null);
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause;
    throw new UsageError(`The schema file "${path}": ${cause.message}`, { cause });
  }
}

function parse(path: string, text: string): JsonValue {
  const parser = new JsonParser();
  try {
    parser.write(text);
    parser.end();
  } catch (cause) {
    if (!(cause instanceof JsonParseError)) throw cause;
    throw new UsageError(`The schema file "${path}" is not JSON. ${formatJsonError(cause)}`, { cause });
  }
  return parser.snapshot() as JsonValue;
}
