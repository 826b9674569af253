import type { JsonValue } from "../../json/value.js";

/** Fields specific to a provider, under the provider's own keys. */
export type Metadata = Readonly<Record<string, JsonValue>>;

/** Fields common to all blocks. */
export interface BlockBase {
  /** Fields specific to the provider, such as a thought signature. They are sent back to the provider. */
  readonly metadata?: Metadata;
}

/** List items to append to the lists in a message's metadata, by key. */
export type MetadataDelta = Readonly<Record<string, JsonValue[]>>;

export function addLists(
  a: MetadataDelta | undefined,
  b: MetadataDelta | undefined,
): MetadataDelta | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  const lists = new Map(Object.entries(a));
  for (const [key, list] of Object.entries(b)) lists.set(key, (lists.get(key) ?? []).concat(list));
  return Object.fromEntries(lists);
}

export function mergeMetadata(a: Metadata | undefined, b: Metadata | undefined): Metadata | undefined {
  return a === undefined || b === undefined ? (b ?? a) : { ...a, ...b };
}
