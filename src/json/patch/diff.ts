import type { compare as Compare } from "fast-json-patch";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { isBelow, parentPointer, parsePointer } from "../../tree/pointer.js";
import { isContainer, type JsonValue, valueAt } from "../value.js";
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
 * import { collect, diff, from, pipe } from "millrace";
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
  return stage((emit, _stop, wait) => {
    let previous: JsonValue | undefined;
    const show = (current: JsonValue, compare: typeof Compare): void => {
      const patch =
        previous === undefined
          ? [replacement("", current)]
          : compared(() => patchBetween(previous as JsonValue, current, compare));
      previous = current;
      if (patch.length > 0) emit(patch);
    };
    let compare: typeof Compare | undefined;
    /** Set while the package is loaded. An earlier stage may emit several snapshots at once, which keep their order. */
    let loading: Promise<void> | undefined;
    return {
      next: (snapshot) => {
        const current = compared(() => copyOf(snapshot));
        if (compare !== undefined) {
          show(current, compare);
          return;
        }
        loading = (loading ?? Promise.resolve()).then(async () => {
          const { default: fastJsonPatch } = await import("fast-json-patch");
          show(current, fastJsonPatch.compare);
          compare = fastJsonPatch.compare;
        });
        wait(loading);
      },
    };
  });
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

function patchBetween(before: JsonValue, after: JsonValue, compare: typeof Compare): JsonPatch {
  // compare() expects two objects or two arrays.
  if (!isContainer(before) || !isContainer(after) || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? [] : [replacement("", after)];
  }
  const operations = compare(before, after);
  const shrunk = new Set<string>();
  for (const { op, path } of operations) if (op === "remove") shrunk.add(parentPointer(path));
  if (shrunk.size === 0) return operations as JsonPatchOperation[];
  const outermost = [...shrunk].filter((path) => !isBelow(path, shrunk));
  return [
    ...(operations as JsonPatchOperation[]).filter(({ path }) => !isBelow(path, shrunk)),
    ...outermost.map((path) => replacement(path, valueAt(after, parsePointer(path)) as JsonValue)),
  ];
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
