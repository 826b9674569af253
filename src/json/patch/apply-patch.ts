import { JsonPatchError, type JsonPatchErrorCode } from "./patch-error.js";
import type { JsonPatchOperation } from "./patch.js";
import { isIndex, parsePointer } from "../../tree/pointer.js";
import { sameData } from "./same-data.js";
import { setMember, type JsonArray, type JsonObject, type JsonValue } from "../value.js";

/** All of RFC 6902, and `append`, by which a string grows. */
export type AnyPatchOperation =
  | JsonPatchOperation
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string }
  | { readonly op: "test"; readonly path: string; readonly value: JsonValue };

/**
 * The value after a patch: RFC 6902, and `append`. Neither the value nor the patch is changed; what the patch does not
 * touch is `===` to what it was, and what it brings is shared with it. Each container on the way to a change is copied
 * once for all operations of the patch, so several patches in one cost less than one after the other.
 *
 * `__proto__` is a member like any other. A patch is applied as a whole or not at all.
 *
 * @param value what is there; `undefined` if nothing is, which takes only what puts something in place of the root
 * @throws {JsonPatchError} `malformed` if it is no patch, `misfit` if it does not fit the value, `test_failed`
 *
 * @example
 * ```ts
 * import { applyPatch } from "millrace";
 *
 * const before = { name: "Ada", tags: ["x"] };
 * const after = applyPatch(before, [{ op: "append", path: "/name", value: " L." }]) as typeof before;
 * console.log(after.name, before.name, after.tags === before.tags); // "Ada L." "Ada" true
 * ```
 */
export function applyPatch(value: JsonValue, patch: readonly AnyPatchOperation[]): JsonValue;
export function applyPatch(
  value: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
): JsonValue | undefined;
export function applyPatch(
  value: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
): JsonValue | undefined {
  return patched(value, patch, new WeakSet());
}

/**
 * As `applyPatch()`, but the containers in `own` are changed in place, and those that it makes are added there: who keeps
 * the set from patch to patch and hands nothing out between them pays for each only its own size. An error then leaves
 * `own` containers half changed.
 */
export function patched(
  root: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
  own: WeakSet<object>,
): JsonValue | undefined {
  let index = -1;
  const fail = (code: JsonPatchErrorCode, problem: string): never => {
    throw new JsonPatchError(code, problem, index);
  };
  const keysOf = (pointer: unknown): string[] => {
    try {
      return parsePointer(pointer as string);
    } catch {
      return fail("malformed", "its path is no JSON Pointer.");
    }
  };
  const indexIn = (array: JsonArray, key: string, path: Path, room = 0): number =>
    isIndex(key) && Number(key) < array.length + room
      ? Number(key)
      : fail("misfit", `${show(path)} is no place in an array of ${array.length}.`);

  const child = (parent: JsonValue | undefined, path: Path, depth: number): JsonValue => {
    const key = path[depth] as string;
    if (Array.isArray(parent)) return parent[indexIn(parent, key, path)] as JsonValue;
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key))
      return fail("misfit", `there is nothing at ${show(path)}.`);
    return parent[key] as JsonValue;
  };
  const get = (path: Path): JsonValue => {
    let value = root;
    for (let i = 0; i < path.length; i++) value = child(value, path, i);
    return value ?? (value === null ? value : fail("misfit", "there is no value yet."));
  };
  /** Ours to change. */
  const ownOf = (value: JsonValue | undefined, path: Path): JsonArray | JsonObject => {
    if (typeof value !== "object" || value === null)
      return fail("misfit", `there is neither an object nor an array around ${show(path)}.`);
    if (own.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    own.add(copy);
    return copy;
  };
  /** The container of the place, and all around it, ours to change. */
  const parentOf = (path: Path): JsonArray | JsonObject => {
    let parent = ownOf(root, path);
    root = parent;
    for (let i = 0; i < path.length - 1; i++) {
      const inner = ownOf(child(parent, path, i), path);
      setMember(parent as JsonObject, path[i] as string, inner);
      parent = inner;
    }
    return parent;
  };

  /** @param before whether something must be there (RFC 6902, section 4.3), but for the root: streams begin with nothing. */
  const put = (path: Path, value: JsonValue, before = false): void => {
    const key = path.at(-1);
    if (key === undefined) {
      root = value;
      return;
    }
    const parent = parentOf(path);
    if (before) child(parent, path, path.length - 1);
    if (Array.isArray(parent))
      parent.splice(key === "-" ? parent.length : indexIn(parent, key, path, 1), before ? 1 : 0, value);
    else setMember(parent, key, value);
  };
  const remove = (path: Path): void => {
    const key = path.at(-1) ?? fail("misfit", "the root cannot be removed.");
    const parent = parentOf(path);
    child(parent, path, path.length - 1);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  };

  const apply = (operation: unknown): void => {
    const { op, path: pointer, from: origin, value } = Object(operation) as Fields;
    const path = keysOf(pointer);
    if (value === undefined && /^(?:add|replace|test|append)$/.test(String(op)))
      fail("malformed", "it has no value.");
    const given = value as JsonValue;
    if (op === "add") put(path, given);
    else if (op === "replace") put(path, given, true);
    else if (op === "append") {
      const before = get(path);
      if (typeof given !== "string") fail("malformed", "an append takes a string.");
      if (typeof before !== "string") fail("misfit", `there is no string at ${show(path)}.`);
      put(path, (before as string) + (given as string), true);
    } else if (op === "remove") remove(path);
    else if (op === "test") {
      if (!sameData(get(path), given)) fail("test_failed", `there is another value at ${show(path)}.`);
    } else if (op === "move" || op === "copy") {
      const from = keysOf(origin);
      const found = get(from);
      if (op === "move") {
        if (from.length < path.length && from.every((key, i) => key === path[i]))
          fail("misfit", `${show(from)} cannot be moved into itself.`);
        remove(from);
      }
      // A copy that shared containers of ours would grow with them.
      put(path, op === "move" ? found : structuredClone(found));
    } else fail("malformed", "it has no op of RFC 6902.");
  };

  if (!Array.isArray(patch)) fail("malformed", "A patch is an array of operations.");
  for (const operation of patch) {
    index++;
    apply(operation);
  }
  return root;
}

type Path = readonly string[];
type Fields = Partial<Record<"op" | "path" | "from" | "value", unknown>>;

function show(path: Path): string {
  return path.length === 0 ? "the root" : JSON.stringify(`/${path.join("/").slice(0, 100)}`);
}
