import type { PatchEnd } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { logError } from "../errors.js";

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
  return text === "" ? undefined : (parsed(text, () => true) as JsonValue);
}

/** The patches of a reply. Whether they fit is seen when they are applied. */
export function patchesOf(kept: readonly string[]): (readonly AnyPatchOperation[])[] {
  return kept.map((text) => parsed(text, Array.isArray) as readonly AnyPatchOperation[]);
}

export function endOf(text: string): PatchEnd {
  const isEnd = (end: unknown): boolean => {
    const { type, reason, code, message } = Object(end) as Readonly<Record<string, unknown>>;
    if (type === "done") return reason === "complete" || reason === "stopped";
    return type === "error" && typeof code === "string" && typeof message === "string";
  };
  return parsed(text, isEnd) as PatchEnd;
}

/** Another program may have written to the keys. */
function parsed(text: string, isRight: (value: unknown) => boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw logError("run_lost", { cause });
  }
  if (isRight(value)) return value;
  throw logError("run_lost", { cause: new TypeError("Another program has written to the run in Redis.") });
}
