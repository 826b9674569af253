import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { prototypeKeys } from "../../json/patch/project.js";
import { isContainer, type JsonValue, valueAt } from "../../json/value.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import { checkDepth, checkLength } from "../../parsers/patch-lines/operation.js";
import { childPointer, isIndex, parsePointer, unescapeKey } from "../../tree/pointer.js";

/** A place in the data model of a surface. */
export interface DataPlace {
  /** Its JSON Pointer in the document of all surfaces. */
  readonly pointer: string;
  readonly before: JsonValue | undefined;
  /** Whether a value there is an element of a list. */
  readonly inList: boolean;
  /** The operations that make the containers around it. */
  readonly parents: readonly AnyPatchOperation[];
}

/** An element of a list, before which others are missing. */
export interface MissingElements {
  /** The JSON Pointer of a place that has to exist first. */
  readonly missing: string;
}

/**
 * Reads the path of a message as a renderer does: empty keys are left out, and a slash before it may be missing.
 *
 * @throws {OperationProblem} `forbidden_key`, `max_depth`
 */
export function keysOfPath(path: string, maxDepth: number): string[] {
  checkLength(path);
  const keys = path
    .split("/")
    .filter((key) => key !== "")
    .map(unescapeKey);
  checkDepth(keys, maxDepth);
  const refused = keys.find((key) => prototypeKeys.has(key));
  if (refused !== undefined)
    throw new OperationProblem("forbidden_key", `its path contains "${refused}", which is not allowed.`);
  return keys;
}

/**
 * Finds a place in a data model. Missing containers around it are made: lists where the next key is an index. The
 * message has to wait if elements before it are missing in a list.
 *
 * @param model the pointer of the data model
 * @throws {OperationProblem} `misfit` if there is a value on the way that is no container
 */
export function placeData(
  document: JsonValue,
  model: string,
  keys: readonly string[],
): DataPlace | MissingElements {
  const parents: AnyPatchOperation[] = [];
  let pointer = model;
  let value = valueAt(document, parsePointer(model));
  let inList = false;
  for (const part of keys) {
    if (value === undefined || value === null) {
      const made: JsonValue = isIndex(part) ? [] : {};
      parents.push({ op: value === null ? "replace" : "add", path: pointer, value: made });
      value = made;
    }
    if (!isContainer(value)) throw new OperationProblem("misfit", `there is no container at ${pointer}.`);
    let key = part;
    inList = Array.isArray(value);
    if (Array.isArray(value)) {
      if (key === "-") key = String(value.length);
      if (!isIndex(key)) throw new OperationProblem("misfit", `${JSON.stringify(key)} is no index.`);
      if (Number(key) > value.length)
        return { missing: parents[0]?.path ?? childPointer(pointer, String(Number(key) - 1)) };
    }
    value = valueAt(value, [key]);
    pointer = childPointer(pointer, key);
  }
  return { pointer, before: value, inList, parents };
}

/** The operation that sets a value at a place. */
export function settingAt({ pointer, before, inList }: DataPlace, value: JsonValue): AnyPatchOperation {
  return { op: before !== undefined && inList ? "replace" : "add", path: pointer, value };
}

/** The operations that lead back to the document before a value was set there. The last change comes first. */
export function undoOfSetting({ pointer, before, parents }: DataPlace): readonly AnyPatchOperation[] {
  const [outermost] = parents;
  if (outermost !== undefined) {
    const { op, path } = outermost;
    return [op === "replace" ? { op, path, value: null } : { op: "remove", path }];
  }
  return [
    before === undefined ? { op: "remove", path: pointer } : { op: "replace", path: pointer, value: before },
  ];
}
