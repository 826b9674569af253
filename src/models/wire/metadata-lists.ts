import type { MessageFields } from "../../messages/merge/merge-fields.js";
import { addLists, type MetadataDelta } from "../../messages/blocks/metadata.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import { isRecord } from "../loose.js";

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
 * Adds the non-empty lists of an object to the metadata of a chunk. The lists of all chunks are concatenated.
 *
 * @param nameOf returns the metadata key of a list. Default: the key in the object
 */
export function addMetadataLists(
  fields: Mutable<MessageFields>,
  lists: unknown,
  nameOf: (key: string) => string = itself,
): void {
  if (!isRecord(lists)) return;
  const filled = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0);
  if (filled.length === 0) return;
  const added = Object.fromEntries(filled.map(([key, list]) => [nameOf(key), list])) as MetadataDelta;
  fields.metadataDelta = addLists(fields.metadataDelta, added) ?? added;
}

function itself(key: string): string {
  return key;
}
