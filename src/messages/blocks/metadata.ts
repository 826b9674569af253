import type { JsonValue } from "../../json/value.js";

/** What a provider adds of its own, under the provider's own keys. */
export type Metadata = Readonly<Record<string, JsonValue>>;

/** What every block may have. */
export interface BlockBase {
  /** What the provider adds of its own, under its own keys, such as the signature of a thought: it goes back to it. */
  readonly metadata?: Metadata;
}

/** Lists of a message's metadata: what is to be added to those under the same keys. */
export type MetadataDelta = Readonly<Record<string, JsonValue[]>>;

/** One list behind the other, by key. */
export function addLists(
  a: MetadataDelta | undefined,
  b: MetadataDelta | undefined,
): MetadataDelta | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, [...(a[key] ?? []), ...(b[key] ?? [])]]));
}

/** By key: the later counts. */
export function mergeMetadata(a: Metadata | undefined, b: Metadata | undefined): Metadata | undefined {
  return a === undefined || b === undefined ? (b ?? a) : { ...a, ...b };
}
