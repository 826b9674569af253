import { excerpt, messageOf } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { childPointer } from "../../tree/pointer.js";
import { isContainer, type JsonObject, type JsonValue } from "../value.js";
import type { JsonPatch, JsonPatchOperation } from "./patch.js";

/**
 * Turns snapshots into patches: the partial objects of another library, rows of a database, any values that JSON can
 * write. The first patch replaces the root. Each later patch changes the snapshot before into the next one; equal
 * snapshots give no patch.
 *
 * Patches hold `add` and `replace` of RFC 6902. Where a member or an element is removed, its parent is replaced. The
 * operator compares what `JSON.stringify` writes: members that are `undefined` are left out, dates are strings, the
 * order of keys does not matter. It keeps a copy of the latest snapshot, so a source may change its object and yield it
 * again. Each snapshot takes time in proportion to its size. The parsers of this package know what changed and need no
 * comparison: prefer `parser.patches` where there is text to parse.
 *
 * @throws {TypeError} from the stream, for a snapshot that JSON cannot write: a cycle, a bigint, or deep nesting
 *
 * @example
 * ```ts
 * import { collect, from, pipe } from "millrace";
 * import { diff } from "millrace/json";
 *
 * const snapshots = from([{ name: "A" }, { name: "Ada" }, { name: "Ada", born: 1815 }]);
 * for (const patch of await collect(pipe(snapshots, diff()))) console.log(JSON.stringify(patch));
 * ```
 *
 * ```text prints
 * [{"op":"replace","path":"","value":{"name":"A"}}]
 * [{"op":"replace","path":"/name","value":"Ada"}]
 * [{"op":"add","path":"/born","value":1815}]
 * ```
 */
export function diff(): Operator<unknown, JsonPatch> {
  return stage((emit) => {
    let previous: JsonValue | undefined;
    return {
      next: (snapshot) => {
        const patch: JsonPatchOperation[] = [];
        compared(() => {
          const current = copyOf(snapshot);
          if (previous === undefined) patch.push(replacement("", current));
          else addChanges(patch, "", previous, current);
          previous = current;
        });
        if (patch.length > 0) emit(patch);
      },
    };
  });
}

/** The changes from one value to another, both JSON. */
export function changesBetween(before: JsonValue, after: JsonValue): JsonPatchOperation[] {
  const patch: JsonPatchOperation[] = [];
  addChanges(patch, "", before, after);
  return patch;
}

/** JSON.stringify() and the comparison recurse: they throw a RangeError for a value that is nested deeply. */
function compared<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    const problem = isInstance(cause, RangeError) ? "it is nested too deeply" : messageOf(cause);
    throw new TypeError(`diff() cannot compare a snapshot: ${excerpt(problem)}.`, { cause });
  }
}

/** `{a: 1, b: [2]}` and `{a: 1, b: [2, 3]}` differ by `{op: "add", path: "/b/1", value: 3}`. */
function addChanges(patch: JsonPatchOperation[], path: string, before: JsonValue, after: JsonValue): void {
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    if (before !== after) patch.push(replacement(path, after));
    return;
  }
  // The keys of an array are its indices.
  const [old, current] = [before as JsonObject, after as JsonObject];
  const keys = Object.keys(old);
  if (!keys.every((key) => Object.hasOwn(current, key))) {
    patch.push(replacement(path, after));
    return;
  }
  for (const key of keys.reverse())
    addChanges(patch, childPointer(path, key), old[key] as JsonValue, current[key] as JsonValue);
  for (const key of Object.keys(current)) {
    if (!Object.hasOwn(old, key))
      patch.push({ op: "add", path: childPointer(path, key), value: copyOf(current[key]) });
  }
}

/** The value as JSON. `undefined` is `null`, as it is in an array. */
function copyOf(value: unknown): JsonValue {
  const text: string | undefined = JSON.stringify(value);
  return JSON.parse(text ?? "null") as JsonValue;
}

/** With a copy of the value, as the consumer of a patch may change its document in place. */
function replacement(path: string, value: JsonValue): JsonPatchOperation {
  return { op: "replace", path, value: copyOf(value) };
}
