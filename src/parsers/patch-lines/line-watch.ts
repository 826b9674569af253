import { Kind } from "../../json/build/kinds.js";
import type { JsonCoercing } from "../../json/coercion.js";
import { forwardingPlace } from "../../json/forwarding.js";
import type { JsonGuard, JsonPlace, JsonWatch } from "../../json/guard.js";
import type { JsonValue } from "../../json/value.js";
import { OperationProblem } from "./line-error.js";

/** The operations of RFC 6902, and `append`. */
export const operationNames = ["add", "remove", "replace", "move", "copy", "test", "append"] as const;
export type OperationName = (typeof operationNames)[number];

/** The fields of an operation that were read so far. */
export interface LineFields {
  op: OperationName | undefined;
  path: string | undefined;
  from: string | undefined;
  /** Whether its value has begun. */
  hasValue: boolean;
}

/** Finds the guard for the value of an operation. */
export interface ValueGuard {
  /** The guard of the value, asked when the value begins. `undefined`: none, or the place is not known yet. */
  guardOfValue(): JsonGuard | undefined;
  /** The JSON Pointer of a place inside the value, given its pointer inside the operation: `/value/title`. */
  pointerOf(pointer: string): string;
}

/** Checks the members of an operation, and lets the guard of its place check the value. */
export class LineWatch implements JsonWatch {
  readonly fields: LineFields = { op: undefined, path: undefined, from: undefined, hasValue: false };
  private readonly place: JsonPlace;
  private readonly coercing: JsonCoercing | undefined;
  private readonly value: ValueGuard;
  private readonly seen = new Set<string>();
  private inner: JsonWatch | undefined;
  /** The number of open containers, counted from the operation. */
  private depth = 0;
  private member = "";

  constructor(place: JsonPlace, coercing: JsonCoercing | undefined, value: ValueGuard) {
    this.place = place;
    this.coercing = coercing;
    this.value = value;
  }

  key(key: string): string {
    if (key === "__proto__") {
      throw new OperationProblem("forbidden_key", 'the key "__proto__" is not allowed.');
    }
    if (this.depth > 1) return this.innerWatch?.key(key) ?? key;
    if (this.seen.has(key)) throw notAnOperation(`it has ${JSON.stringify(key)} twice.`);
    if (members.has(key)) this.seen.add(key);
    this.member = key;
    if (key === "value") {
      this.fields.hasValue = true;
      this.inner = this.value.guardOfValue()?.watch(
        placeIn(this.place, (pointer) => this.value.pointerOf(pointer)),
        this.coercing,
      );
    }
    return key;
  }

  knowsKey(key: string): boolean | undefined {
    if (this.depth > 1) return this.innerWatch?.knowsKey?.(key);
    return members.has(key) ? true : undefined;
  }

  expectsKey(key: string): boolean {
    return this.depth > 1 ? (this.innerWatch?.expectsKey?.(key) ?? true) : members.has(key);
  }

  allowsElement(kind: number): boolean {
    return this.innerWatch?.allowsElement?.(kind) ?? true;
  }

  open(kind: number, hidden: boolean): boolean {
    if (this.depth === 0) {
      if (kind !== Kind.OBJECT) throw notAnOperation("expected an object.");
    } else if (this.depth === 1 && isField(this.member)) {
      throw notAnOperation(`its ${JSON.stringify(this.member)} is not a string.`);
    }
    const result = this.depth === 0 ? hidden : (this.innerWatch?.open(kind, hidden) ?? hidden);
    this.depth++;
    return result;
  }

  close(): void {
    if (this.depth > 1) this.innerWatch?.close();
  }

  closed(): void {
    this.depth--;
    if (this.depth > 0) this.innerWatch?.closed();
  }

  begin(kinds: number): boolean {
    if (this.depth === 0) throw notAnOperation("expected an object.");
    return this.innerWatch?.begin(kinds) ?? true;
  }

  text(text: string, suffix: string): boolean {
    return this.innerWatch?.text(text, suffix) ?? true;
  }

  leaf(value: string | number | boolean | null): JsonValue | undefined {
    const { innerWatch, member, fields } = this;
    if (innerWatch !== undefined) return innerWatch.leaf(value);
    if (this.depth > 1 || !isField(member)) return value;
    if (typeof value !== "string") throw notAnOperation(`its ${JSON.stringify(member)} is not a string.`);
    if (member === "op") fields.op = operationNamed(value);
    else fields[member] = value;
    return value;
  }

  /** The guard inside the value. */
  private get innerWatch(): JsonWatch | undefined {
    return this.member === "value" ? this.inner : undefined;
  }
}

/** The same place, with its JSON Pointers counted from elsewhere. */
export function placeIn(place: JsonPlace, pointerOf: (pointer: string) => string): JsonPlace {
  return { ...forwardingPlace(place), pointer: (inChild) => pointerOf(place.pointer(inChild)) };
}

const members: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

function isField(member: string): member is "op" | "path" | "from" {
  return member === "op" || member === "path" || member === "from";
}

function operationNamed(name: string): OperationName {
  const found = operationNames.find((each) => each === name);
  if (found === undefined) {
    throw notAnOperation(
      `its "op" is ${JSON.stringify(name.slice(0, 40))}, not one of ${operationNames.join(", ")}.`,
    );
  }
  return found;
}

export function notAnOperation(problem: string): OperationProblem {
  return new OperationProblem("not_an_operation", `expected an operation of RFC 6902, but ${problem}`);
}
