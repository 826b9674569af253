import { setMember } from "./frame.js";
import { JsonPatchError, type JsonPatchErrorCode } from "./patch-error.js";
import type { JsonPatchOperation } from "./patch.js";
import { isIndex, parsePointer } from "./pointer.js";
import { sameData } from "./same-data.js";
import type { JsonArray, JsonObject, JsonValue } from "./value.js";

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
  value: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
  own: WeakSet<object>,
): JsonValue | undefined {
  if (!Array.isArray(patch)) throw new JsonPatchError("malformed", "A patch is an array of operations.", -1);
  const target = new Target(value, own);
  (patch as readonly AnyPatchOperation[]).forEach((operation, index) => {
    target.apply(operation, index);
  });
  return target.root;
}

/** Before there is any value; and where an object has no such member. */
type Found = JsonValue | undefined;

class Target {
  root: Found;
  private readonly own: WeakSet<object>;
  private index = 0;

  constructor(root: Found, own: WeakSet<object>) {
    this.root = root;
    this.own = own;
  }

  apply(operation: AnyPatchOperation, index: number): void {
    this.index = index;
    const given: Partial<Record<"op" | "path" | "from" | "value", unknown>> = Object(operation) as object;
    const path = this.keysOf(given.path);
    switch (given.op) {
      case "add":
        this.add(path, this.valueOf(given));
        return;
      case "replace":
        this.replace(path, this.valueOf(given));
        return;
      case "append": {
        const before = this.get(path);
        const value = this.valueOf(given);
        if (typeof value !== "string") this.fail("malformed", "an append takes a string.");
        if (typeof before !== "string") this.fail("misfit", `there is no string at ${show(path)}.`);
        this.replace(path, before + value);
        return;
      }
      case "remove":
        this.remove(path);
        return;
      case "copy":
        // A copy that shared containers of ours would grow with them.
        this.add(path, structuredClone(this.get(this.keysOf(given.from))));
        return;
      case "move": {
        const from = this.keysOf(given.from);
        const value = this.get(from);
        const isWithin = from.every((key, i) => key === path[i]);
        if (isWithin && from.length === path.length) return;
        if (isWithin) this.fail("misfit", `${show(from)} cannot be moved into itself.`);
        this.remove(from);
        this.add(path, value);
        return;
      }
      case "test":
        if (!sameData(this.get(path), this.valueOf(given)))
          this.fail("test_failed", `the value at ${show(path)} is another.`);
        return;
      default:
        this.fail("malformed", "it has no op of RFC 6902.");
    }
  }

  private add(path: readonly string[], value: JsonValue): void {
    const { parent, key } = this.parentOf(path);
    if (parent === undefined) this.root = value;
    else if (Array.isArray(parent)) {
      const at = key === "-" ? parent.length : this.indexIn(parent, path, parent.length);
      if (at === parent.length) parent.push(value);
      else parent.splice(at, 0, value);
    } else setMember(parent, key, value);
  }

  private replace(path: readonly string[], value: JsonValue): void {
    // RFC 6902, section 4.3: "the target location MUST exist". A root is replaced in nothing, too: streams begin so.
    const { parent, key } = this.parentOf(path);
    if (parent === undefined) this.root = value;
    else {
      this.child(parent, path, path.length - 1);
      if (Array.isArray(parent)) parent[Number(key)] = value;
      else setMember(parent, key, value);
    }
  }

  private remove(path: readonly string[]): void {
    const { parent, key } = this.parentOf(path);
    if (parent === undefined) this.fail("misfit", "the root cannot be removed.");
    this.child(parent, path, path.length - 1);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  }

  private get(path: readonly string[]): JsonValue {
    let value = this.root;
    for (let i = 0; i < path.length; i++) value = this.child(value, path, i);
    if (value === undefined) this.fail("misfit", "there is no value yet.");
    return value;
  }

  /** The container that holds the place, ours to change; none if the place is the root. */
  private parentOf(path: readonly string[]): { parent: JsonArray | JsonObject | undefined; key: string } {
    const key = path.at(-1);
    if (key === undefined) return { parent: undefined, key: "" };
    let parent = this.ownOf(this.root, path, 0);
    this.root = parent;
    for (let i = 1; i < path.length; i++) {
      const step = path[i - 1] as string;
      const inner = this.ownOf(this.child(parent, path, i - 1), path, i);
      if (Array.isArray(parent)) parent[Number(step)] = inner;
      else setMember(parent, step, inner);
      parent = inner;
    }
    return { parent, key };
  }

  private ownOf(value: Found, path: readonly string[], depth: number): JsonArray | JsonObject {
    if (typeof value !== "object" || value === null)
      return this.fail("misfit", `there is neither an object nor an array at ${show(path, depth)}.`);
    if (this.own.has(value)) return value;
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    this.own.add(copy);
    return copy;
  }

  private child(value: Found, path: readonly string[], depth: number): JsonValue {
    const key = path[depth] as string;
    if (Array.isArray(value)) return value[this.indexIn(value, path, value.length - 1, depth)] as JsonValue;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
      return this.fail("misfit", `there is nothing at ${show(path, depth + 1)}.`);
    return value[key] as JsonValue;
  }

  private indexIn(array: JsonArray, path: readonly string[], last: number, depth = path.length - 1): number {
    const key = path[depth] as string;
    if (isIndex(key) && Number(key) <= last) return Number(key);
    return this.fail("misfit", `${show(path, depth + 1)} is no place in an array of ${array.length}.`);
  }

  private keysOf(pointer: unknown): string[] {
    try {
      if (typeof pointer === "string") return parsePointer(pointer);
    } catch {
      // said below
    }
    return this.fail("malformed", "path and from are JSON Pointers.");
  }

  private valueOf({ value }: { readonly value?: unknown }): JsonValue {
    return value === undefined ? this.fail("malformed", "it has no value.") : (value as JsonValue);
  }

  private fail(code: JsonPatchErrorCode, problem: string): never {
    throw new JsonPatchError(code, problem, this.index);
  }
}

function show(path: readonly string[], depth: number = path.length): string {
  const pointer = path.slice(0, depth).join("/");
  return depth === 0 ? "the root" : JSON.stringify(`/${pointer.slice(0, 100)}`);
}
