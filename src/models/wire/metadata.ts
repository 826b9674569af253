import { setMember, type JsonObject, type JsonValue } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { MessageFields } from "../../messages/merge/merge-fields.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import { ModelError } from "../contract/errors.js";
import { isRecord } from "../loose.js";

/**
 * Adds a field to the metadata of the next chunk.
 *
 * @param fields of a chunk that was not yielded yet: its metadata is changed in place
 * @throws {ModelError} `protocol` if they are too many
 */
export function addMetadata(fields: Mutable<MessageFields>, key: string, value: unknown): void {
  addMember((fields.metadata ??= {}), key, value as JsonValue);
}

/** The fields may wait for their chunk without end, so their keys are counted here too. */
function addMember(object: JsonObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(object, key)) checkKeyCount(Object.keys(object).length + 1);
  setMember(object, key, value);
}

/**
 * Adds token log probabilities in the format of OpenAI, `{content: [...], refusal: [...]}`, to the metadata of a chunk.
 */
export function addLogprobs(fields: Mutable<MessageFields>, logprobs: unknown): void {
  addMetadataLists(fields, logprobs, logprobsKey);
}

function logprobsKey(kind: string): string {
  return kind === "content" ? "logprobs" : `${kind}_logprobs`;
}

/**
 * Adds the non-empty lists of an object to the metadata of the next chunk, in place. The lists of all chunks are
 * concatenated.
 *
 * @param nameOf returns the metadata key of a list. Default: the key in the object
 */
export function addMetadataLists(
  fields: Mutable<MessageFields>,
  lists: unknown,
  nameOf = (key: string): string => key,
): void {
  if (!isRecord(lists)) return;
  for (const [key, list] of Object.entries(lists)) {
    if (!Array.isArray(list) || list.length === 0) continue;
    const name = nameOf(key);
    const delta = (fields.metadataDelta ??= {}) as JsonObject;
    if (!Object.hasOwn(delta, name)) addMember(delta, name, list.slice() as JsonValue[]);
    else for (const item of list) (delta[name] as JsonValue[]).push(item as JsonValue);
  }
}

/** Merging copies all metadata so far, so a server must not add keys without end. Providers send about 20. */
const maxKeys = 256;

/**
 * Returns a function that counts the different keys in the metadata of one message and its blocks. It throws a
 * `ModelError` with the code `protocol` if a chunk makes them too many.
 */
export function metadataKeyCheck(): (chunk: MessageChunk) => void {
  const keys = new Set<string>();
  const add = (metadata: Metadata | undefined): void => {
    for (const key in metadata) keys.add(key);
    checkKeyCount(keys.size);
  };
  return ({ content, metadata, metadataDelta }) => {
    for (const block of content) if ("metadata" in block) add(block.metadata);
    add(metadata);
    add(metadataDelta);
  };
}

/** @throws {ModelError} `protocol` */
export function checkKeyCount(count: number): void {
  if (count > maxKeys)
    throw new ModelError("protocol", `The answer has more than ${maxKeys} unknown fields.`);
}
