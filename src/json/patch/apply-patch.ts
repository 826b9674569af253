import { checkPatchArray, JsonPatchError, type JsonPatchErrorCode } from "./patch-error.js";
import type { AnyPatchOperation } from "./patch.js";
import { isIndex, parsePointer } from "../../tree/pointer.js";
import { WorkBudget } from "../../tree/work-budget.js";
import { measureValue } from "./measure-value.js";
import { type PaidPart, type PatchPayer, patchPayer, type PatchWork } from "./patch-work.js";
import { sameData } from "./same-data.js";
import { isContainer, setMember, type JsonArray, type JsonObject, type JsonValue } from "../value.js";

/**
 * Applies a patch: RFC 6902 and `append`. Neither the value nor the patch is mutated. Unchanged parts stay `===`, and
 * new parts are shared with the patch. Each container on the path to a change is copied once for all operations, so one
 * large patch costs less than several small ones. A `copy` shares its value, so it costs the same for any value.
 *
 * `__proto__` is an ordinary member. A patch is applied completely or not at all. Its work is bounded by the size of the
 * value and the patch (docs/reference/threats.md#costs).
 *
 * @param value the current value. `undefined` accepts only operations that set the root
 * @throws {JsonPatchError} `malformed` for an invalid patch, `misfit` if it does not fit the value, `test_failed`,
 *   `max_work` if it copies values that it shared again and again
 *
 * @example
 * ```ts
 * import { applyPatch } from "millrace/json";
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
  const measure = (atMost: number): number =>
    measureValue([value ?? null, patch as unknown as JsonValue], atMost).length;
  checkPatchArray(patch);
  const payer = patchPayer(new WorkBudget({ measure }));
  return patched(value, patch, new WeakSet(), { same: sameData, disown, payer });
}

/**
 * Like `applyPatch()`, but mutates the containers in `own` and adds new ones to it. A caller that keeps the set between
 * patches, and shares nothing meanwhile, pays only for the size of each patch. An error leaves `own` containers partly
 * changed.
 *
 * @param rules what patches of anybody need, and those of this package's servers do not
 */
