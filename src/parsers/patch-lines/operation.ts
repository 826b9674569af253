import type { JsonGuard } from "../../json/guard.js";
import { isObject, type JsonValue, valueAt } from "../../json/value.js";
import { isIndex, parsePointer, pointerTo } from "../../tree/pointer.js";
import type { PatchedDocument } from "./document.js";
import { OperationProblem } from "./line-error.js";
import { notAnOperation, type LineFields, type OperationName } from "./line-guard.js";
import type { GuardedPlace, PlaceGuard } from "./place-guard.js";
import type { LineContext } from "./streamed-line.js";

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

/** An operation that has to wait. */
export interface WaitingOperation {
  readonly op: OperationName;
  /** With the names of the schema. */
  readonly keys: readonly string[];
  readonly from: readonly string[] | undefined;
  /** The keys of a place that it needs and that does not exist. */
  readonly missing: readonly string[];
}

export interface PlaceRules extends LineContext {
  readonly guard: PlaceGuard | undefined;
  /** The places of objects that are made when an operation needs them. */
  readonly create: readonly (readonly string[])[];
}

/**
 * Finds the place of an operation, which has to wait if a place that it needs does not exist yet.
 *
 * @throws {OperationProblem}
 */
export function placeOperation(fields: LineFields, rules: PlaceRules): PlacedOperation | WaitingOperation {
  const { document } = rules;
  const { op } = fields;
  if (op === undefined) throw notAnOperation('it has no "op".');
  const written = keysOf(fields.path, "path", rules);
  const from = op === "move" || op === "copy" ? keysOf(fields.from, "from", rules) : undefined;
  const withoutSource = from && document.missing(from);
  if (withoutSource !== undefined) return { op, keys: written, from, missing: withoutSource };
  const moved = op === "move" ? from : undefined;
  if (moved !== undefined) checkMove(moved, written);
  /** The keys in the document that still has the source of a move (1), or in the path (-1). */
  const counted = (by: number, keys: readonly string[]): readonly string[] =>
    moved === undefined ? keys : countedWith(by, moved, keys, document);
  const place = op === "remove" ? undefined : guardedPlace(counted(1, written), rules);
  const meant = place?.keys ?? counted(1, written);
  const missing = missingParent(meant, rules);
  if (missing !== undefined) return { op, keys: counted(-1, meant), from, missing };
  createParent(meant, rules);
  const parent = meant.length === 0 ? undefined : valueAt(document.value, meant.slice(0, -1));
  const keys = Array.isArray(parent) ? inArray(meant, parent.length) : meant;
  const target = targetOf(op, keys, parent, rules);
  if (target === "missing") return { op, keys, from, missing: keys };
  if (keys.length > 0 && (typeof parent !== "object" || parent === null)) {
    throw new OperationProblem("misfit", `there is no container around ${pointerTo(keys)}.`);
  }
  const found = counted(-1, keys);
  return { op: target, path: pointerTo(found), keys: found, from: fields.from, guard: place?.guard };
}

function checkMove(from: readonly string[], keys: readonly string[]): void {
  if (from.length < keys.length && isPrefix(from, keys))
    throw new OperationProblem("misfit", "a value cannot be moved into itself.");
}

/** The place that the schema means by a path. */
function guardedPlace(
  keys: readonly string[],
  { guard, document, repair, onRepair }: PlaceRules,
): GuardedPlace | undefined {
  const place = guard?.(keys, document.value);
  if (place?.keys.some((key, i) => key !== keys[i]) !== true) return place;
  if (!repair) {
    throw new OperationProblem("schema", `the schema has ${pointerTo(place.keys)} instead of its path.`);
  }
  onRepair("path");
  return place;
}

/** The keys of an element, with an index instead of `-`. */
function inArray(keys: readonly string[], length: number): readonly string[] {
  const key = keys.at(-1) as string;
  if (key === "-") return [...keys.slice(0, -1), String(length)];
  if (isIndex(key)) return keys;
  throw new OperationProblem("misfit", `${JSON.stringify(key.slice(0, 80))} is no index of an array.`);
}

