import type { JsonValue } from "../../json/value.js";

/** The reply of the script `read`. */
export type StreamReply = readonly [
  token: string,
  length: string,
  end: string,
  left: string,
  before: string,
  at: string,
  value: string,
  kept: readonly string[],
];

/** The value of a reply; `undefined` if its patches produced none. */
export function valueOf(text: string): JsonValue | undefined {
  return text === "" ? undefined : (JSON.parse(text) as JsonValue);
}
