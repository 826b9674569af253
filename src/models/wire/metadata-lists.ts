import type { MessageFields } from "../../messages/merge/merge-fields.js";
import { addLists, type MetadataDelta } from "../../messages/blocks/metadata.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import { isRecord } from "../loose.js";

/** The likelihoods of tokens as OpenAI writes them, `{content: [...], refusal: [...]}`: of the text and of the refusal. */
export function addLogprobs(news: Mutable<MessageFields>, logprobs: unknown): void {
  addMetadataLists(news, logprobs, nameOfLikelihoods);
}

function nameOfLikelihoods(kind: string): string {
  return kind === "content" ? "logprobs" : `${kind}_logprobs`;
}

/**
 * Adds to the metadata of a chunk the lists of an object that have something in them, such as the likelihoods of tokens
 * are.
 *
 * @param nameOf under which key a list goes. Default: its own
 */
export function addMetadataLists(
  news: Mutable<MessageFields>,
  lists: unknown,
  nameOf: (key: string) => string = itself,
): void {
  if (!isRecord(lists)) return;
  const filled = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0);
  if (filled.length === 0) return;
  const added = Object.fromEntries(filled.map(([key, list]) => [nameOf(key), list])) as MetadataDelta;
  news.metadataDelta = addLists(news.metadataDelta, added) ?? added;
}

function itself(key: string): string {
  return key;
}
