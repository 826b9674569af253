import { setMember, type JsonObject, type JsonValue } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { fieldsOrUndefined, isRecord, type Loose } from "../loose.js";
import { wordSet } from "../../text/words-in.js";
import { checkKeyCount } from "../wire/errors.js";

/**
 * The fields of a provider block without a counterpart in ours. Documented fields are in the metadata under their own
 * names. Unknown fields are under `anthropic`, so that they can be sent back unchanged. Metadata of other providers is
 * not sent, because Anthropic rejects unknown fields.
 */
export class OwnFields {
  private readonly documented: JsonObject;
  private unknown: JsonObject | undefined;

  /** @param type the provider's type of the block, if ours is less specific */
  constructor(fields: Loose, type?: string) {
    this.documented = type === undefined ? {} : { type };
    for (const [name, value] of Object.entries(fields)) {
      if (value === null || value === undefined) continue;
      if (documentedFields.has(name)) this.documented[name] = value as JsonValue;
      else setMember((this.unknown ??= {}), name, value as JsonValue);
    }
  }

  /** Applies a delta of an unknown kind: strings are joined, other values are replaced. */
  add({ type: _, ...fields }: Loose): void {
    this.unknown = joined(this.unknown ?? {}, fields);
  }

  get metadata(): Metadata | undefined {
    return fieldsOrUndefined({ ...this.documented, anthropic: this.unknown });
  }
}

/** Joins strings and replaces other values. */
export function joined(object: JsonObject, fields: Loose): JsonObject {
  const result = { ...object };
  for (const [name, value] of Object.entries(fields)) {
    const before = Object.hasOwn(result, name) ? result[name] : undefined;
    const joins = typeof before === "string" && typeof value === "string";
    setMember(result, name, joins ? before + value : (value as JsonValue));
  }
  checkKeyCount(Object.keys(result).length);
  return result;
}

export function ownFieldsIn(metadata: Metadata | undefined): JsonObject {
  if (metadata === undefined) return {};
  const documented = Object.entries(metadata).filter(([name]) => documentedFields.has(name));
  const { anthropic } = metadata;
  return {
    ...Object.fromEntries(documented),
    ...(isRecord(anthropic) ? anthropic : undefined),
  };
}

/** The fields that Anthropic documents: of any block, of calls and results, of documents and images, of definitions. */
const documentedFields = wordSet(`
  cache_control
  caller is_error server_name toolset_name
  citations context title transformations
  allowed_callers defer_loading eager_input_streaming input_examples
`);
