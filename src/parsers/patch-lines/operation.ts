import type { JsonGuard } from "../../json/guard.js";
import { isObject, type JsonValue, valueAt } from "../../json/value.js";
import { isIndex, parsePointer, pointerTo } from "../../tree/pointer.js";
import type { PatchedDocument } from "./document.js";
import { OperationProblem } from "./line-error.js";
import { notAnOperation, type LineFields, type OperationName } from "./line-guard.js";
import type { PlaceGuard } from "./place-guard.js";

/** Repairs of operations, in addition to those of JSON: see `PatchLineRepair`. */
export type OperationRepairKind = "path" | "missing_brace" | "missing_target" | "missing_version";

/** An operation whose place in the document is known. */
export interface PlacedOperation {
  /** `add`, where the operation replaces what is not there. */
  readonly op: OperationName;
  /** With an index instead of `-`, and with the names of the schema. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly from: string | undefined;
  readonly guard: JsonGuard | undefined;
}

/** How places are found. */
export interface PlaceRules {
  readonly document: PatchedDocument;
  readonly guard: PlaceGuard | undefined;
  readonly repair: boolean;
  readonly maxDepth: number;
  /** The pointers of objects that are made when an operation needs them. */
  readonly create: readonly string[];
  readonly onRepair: (kind: OperationRepairKind) => void;
}

/**
 * Finds the place of an operation.
 *
 * @returns `undefined` if the operation has to wait, because a place that it needs does not exist yet
 * @throws {OperationProblem}
 */
export function placeOperation(fields: LineFields, rules: PlaceRules): PlacedOperation | undefined {
  const { document, guard, repair, onRepair } = rules;
  let { op } = fields;
  if (op === undefined) throw notAnOperation('it has no "op".');
  if (fields.path === undefined) throw notAnOperation('it has no "path".');
  let keys = keysOf(fields.path, rules);
  let moved: string[] | undefined;
  if (op === "move" || op === "copy") {
    if (fields.from === undefined) throw notAnOperation('it has no "from".');
    const from = keysOf(fields.from, rules);
    if (!exists(document, from)) return undefined;
    if (op === "move") {
      if (from.length < keys.length && isPrefix(from, keys)) {
        throw new OperationProblem("misfit", "a value cannot be moved into itself.");
      }
      moved = from;
      keys = countedWith(1, moved, keys, document);
    }
  }
  const place = op === "remove" ? undefined : guard?.find(keys, document.value);
  if (place !== undefined) {
    if (place.keys.some((key, i) => key !== keys[i])) {
      if (!repair) {
        throw new OperationProblem("schema", `the schema has ${pointerTo(place.keys)} instead of its path.`);
      }
      onRepair("path");
    }
    keys = [...place.keys];
  }
  if (!document.hasParent(keys) && !createParent(keys, rules)) return undefined;
  const parent = keys.length === 0 ? undefined : valueAt(document.value, keys.slice(0, -1));
  if (Array.isArray(parent)) {
    const key = keys.at(-1) as string;
    if (key === "-") keys = [...keys.slice(0, -1), String(parent.length)];
    else if (!isIndex(key)) {
      throw new OperationProblem("misfit", `${JSON.stringify(key.slice(0, 80))} is no index of an array.`);
    }
  }
  const there = valueAt(document.value, keys);
  const isThere = there !== undefined;
  if (op === "append") {
    if (!isThere) return undefined;
    if (typeof there !== "string") throw new OperationProblem("misfit", "it appends to no string.");
  }
  if (!isThere && op === "replace") {
    if (Array.isArray(parent)) return undefined;
    if (!repair || !isObject(parent)) throw misfit(keys);
    onRepair("missing_target");
    op = "add";
  }
  if (!isThere && (op === "remove" || op === "test")) throw misfit(keys);
  if (keys.length > 0 && (typeof parent !== "object" || parent === null)) {
    throw new OperationProblem("misfit", `there is no container around ${pointerTo(keys)}.`);
  }
  if (moved !== undefined) keys = countedWith(-1, moved, keys, document);
  return { op, path: pointerTo(keys), keys, from: fields.from, guard: place?.guard };
}

/** Whether an operation that waited may have its place now. */
export function canBePlaced(fields: LineFields, document: PatchedDocument): boolean {
  const { op, path = "", from } = fields;
  let keys = parsePointer(path);
  if (from !== undefined && (op === "move" || op === "copy")) {
    const source = parsePointer(from);
    if (!exists(document, source)) return false;
    if (op === "move") keys = countedWith(1, source, keys, document);
  }
  if (!document.hasParent(keys)) return false;
  const isIn = Array.isArray(valueAt(document.value, keys.slice(0, -1)));
  return op === "append" || (op === "replace" && isIn) ? exists(document, keys) : true;
}

/**
 * The keys of the target of a move, whose path counts the elements without the source (RFC 6902, section 4.4).
 *
 * @param by 1 gives the keys in the document that still has the source, and -1 leads back
 */
function countedWith(by: number, source: string[], keys: string[], document: PatchedDocument): string[] {
  const last = source.length - 1;
  const list = source.slice(0, -1);
  const key = keys[last] ?? "";
  const isAfter = isIndex(key) && Number(key) >= Number(source[last]) && isPrefix(list, keys);
  return isAfter && Array.isArray(valueAt(document.value, list)) ? keys.with(last, String(+key + by)) : keys;
}

function keysOf(pointer: string, { maxDepth }: PlaceRules): string[] {
  checkLength(pointer);
  let keys: string[];
  try {
    keys = parsePointer(pointer);
  } catch {
    throw notAnOperation(
      `its path ${JSON.stringify(pointer.slice(0, 80))} is not a JSON Pointer (RFC 6901): "" or "/a/b".`,
    );
  }
  checkDepth(keys, maxDepth);
  if (keys.includes("__proto__")) {
    throw new OperationProblem("forbidden_key", 'its path contains "__proto__", which is not allowed.');
  }
  return keys;
}

/** @throws {OperationProblem} `max_depth` */
export function checkLength(path: string): void {
  if (path.length > longestPath)
    throw new OperationProblem("max_depth", `its path is longer than ${longestPath} characters.`);
}

/** @throws {OperationProblem} `max_depth` */
export function checkDepth(keys: readonly string[], maxDepth: number): void {
  if (keys.length > maxDepth)
    throw new OperationProblem("max_depth", `its path is deeper than maxDepth (${maxDepth}).`);
}

/** No key is worth more. It bounds the cost of error messages and of the schema. */
const longestPath = 100_000;

function exists(document: PatchedDocument, keys: readonly string[]): boolean {
  return valueAt(document.value, keys) !== undefined;
}

function isPrefix(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length <= others.length && keys.every((key, i) => key === others[i]);
}

/** Makes the object around a place, where that is allowed. */
function createParent(keys: readonly string[], { document, create }: PlaceRules): boolean {
  const parent = keys.slice(0, -1);
  const pointer = pointerTo(parent);
  if (!create.includes(pointer) || !document.hasParent(parent)) return false;
  document.apply({ op: "add", path: pointer, value: {} });
  return true;
}

function misfit(keys: readonly string[]): OperationProblem {
  return new OperationProblem("misfit", `there is nothing at ${pointerTo(keys)}.`);
}

/** The value of a member of the operation's object. */
export function memberValue(operation: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(operation) && Object.hasOwn(operation, key) ? operation[key] : undefined;
}
