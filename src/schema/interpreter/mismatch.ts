import { isObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { counted } from "../../text/counts.js";
import { listed, wordsForKeys, wordsForValue } from "../values.js";
import type { FailedChild, FailedPart, SchemaFailure } from "./frame.js";

/** A keyword that a value does not match. */
export interface Mismatch {
  readonly pointer: string;
  readonly keyword: string;
  /** The values that the keyword allows, in words. */
  readonly expected: string;
  /** The value found, in words. */
  readonly found: string;
}

const MAX_MISMATCHES = 50;

/** The keywords that a value does not match, the first ones in the order of the schema. */
export function mismatchesOf(failure: SchemaFailure): Mismatch[] {
  const mismatches: Mismatch[] = [];
  const open: PathStep[] = [{ failure, pointer: "", around: undefined, key: undefined, keyword: "" }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (mismatches.length >= MAX_MISMATCHES) break;
    if (leadsBack(step)) continue;
    const { pointer } = step;
    const { node, value, checks, parts } = step.failure;
    if (node.schema === false) mismatches.push(forbidden(step));
    else {
      for (const check of checks) {
        const [keyword, expected] = [check.keyword, check.expected(check.subject.of(value))];
        const found = `${wordsForValue(value)}${expected.startsWith("the key") ? " without it" : ""}`;
        mismatches.push({ pointer, keyword, expected, found });
      }
    }
    const steps = parts.flatMap((part): PathStep[] => {
      const { keyword } = part.applicator;
      const { words, children } = describe(part, value);
      if (words !== undefined) mismatches.push({ pointer, keyword, ...words });
      return children.map(({ failure, key }) => ({
        failure,
        pointer: key === undefined ? pointer : childPointer(pointer, key),
        around: step,
        key,
        keyword,
      }));
    });
    open.push(...steps.reverse());
  }
  return mismatches.slice(0, MAX_MISMATCHES);
}

interface PathStep {
  readonly failure: SchemaFailure;
  readonly pointer: string;
  /** The schema whose keyword leads here, and the key of the value there. */
  readonly around: PathStep | undefined;
  readonly key: string | number | undefined;
  readonly keyword: string;
}

/** Whether a schema refers to itself at the same value. The check had failed before it came to this reference. */
function leadsBack({ failure, pointer, around }: PathStep): boolean {
  for (let outer = around; outer?.pointer === pointer; outer = outer.around)
    if (outer.failure.node === failure.node) return true;
  return false;
}

/** The schema `false`: whatever is there should not be. */
function forbidden({ failure, pointer, around, key, keyword }: PathStep): Mismatch {
  if (typeof key === "number") {
    const found = `more than ${counted(key, "element")}`;
    return { pointer, keyword, expected: "the end of the array", found };
  }
  if (key === undefined) {
    return { pointer, keyword, expected: "no value", found: wordsForValue(failure.value) };
  }
  const schema = around?.failure.node.schema;
  const properties = isObject(schema) ? schema["properties"] : undefined;
  const names = isObject(properties) ? Object.keys(properties).filter((name) => name !== key) : [];
  const expected = names.length === 0 ? "no such key" : `only ${wordsForKeys(names.slice(0, 20))}`;
  return { pointer, keyword, expected, found: wordsForKeys([key]) };
}

interface Description {
  /** The mismatch of the value as a whole. */
  readonly words?: Pick<Mismatch, "expected" | "found">;
  /** The children whose failures say what is wrong. */
  readonly children: readonly FailedChild[];
}

function describe({ applicator, matched, children }: FailedPart, value: JsonValue): Description {
  const { quantifier, keyword } = applicator;
  const found = wordsForValue(value);
  if (typeof quantifier === "string") return { children };
  const { min, max } = quantifier;
  if (keyword === "not") {
    return { words: { expected: "a value that does not match the schema of `not`", found }, children: [] };
  }
  if (keyword === "contains") {
    const expected = matched < min ? `at least ${min}` : `at most ${max}`;
    const words = { expected: `${expected} elements that match \`contains\``, found: String(matched) };
    return { words, children: [] };
  }
  if (matched > 1) {
    const expected = "a value that matches exactly one schema";
    return { words: { expected, found: "a value that matches several" }, children: [] };
  }
  const near = nearest(children);
  return near.length === 1
    ? { children: near }
    : { words: { expected: expectedOf(children), found }, children: near };
}

/** The values that the members of a union expect, in words. */
function expectedOf(children: readonly FailedChild[]): string {
  const words = children.map(({ failure }) => (failure.parts.length === 0 ? expectedAt(failure) : undefined));
  if (words.includes(undefined)) return `a value that matches one of ${children.length} schemas`;
  return listed([...new Set(words as string[])].slice(0, 20));
}

function expectedAt({ checks, value }: SchemaFailure): string | undefined {
  return checks[0]?.expected(checks[0].subject.of(value));
}

/** The members of a union that the value resembles: it is of their type, and its members have their constants. */
function nearest(children: readonly FailedChild[]): readonly FailedChild[] {
  const near = children.filter(
    ({ failure }) => failure.parts.length > 0 && !differs(failure, false, MAX_DEPTH),
  );
  return near.length <= MAX_NEAR ? near : [];
}

const MAX_NEAR = 3;
/** How far to look for constants inside `allOf` and references. */
const MAX_DEPTH = 5;

function differs({ node, checks, parts }: SchemaFailure, inMember: boolean, depth: number): boolean {
  if (node.schema === false) return true;
  const decisive = inMember ? ["const"] : ["const", "enum", "type"];
  if (checks.some(({ keyword }) => decisive.includes(keyword))) return true;
  if (depth === 0) return false;
  return parts.some(
    ({ applicator, children }) =>
      applicator.quantifier === "all" &&
      children.some(
        ({ key, failure }) =>
          !(inMember && key !== undefined) && differs(failure, key !== undefined, depth - 1),
      ),
  );
}