/**
 * The name of the operation that is done at the target: `add` instead of `replace` if the target is missing, and
 * `missing` if the operation has to wait for the target.
 */
function targetOf(
  op: OperationName,
  keys: readonly string[],
  parent: JsonValue | undefined,
  { document, repair, onRepair }: PlaceRules,
): OperationName | "missing" {
  const there = valueAt(document.value, keys);
  if (op === "append" && there !== undefined && typeof there !== "string")
    throw new OperationProblem("misfit", "it appends to no string.");
  if (there !== undefined || op === "add" || op === "move" || op === "copy") return op;
  if (op === "append" || (op === "replace" && Array.isArray(parent))) return "missing";
  if (op !== "replace" || !repair || !isObject(parent))
    throw new OperationProblem("misfit", `there is nothing at ${pointerTo(keys)}.`);
  onRepair("missing_target");
  return "add";
}

/** The keys of a place that an operation still waits for. `undefined` if it may have its place now. */
export function missingPlace(waiting: WaitingOperation, rules: PlaceRules): readonly string[] | undefined {
  const { op, from } = waiting;
  const { document } = rules;
  const missing = from && document.missing(from);
  if (missing !== undefined) return missing;
  const keys =
    from !== undefined && op === "move" ? countedWith(1, from, waiting.keys, document) : waiting.keys;
  const isIn = Array.isArray(valueAt(document.value, keys.slice(0, -1)));
  const needsValue = op === "append" || (op === "replace" && isIn);
  return missingParent(keys, rules) ?? (needsValue ? document.missing(keys) : undefined);
}

/**
 * The keys of the target of a move, whose path counts the elements without the source (RFC 6902, section 4.4).
 *
 * @param by 1 gives the keys in the document that still has the source, and -1 leads back
 */
function countedWith(
  by: number,
  source: readonly string[],
  keys: readonly string[],
  document: PatchedDocument,
): readonly string[] {
  const last = source.length - 1;
  const list = source.slice(0, -1);
  const key = keys[last] ?? "";
  const isAfter = isIndex(key) && Number(key) >= Number(source[last]) && isPrefix(list, keys);
  return isAfter && Array.isArray(valueAt(document.value, list)) ? keys.with(last, String(+key + by)) : keys;
}

/** The keys of the operation's `path` or `from`. */
function keysOf(pointer: string | undefined, member: string, { json }: PlaceRules): string[] {
  if (pointer === undefined) throw notAnOperation(`it has no "${member}".`);
  checkLength(pointer);
  let keys: string[];
  try {
    keys = parsePointer(pointer);
  } catch {
    throw notAnOperation(
      `its path ${JSON.stringify(pointer.slice(0, 80))} is not a JSON Pointer (RFC 6901): "" or "/a/b".`,
    );
  }
  checkDepth(keys, json.maxDepth);
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

function isPrefix(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length <= others.length && keys.every((key, i) => key === others[i]);
}

/** The place that is missing around a place, unless the object there can be made. */
function missingParent(
  keys: readonly string[],
  { document, create }: PlaceRules,
): readonly string[] | undefined {
  const missing = document.missingBefore(keys);
  const parent = keys.slice(0, -1);
  const isMade = create.some((place) => place.length === parent.length && isPrefix(place, parent));
  return missing !== undefined && isMade ? document.missingBefore(parent) : missing;
}

/** Makes the object around a place, if it is missing. */
function createParent(keys: readonly string[], { document }: PlaceRules): void {
  if (document.missingBefore(keys) === undefined) return;
  document.apply({ op: "add", path: pointerTo(keys.slice(0, -1)), value: {} });
}

/** The `value` of an operation. */
export function writtenValue(operation: JsonValue | undefined): JsonValue | undefined {
  return isObject(operation) && Object.hasOwn(operation, "value") ? operation["value"] : undefined;
}