export function patched(
  root: JsonValue | undefined,
  patch: readonly AnyPatchOperation[],
  own: WeakSet<object>,
  { same, disown, payer }: PatchRules = {},
): JsonValue | undefined {
  let index = 0;
  const fail = (code: JsonPatchErrorCode, problem: string, path?: PathTokens): never => {
    throw new JsonPatchError(code, path ? `${problem} ${show(path)}.` : problem, index);
  };
  /** Whether a move has removed its value, which a refusal would lose. */
  let isMoving = false;
  const pay = <Part extends PaidPart>(part: Part, of: PatchWork[Part]): void => {
    const problem = payer?.[part]?.(of);
    if (problem && !isMoving) fail("max_work", problem);
  };
  const keysOf = (pointer: unknown): string[] => {
    try {
      return parsePointer(pointer as string);
    } catch {
      return fail("malformed", "its path is not a JSON Pointer.");
    }
  };
  const indexIn = (array: JsonArray, key: string, path: PathTokens, room = 0): number =>
    isIndex(key) && Number(key) < array.length + room
      ? Number(key)
      : fail("misfit", `${show(path)} is no index of ${array.length} elements.`);

  const child = (parent: JsonValue | undefined, path: PathTokens, depth: number): JsonValue => {
    const key = path[depth] as string;
    if (Array.isArray(parent)) return parent[indexIn(parent, key, path)] as JsonValue;
    if (!isContainer(parent) || !Object.hasOwn(parent, key))
      return fail("misfit", "there is nothing at", path);
    return parent[key] as JsonValue;
  };
  const get = (path: PathTokens): JsonValue => {
    let value = root;
    for (let i = 0; i < path.length; i++) value = child(value, path, i);
    return value === undefined ? fail("misfit", "there is no value yet.") : value;
  };
  /** The container if it may be mutated, else a copy of it. */
  const ownOf = (value: JsonValue | undefined, path: PathTokens): JsonArray | JsonObject => {
    if (!isContainer(value)) return fail("misfit", "there is no container around", path);
    if (own.has(value)) return value;
    pay("copy", value);
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    own.add(copy);
    return copy;
  };
  /** Returns the container of the place after copying it and its ancestors, unless they are owned. */
  const parentOf = (path: PathTokens): JsonArray | JsonObject => {
    let parent = ownOf(root, path);
    root = parent;
    for (let i = 0; i < path.length - 1; i++) {
      const inner = ownOf(child(parent, path, i), path);
      setMember(parent as JsonObject, path[i] as string, inner);
      parent = inner;
    }
    return parent;
  };

  /**
   * Sets a value, or removes it.
   *
   * @param before how many values must exist there (RFC 6902, section 4.3). Not required for the root: streams start
   *   without a value.
   */
  const put = (path: PathTokens, before: 0 | 1, ...values: readonly JsonValue[]): void => {
    const key = path.at(-1);
    if (key === undefined) {
      root = values.length > 0 ? values[0] : fail("misfit", "the root cannot be removed.");
      return;
    }
    const parent = parentOf(path);
    if (before > 0) child(parent, path, path.length - 1);
    if (Array.isArray(parent)) {
      const at = key === "-" ? parent.length : indexIn(parent, key, path, 1);
      if (before !== values.length) pay("shift", parent.length - at);
      parent.splice(at, before, ...values);
    } else if (values.length > 0) setMember(parent, key, values[0] as JsonValue);
    else Reflect.deleteProperty(parent, key);
  };

  const apply = (operation: unknown): void => {
    const { op, path: pointer, from: origin, value } = Object(operation) as OperationFields;
    const path = keysOf(pointer);
    const operand = (): JsonValue =>
      value === undefined ? fail("malformed", "it has no value.") : (value as JsonValue);
    if (op === "add") put(path, 0, operand());
    else if (op === "replace") put(path, 1, operand());
    else if (op === "append") {
      const before = get(path);
      if (typeof value !== "string") fail("malformed", "it has no string.");
      if (typeof before !== "string") fail("misfit", "there is no string at", path);
      put(path, 1, (before as string) + (value as string));
    } else if (op === "remove") put(path, 1);
    else if (op === "test") {
      if (same?.(get(path), operand(), pay) === false) fail("test_failed", "there is another value at", path);
    } else if (op === "move" || (op === "copy" && disown)) {
      const from = keysOf(origin);
      const found = get(from);
      if (op === "move") {
        if ((pointer as string).startsWith(`${origin as string}/`))
          fail("misfit", `${show(from)} cannot be moved into itself.`);
        put(from, 1);
        isMoving = true;
      } else {
        pay("share", found);
        disown?.(found, own, pay);
      }
      put(path, 0, found);
      isMoving = false;
    } else fail("malformed", "it has no op of RFC 6902.");
  };

  for (const operation of patch) {
    apply(operation);
    index++;
  }
  return root;
}

/** Parts of `patched()`. Callers pass them in, so that a page contains only those that it needs. */
export interface PatchRules {
  /** Compares for `test`. Default: each `test` has passed before, where the patches come from. */
  readonly same?: typeof sameData;
  /** Needed for `copy`. Default: a `copy` is refused. */
  readonly disown?: typeof disown;
  /** Pays for what is copied, moved or compared. Default: nobody. */
  readonly payer?: PatchPayer | undefined;
}

/** Containers of a value that will be in two places are copied before they change. */
export function disown(
  value: JsonValue,
  own: WeakSet<object>,
  pay?: (part: "keys", of: object) => void,
): void {
  // The list grows: a container that is not owned contains none that is.
  const open = [value];
  for (const inner of open) {
    if (!own.delete(inner as object)) continue;
    pay?.("keys", inner as object);
    for (const part of Object.values(inner as object)) open.push(part as JsonValue);
  }
}

type PathTokens = readonly string[];
type OperationFields = Partial<Record<"op" | "path" | "from" | "value", unknown>>;

function show(path: PathTokens): string {
  return path.length === 0 ? "the root" : JSON.stringify(`/${path.join("/").slice(0, 100)}`);
}
