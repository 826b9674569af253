import type { MessageFields } from "../messages/merge-fields.js";
import { addLists, type MetadataDelta } from "../messages/metadata.js";
import type { Mutable } from "../messages/mutable.js";
import { isRecord } from "./loose.js";

/**
 * Adds to the metadata of a chunk the lists of an object that have something in them, such as the likelihoods of tokens
 * are.
 *
 * @param nameOf under which key a list goes. Default: its own
 * @returns whether there were any
 */
export function growLists(
  news: Mutable<MessageFields>,
  lists: unknown,
  nameOf: (key: string) => string = (key) => key,
): boolean {
  if (!isRecord(lists)) return false;
  const filled = Object.entries(lists).filter(([, list]) => Array.isArray(list) && list.length > 0);
  if (filled.length === 0) return false;
  const added = Object.fromEntries(filled.map(([key, list]) => [nameOf(key), list])) as MetadataDelta;
  news.metadataDelta = addLists(news.metadataDelta, added) ?? added;
  return true;
}
