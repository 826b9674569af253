import type { JsonObject, JsonValue } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isRecord, type Loose } from "../loose.js";

/**
 * The fields of a block that have no place of their own in ours. Those that Anthropic documents stand in the metadata
 * under their own names. Those that nobody here knows yet stand under `anthropic`, so that they can go back as they are,
 * while what other providers leave in the metadata of their blocks does not go to this one: it refuses fields that it
 * does not know.
 */
export class OwnFields {
  private readonly documented: JsonObject;
  private unknown: JsonObject | undefined;

  /** @param type of the block, where ours says less */
  constructor(fields: Loose, type?: string) {
    this.documented = type === undefined ? {} : { type };
    for (const [name, value] of Object.entries(fields)) {
      if (value === null || value === undefined) continue;
      if (documentedFields.has(name)) this.documented[name] = value as JsonValue;
      else this.unknown = { ...this.unknown, [name]: value as JsonValue };
    }
  }

  /** What a delta of an unknown kind adds: texts are joined, all else is replaced. */
  add({ type: _, ...fields }: Loose): void {
    this.unknown = joined(this.unknown ?? {}, fields);
  }

  get metadata(): { readonly metadata?: Metadata } {
    const { documented, unknown } = this;
    const metadata = unknown === undefined ? documented : { ...documented, anthropic: unknown };
    return Object.keys(metadata).length === 0 ? {} : { metadata };
  }
}

/** Texts are joined, all else is replaced. */
export function joined(object: JsonObject, fields: Loose): JsonObject {
  const result = { ...object };
  for (const [name, value] of Object.entries(fields)) {
    const before = result[name];
    result[name] =
      typeof before === "string" && typeof value === "string" ? before + value : (value as JsonValue);
  }
  return result;
}

/** What of a block's metadata goes to Anthropic. */
export function ownFieldsIn(metadata: Metadata | undefined): JsonObject {
  if (metadata === undefined) return {};
  const documented = Object.entries(metadata).filter(([name]) => documentedFields.has(name));
  const { anthropic } = metadata;
  return {
    ...Object.fromEntries(documented),
    ...(isRecord(anthropic) ? anthropic : undefined),
  };
}

const documentedFields: ReadonlySet<string> = new Set([
  // of any block
  "cache_control",
  // of calls and their results
  "caller",
  "is_error",
  "server_name",
  "toolset_name",
  // of documents and images
  "citations",
  "context",
  "title",
  "transformations",
  // of the definition of a tool
  "allowed_callers",
  "defer_loading",
  "eager_input_streaming",
  "input_examples",
]);
