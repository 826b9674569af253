import type { JsonValue } from "../json/value.js";

/** What a provider adds of its own, under the provider's own keys. */
export type Metadata = Readonly<Record<string, JsonValue>>;

/** What every block may have. */
export interface BlockBase {
  /** What the provider adds of its own, under its own keys, such as the signature of a thought: it goes back to it. */
  readonly metadata?: Metadata;
}

/** By key: the later counts. */
export function mergeMetadata(a: Metadata | undefined, b: Metadata | undefined): Metadata | undefined {
  return a === undefined || b === undefined ? (b ?? a) : { ...a, ...b };
}
