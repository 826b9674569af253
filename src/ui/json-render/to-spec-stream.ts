import { patched } from "../../json/patch/apply-patch.js";
import { checkOperation, checkPatch } from "../../json/patch/check-patch.js";
import { JsonPatchError } from "../../json/patch/patch-error.js";
import type { AnyPatchOperation, JsonPatchOperation } from "../../json/patch/patch.js";
import { expandAppends } from "../../json/patch/expand-appends.js";
import { isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";

/**
 * Writes patches as the SpecStream of json-render: operations of RFC 6902, one a line, for
 * `createSpecStreamCompiler()`, `useUIStream()` and its other readers. Yields the lines of each patch as one text.
 *
 * json-render ignores patches of the whole document. So they are written as operations for `/root`, for each element,
 * and for each other member. It has no `append` either: a text that grows is sent again with each operation. Put
 * `throttle(50, { merge: joinPatches })` before it, or the bytes are quadratic in the length of a text. The stream ends
 * with a `JsonPatchError` for a patch that does not fit, a path with `__proto__`, and more than 2,000 levels.
 *
 * @example
 * ```ts
 * import { collect, from, pipe } from "millrace";
 * import { toSpecStream } from "millrace/ui";
 *
 * const patches = from([
 *   [{ op: "replace" as const, path: "", value: { root: "a", elements: { a: { type: "Card", props: { title: "Te" } } } } }],
 *   [{ op: "append" as const, path: "/elements/a/props/title", value: "a" }],
 * ]);
 * console.log((await collect(pipe(patches, toSpecStream()))).join("").trim());
 * ```
 *
 * ```text prints
 * {"op":"add","path":"/root","value":"a"}
 * {"op":"add","path":"/elements/a","value":{"type":"Card","props":{"title":"Te"}}}
 * {"op":"replace","path":"/elements/a/props/title","value":"Tea"}
 * ```
 */
export function toSpecStream(): Operator<readonly AnyPatchOperation[], string> {
  return stage((emit) => {
    let value: JsonValue | undefined;
    const own = new WeakSet();
    return {
      next: (patch) => {
        let text = "";
        checkPatch(patch);
        for (const [index, operation] of patch.entries()) {
          for (const line of linesOf(operation, value, index)) {
            checkKeys(line, index);
            text += `${JSON.stringify(line)}\n`;
          }
          value = patched(value, [operation], own);
        }
        if (text !== "") emit(text);
      },
    };
  });
}

/** The operations that json-render understands. */
function linesOf(
  operation: AnyPatchOperation,
  before: JsonValue | undefined,
  index: number,
): readonly AnyPatchOperation[] {
  if (operation.op === "test") return [];
  if (operation.op === "append") return expandAppends([operation], before);
  const { op, path } = operation;
  if (path !== "" && (op === "copy" || op === "move")) {
    // json-render shares a copied value, and reads "/" as the root.
    const added = addition(path, valueAt(before, parsePointer(operation.from)) as JsonValue);
    checkOperation(added, index);
    return op === "copy" ? [added] : [{ op: "remove", path: operation.from }, added];
  }
  if (path !== "") return [operation];
  const after = patched(before, [operation], new WeakSet()) as JsonValue;
  const [old, next] = [objectOf(before), objectOf(after)];
  return [
    ...without(old, next, ""),
    ...Object.entries(next).flatMap(([key, value]): AnyPatchOperation[] => {
      const path = childPointer("", key);
      if (key !== "elements" || !isObject(value)) return [addition(path, value)];
      const kept = objectOf(old[key]);
      const members = Object.entries(value).map(([name, it]) => addition(childPointer(path, name), it));
      // json-render makes the object with its first element.
      const empty = members.length === 0 && !isObject(old[key]) ? [addition(path, {})] : [];
      return [...without(kept, value, path), ...empty, ...members];
    }),
  ];
}

/** @throws {JsonPatchError} `refused` for a path that json-render ignores without a word */
function checkKeys({ path }: AnyPatchOperation, index: number): void {
  if (!parsePointer(path).includes("__proto__")) return;
  throw new JsonPatchError("refused", 'json-render ignores paths with "__proto__".', index);
}

/** Removes the members that are gone. */
function without(old: JsonObject, next: JsonObject, path: string): AnyPatchOperation[] {
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(next, key));
  return gone.map((key) => ({ op: "remove", path: childPointer(path, key) }));
}

function addition(path: string, value: JsonValue): JsonPatchOperation {
  return { op: "add", path, value };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
