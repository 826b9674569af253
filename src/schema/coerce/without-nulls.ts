import { Kind } from "../../json/build/kinds.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { anyKind } from "../values.js";
import type { Alternative } from "../guard/alternative.js";
import {
  problemOfArrayEnd,
  problemOfElements,
  problemOfKinds,
  problemOfMembers,
  problemOfObjectEnd,
  problemOfScalar,
} from "../guard/problems.js";
import type { Child, Shape } from "../guard/shape.js";

/**
 * Removes the nulls that stand for absent members: members that the schema does not require, and for which it does not
 * allow null. A union can allow different members, so there is a copy for each alternative that the value may match.
 *
 * @param wrong pointers to values that the schema's own check refused. It decides where the guard knows no rules
 * @returns the copies, without the value itself
 */
export function withoutNulls(value: JsonValue, shape: Shape, wrong: ReadonlySet<string>): JsonValue[] {
  const forms = new Set(formsOf(value, shape, wrong, "", 0));
  forms.delete(undefined);
  forms.delete(value);
  return [...forms] as JsonValue[];
}

/** For each alternative of the shape, the value without absent members; `undefined` if it cannot match. */
type Forms = readonly (JsonValue | undefined)[];

/** Values nested deeper keep their nulls. */
const MAX_DEPTH = 1_000;

function formsOf(
  value: JsonValue,
  shape: Shape,
  wrong: ReadonlySet<string>,
  pointer: string,
  depth: number,
): Forms {
  const { alternatives } = shape;
  if (typeof value !== "object" || value === null) {
    const isWrong = value === null && wrong.has(pointer);
    return alternatives.map((alternative) =>
      (isWrong && alternative.kinds === anyKind) || problemOfScalar(alternative, value) !== undefined
        ? undefined
        : value,
    );
  }
  if (depth === MAX_DEPTH) return alternatives.map(() => value);
  const parts = Object.entries(value).map(([key, part], i): CopiedPart => {
    const child = Array.isArray(value) ? shape.element(i) : shape.member(key);
    return {
      key,
      value: part,
      child,
      forms: formsOf(part, child.shape, wrong, childPointer(pointer, key), depth + 1),
    };
  });
  return alternatives.map((alternative, index) =>
    Array.isArray(value)
      ? arrayOf(value, parts, alternative, index)
      : objectOf(value, parts, alternative, index),
  );
}

/** A member or an element. */
interface CopiedPart {
  readonly key: string;
  readonly value: JsonValue;
  readonly child: Child;
  readonly forms: Forms;
}

function arrayOf(
  array: JsonArray,
  parts: readonly CopiedPart[],
  alternative: Alternative,
  index: number,
): JsonArray | undefined {
  const { length } = array;
  const problem =
    problemOfKinds(alternative, Kind.ARRAY) ??
    problemOfElements(alternative, length) ??
    problemOfArrayEnd(alternative, length);
  const elements = parts.map((part) => formOf(part, index));
  if (problem !== undefined || !isComplete(elements)) return undefined;
  return elements.every((element, i) => element === array[i]) ? array : elements;
}

function objectOf(
  object: JsonObject,
  parts: readonly CopiedPart[],
  alternative: Alternative,
  index: number,
): JsonObject | undefined {
  const members = new Map<string, JsonValue>();
  for (const part of parts) {
    const form = formOf(part, index);
    if (form !== undefined) members.set(part.key, form);
    else if (!mayBeAbsent(part, alternative, index)) return undefined;
  }
  const problem =
    problemOfKinds(alternative, Kind.OBJECT) ??
    problemOfMembers(alternative, "", members.size) ??
    problemOfObjectEnd(alternative, members);
  if (problem !== undefined) return undefined;
  return parts.every(({ key, value }) => members.get(key) === value) ? object : Object.fromEntries(members);
}

/** The form of a part in an alternative of its container. One that keeps all nulls is preferred. */
function formOf(
  { value, child: { parents, allowedBy }, forms }: CopiedPart,
  index: number,
): JsonValue | undefined {
  if (allowedBy?.includes(index) === false) return undefined;
  const possible = forms.filter((_, i) => parents[i]?.includes(index));
  return possible.includes(value) ? value : possible.find((form) => form !== undefined);
}

function mayBeAbsent({ key, value, child }: CopiedPart, { rules }: Alternative, index: number): boolean {
  if (value !== null || child.allowedBy?.includes(index) === false) return false;
  return !rules.some(({ required }) => required.includes(key));
}

function isComplete(values: readonly (JsonValue | undefined)[]): values is JsonArray {
  return !values.includes(undefined);
}
