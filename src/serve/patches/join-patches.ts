import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonPatch } from "../../json/patch/patch.js";

type AnyPatch = readonly AnyPatchOperation[];

/**
 * Joins two patches into one, to send less often than the model writes. A string that grows in both grows once. If the
 * second patch begins by replacing the whole value, the first is dropped.
 *
 * @example
 * ```ts
 * import { from, jsonParser, pipe, throttle } from "millrace";
 * import { joinPatches, toEventStream } from "millrace/serve";
 *
 * const patches = pipe(
 *   from(['{"name": "A', "d", "a"]),
 *   jsonParser(undefined, { append: true, onTruncated: "keep" }).patches,
 *   throttle(50, { merge: joinPatches }),
 * );
 * console.log((await toEventStream(patches).text()).trim());
 * ```
 *
 * ```text prints
 * :
 *
 * id: 1
 * data: [{"op":"replace","path":"","value":{"name":"A"}}]
 *
 * id: 2
 * data: [{"op":"append","path":"/name","value":"da"}]
 *
 * event: done
 * data: {"reason":"complete"}
 * ```
 */
export function joinPatches(before: JsonPatch, after: JsonPatch): JsonPatch;
export function joinPatches(before: AnyPatch, after: AnyPatch): AnyPatch;
export function joinPatches(before: AnyPatch, after: AnyPatch): AnyPatch {
  const [last, next] = [before.at(-1), after[0]];
  if (next?.path === "" && (next.op === "add" || next.op === "replace")) return after;
  if (last?.op !== "append" || next?.op !== "append" || last.path !== next.path) return [...before, ...after];
  return [...before.slice(0, -1), { ...last, value: last.value + next.value }, ...after.slice(1)];
}
