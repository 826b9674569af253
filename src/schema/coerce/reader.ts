import * as Kind from "../../json/build/kind.js";
import { kindOf } from "../../json/build/kinds.js";
import type { FoundDocument } from "../../json/coercion.js";
import { isObject, setMember, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { getOrInsert } from "../../tree/made-once.js";
import type { Alternative } from "../guard/alternative.js";
import { checks, problemOfScalar, type Scalar } from "../guard/problems.js";
import { type Child, childrenIn, type Shape } from "../guard/shape.js";
import type { WholeValues } from "../interpreter/interpreter.js";
import { mayBecomeDocument, mayBeList } from "./may-become-other.js";
import {
  asWritten,
  best,
  coerced,
  costOf,
  type Reading,
  type Readings,
  type ReadPart,
  rewritten,
} from "./reading.js";
import { anyKind } from "../values.js";
import type { ReadingStrategy } from "./strategy.js";

/**
 * Reads complete values as a schema expects them: for each alternative of a shape, the reading with the fewest
 * coercions. A value of a type that the alternative allows stays of that type. The cost is at most schema x value,
 * because a container is read once for each shape.
 */
export class Reader {
  private readonly wholeValues: WholeValues | undefined;
  private readonly strategy: ReadingStrategy;
  /** The readings of containers while one value is read. */
  private readonly known = new Map<JsonValue, Map<Shape, Readings>>();
  private readonly knownElements = new Map<JsonValue, Map<Shape, Readings>>();
  /** Whether the value comes from a string. A document in it is not read. */
  private inDocument = false;
  private depth = 0;
  /** Two keys of a value that mean one member, so that it has no reading. */
  doubled: readonly [key: string, name: string] | undefined;

  constructor(wholeValues: WholeValues | undefined, strategy: ReadingStrategy) {
    this.wholeValues = wholeValues;
    this.strategy = strategy;
  }

  /**
   * Reads one value.
   *
   * @param isElement whether the value is an element of a list. Then it is not made a list of one: `[1, 2]` may be
   *   meant as `[[1], [2]]` or as `[[1, 2]]`
   */
  read(value: JsonValue, shape: Shape, isElement: boolean): Readings {
    const readings = this.readingsOf(value, shape, isElement);
    this.known.clear();
    this.knownElements.clear();
    return readings;
  }

  private readingsOf(value: JsonValue, shape: Shape, isElement: boolean): Readings {
    if (typeof value !== "object" || value === null) return this.readScalar(value, shape, isElement);
    const known = isElement ? this.knownElements : this.known;
    const byShape = getOrInsert(known, value, () => new Map<Shape, Readings>());
    let readings = byShape.get(shape);
    if (readings !== undefined) return readings;
    if (this.depth === MAX_DEPTH) return shape.all.map(() => asWritten(value));
    this.depth++;
    readings = isObject(value) ? this.readObject(value, shape, isElement) : this.readArray(value, shape);
    this.depth--;
    byShape.set(shape, readings);
    return readings;
  }

  private readScalar(value: Scalar, shape: Shape, isElement: boolean): Readings {
    const all = shape.alternatives.map((alternative): Reading | undefined => {
      if (problemOfScalar(alternative, value) === undefined && this.accepts(alternative, value)) {
        return asWritten(value);
      }
      const found = this.strategy.convert(alternative, value);
      if (found === undefined || !this.accepts(alternative, found.value)) return undefined;
      return coerced({ kind: found.kind, from: value, to: found.value }, found.value);
    });
    // "None" is rather an option with this name than null.
    const isNamed = all.some((reading) => reading !== undefined && reading.value !== null);
    const readings = isNamed ? all.map((it) => (it?.change?.kind === "null" ? undefined : it)) : all;
    const found = typeof value === "string" ? this.documentIn(value, shape, isElement, readings) : undefined;
    // Where a list of texts is expected, text in brackets is one text.
    if (found?.mayBeText === false) this.addDocument(value, found, shape, isElement, readings);
    if (value !== null && !isElement) this.addList(value, shape, readings);
    if (found !== undefined) this.addDocument(value, found, shape, isElement, readings);
    return readings;
  }

  private documentIn(
    text: string,
    shape: Shape,
    isElement: boolean,
    readings: Readings,
  ): FoundDocument | undefined {
    const { restructures, readDocument } = this.strategy;
    if (!restructures || this.inDocument) return undefined;
    if (!mayBecomeDocument(text) && (isElement || !mayBeList(text))) return undefined;
    const isWanted = shape.alternatives.some((it, i) => readings[i] === undefined && mayBeInString(it));
    return isWanted ? readDocument?.(text) : undefined;
  }

  private addDocument(
    text: Scalar,
    found: FoundDocument,
    shape: Shape,
    isElement: boolean,
    readings: (Reading | undefined)[],
  ): void {
    this.inDocument = true;
    const inside = this.readingsOf(found.value, shape, isElement);
    this.inDocument = false;
    shape.alternatives.forEach((alternative, i) => {
      const reading = inside[i];
      if (reading?.value === undefined || readings[i] !== undefined || !mayBeInString(alternative)) return;
      readings[i] = rewritten("document", text, reading);
    });
  }

  /** One value where a list is expected. */
  private addList(value: JsonValue, shape: Shape, readings: (Reading | undefined)[]): void {
    const kind = kindOf(value);
    const isList = ({ kinds }: Alternative, i: number): boolean =>
      readings[i] === undefined && (kinds & kind) === 0 && (kinds & Kind.ARRAY) !== 0;
    // "null" is rather no list than a list of one.
    if (readings.some((reading) => reading?.value === null)) return;
    if (!this.strategy.restructures || !shape.alternatives.some(isList)) return;
    const child = shape.element(0);
    const elements = this.readingsOf(value, child.shape, true);
    shape.alternatives.forEach((alternative, i) => {
      if (!isList(alternative, i)) return;
      const reading = best(readingsIn(child, elements, i, kind));
      if (reading?.value === undefined || child.allowedBy?.includes(i) === false) return;
      // Two values, as in `1,2,3`.
      const isPair = reading.change?.kind === "number" && typeof value === "string" && pair.test(value);
      if (isPair && this.strategy.locale === undefined) return;
      const list = [reading.value];
      if (checks.array.problem(alternative, 1) !== undefined || !this.accepts(alternative, list)) return;
      readings[i] = coerced({ kind: "list", from: value, to: list }, list, [{ name: 0, reading }]);
    });
  }

  private readArray(array: JsonArray, shape: Shape): Readings {
    const parts = array.map((value, i): PartReadings => {
      const child = shape.element(i);
      return { name: i, from: undefined, value, child, readings: this.readingsOf(value, child.shape, true) };
    });
    const { length } = array;
    const readings = shape.alternatives.map((alternative, i): Reading | undefined => {
      if ((alternative.kinds & Kind.ARRAY) === 0) return undefined;
      if (checks.array.problem(alternative, length) !== undefined) return undefined;
      const read = this.partsIn(array, parts, alternative, i);
      if (read === undefined) return undefined;
      const changed = read.filter(({ reading }) => reading.cost > 0);
      const value = changed.length === 0 ? array : read.map(({ reading }) => reading.value as JsonValue);
      return this.accepts(alternative, value) ? { value, cost: costOf(changed), parts: changed } : undefined;
    });
    if (length === 1 && this.strategy.restructures) this.addSingle(array, shape, readings);
    return readings;
  }

  /** A list of one value where that value is expected. */
  private addSingle(array: JsonArray, shape: Shape, readings: (Reading | undefined)[]): void {
    const inside = this.readingsOf(array[0] as JsonValue, shape, true);
    shape.alternatives.forEach(({ kinds }, i) => {
      const reading = inside[i];
      if (readings[i] !== undefined || (kinds & Kind.ARRAY) !== 0 || reading?.value === undefined) return;
      readings[i] = rewritten("single", array, reading);
    });
  }

  private readObject(object: JsonObject, shape: Shape, isElement: boolean): Readings {
    const parts = this.membersOf(object, shape);
    const readings = shape.alternatives.map((alternative, i): Reading | undefined => {
      if (parts === undefined || (alternative.kinds & Kind.OBJECT) === 0) return undefined;
      const read = this.partsIn(object, parts, alternative, i);
      if (read === undefined) return undefined;
      const changed = read.filter(({ reading }) => reading.cost > 0);
      const members = read.filter(({ reading }) => reading.value !== undefined);
      const names = new Set(members.map(({ name }) => String(name)));
      const count = { key: "", count: names.size };
      if (checks.members.problem(alternative, count) ?? checks.objectEnd.problem(alternative, names))
        return undefined;
      let value = object;
      if (changed.length > 0) {
        value = {};
        for (const { name, reading } of members) setMember(value, String(name), reading.value as JsonValue);
      }
      return this.accepts(alternative, value) ? { value, cost: costOf(changed), parts: changed } : undefined;
    });
    if (!isElement) this.addList(object, shape, readings);
    return readings;
  }

  /** The members of an object; `undefined` if one follows under its own name after a key that was read as it. */
  private membersOf(object: JsonObject, shape: Shape): PartReadings[] | undefined {
    const keys = new Map<string, string>();
    const parts: PartReadings[] = [];
    for (const [key, value] of Object.entries(object)) {
      const other = keys.get(key);
      if (other !== undefined) {
        this.doubled = [other, key];
        return undefined;
      }
      const meant = this.strategy.nameOf(shape, key);
      const name = keys.has(meant) ? key : meant;
      keys.set(name, key);
      const child = shape.member(name);
      const readings = this.readingsOf(value, child.shape, false);
      parts.push({ name, from: name === key ? undefined : key, value, child, readings });
    }
    return parts;
  }

  /** The parts as one alternative of the container reads them; `undefined` if it cannot. */
  private partsIn(
    container: JsonValue,
    parts: readonly PartReadings[],
    alternative: Alternative,
    index: number,
  ): ReadPart[] | undefined {
    const { strategy } = this;
    const read: ReadPart[] = [];
    for (const { name, from, value, child, readings } of parts) {
      if (child.allowedBy?.includes(index) === false) return undefined;
      const known =
        value === null && strategy.isRefused(container, name) ? withRules(child, readings) : readings;
      const reading =
        strategy.pick(readingsIn(child, known, index, kindOf(value))) ??
        (value === null && typeof name === "string" && strategy.mayBeAbsent(alternative, name)
          ? leftOut
          : undefined);
      if (reading === undefined) return undefined;
      read.push({ name, reading: from === undefined ? reading : rewritten("key", from, reading, name) });
    }
    return read;
  }

  private accepts({ interpreted }: Alternative, value: JsonValue): boolean {
    return interpreted.length === 0 || this.wholeValues?.allow(interpreted, value) !== false;
  }
}

/** The readings by alternatives that the guard knows rules for. */
function withRules({ shape }: Child, readings: Readings): Readings {
  return readings.map((reading, i) => (shape.at(i).kinds === anyKind ? undefined : reading));
}

/** May a value be an object or array in a string, because the alternative allows no text? */
function mayBeInString({ kinds }: Alternative): boolean {
  return (kinds & Kind.STRING) === 0 && (kinds & (Kind.OBJECT | Kind.ARRAY)) !== 0;
}

/** Values nested deeper are not coerced. */
const MAX_DEPTH = 1_000;

/** A comma that does not separate thousands. */
const pair = /\d,(?!\d{3}(?!\d))\d/;

interface PartReadings {
  readonly name: string | number;
  /** The key that was written, if it is another one. */
  readonly from: string | undefined;
  readonly value: JsonValue;
  readonly child: Child;
  readonly readings: Readings;
}

/**
 * The readings of a child that belong to an alternative of its container.
 *
 * @param kind the kind of the child's value
 */
export function readingsIn(
  child: Child,
  readings: Readings,
  index: number,
  kind: number,
): (Reading | undefined)[] {
  return readingsOfKind(child.shape, readings, kind, childrenIn(child, [index]));
}

/** The readings by some alternatives. An object or array stays one if any of them has objects or arrays. */
export function readingsOfKind(
  shape: Shape,
  readings: Readings,
  kind: number,
  indices: readonly number[],
): (Reading | undefined)[] {
  const isOfKind = (i: number): boolean => (shape.at(i).kinds & kind) !== 0;
  const keeps = (kind & (Kind.OBJECT | Kind.ARRAY)) !== 0 && indices.some(isOfKind);
  return (keeps ? indices.filter(isOfKind) : indices).map((i) => readings[i]);
}

/** The reading of a `null` for an optional member. */
export const leftOut: Reading = coerced({ kind: "null", from: null, to: undefined }, undefined);
