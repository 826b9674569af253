import { checkPatch } from "../../json/patch/check-patch.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type ForeignClient, Projection } from "../../json/patch/project.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { childPointer } from "../../tree/pointer.js";

/**
 * Writes patches as the SpecStream of json-render: operations of RFC 6902, one a line, for
 * `createSpecStreamCompiler()`, `useUIStream()` and its other readers. Yields the lines of each patch as one text.
 *
 * json-render ignores patches of the whole document. So they are written as operations for `/root`, for each element,
 * and for each other member. It has no `append` either: a text that grows is sent again with each operation. Put
 * `throttle(50, { merge: joinPatches })` before it, or the bytes are quadratic in the length of a text. The stream ends
 * with a `JsonPatchError` for a patch that does not fit, a member `__proto__` of the document, and more than 2,000 levels.
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
    const projection = new Projection(client);
    return {
      next: (patch) => {
        checkPatch(patch);
        const lines = projection.next(patch).map((line) => `${JSON.stringify(line)}\n`);
        if (lines.length > 0) emit(lines.join(""));
      },
    };
  });
}

/** It shares a value that is copied, and ignores paths with `__proto__`. */
const client: ForeignClient = {
  name: "json-render",
  can: new Set(["turns", "shift", "remove"]),
  root: (before, after) => membersOf(objectOf(before), objectOf(after)),
  refusesKey: (key) => key === "__proto__",
};

/** The operations that lead from one object to another: one for each element, and for each other member. */
function membersOf(old: JsonObject, next: JsonObject, around = ""): AnyPatchOperation[] {
  const gone = Object.keys(old).filter((key) => !Object.hasOwn(next, key));
  return [
    ...gone.map((key): AnyPatchOperation => ({ op: "remove", path: childPointer(around, key) })),
    ...Object.entries(next).flatMap(([key, value]): AnyPatchOperation[] => {
      const path = childPointer(around, key);
      // json-render makes the object with its first element.
      const isMade = isObject(old[key]) || (isObject(value) && Object.keys(value).length > 0);
      if (path !== "/elements" || !isObject(value) || !isMade) return [{ op: "add", path, value }];
      return membersOf(objectOf(old[key]), value, path);
    }),
  ];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
