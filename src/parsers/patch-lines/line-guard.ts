import type { JsonGuard, JsonReading } from "../../json/guard.js";
import type { JsonListener } from "../../json/handler.js";
import { PassingHandler } from "../../json/passing.js";
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
}

/** Finds the guard for the value of an operation. */
export interface ValueGuard {
  /** The guard of the value, asked when the value begins. `undefined`: none, or the place is not known yet. */
  guardOfValue(): JsonGuard | undefined;
  /** The JSON Pointer of a place inside the value, given its pointer inside the operation: `/value/title`. */
  pointerOf(pointer: string): string;
}

/**
 * Stands in front of the builder of an operation. Checks its members, and lets the guard of its place check the value.
 *
 * `{"op": "add", "path": "/title", "value": "x"}` fills `fields`. At `key("value")` the guard of `/title` is asked for,
 * and `text("x", true)` goes to that guard, which passes it on to the builder.
 */
export class LineGuard extends PassingHandler {
  readonly fields: LineFields = { op: undefined, path: undefined, from: undefined };
  private readonly reading: JsonReading | undefined;
  private readonly value: ValueGuard;
  private readonly seen = new Set<string>();
  /** The builder of the operation. `next` is the guard of its value while that is read. */
  private readonly builder: JsonListener;
  /** The number of open containers, counted from the operation. */
  private depth = 0;
  private member = "";
  /** The pieces of the open string of a field. */
  private field = "";

  constructor(next: JsonListener, reading: JsonReading | undefined, value: ValueGuard) {
    super(next);
    this.builder = next;
    this.reading = reading;
    this.value = value;
  }

  override key(key: string): void {
    if (key === "__proto__") {
      throw new OperationProblem("forbidden_key", 'the key "__proto__" is not allowed.');
    }
    if (this.depth > 1) {
      super.key(key);
      return;
    }
    if (this.seen.has(key)) throw notAnOperation(`it has ${JSON.stringify(key)} twice.`);
    if (members.has(key)) this.seen.add(key);
    this.member = key;
    this.next = this.builder;
    super.key(key);
    if (key !== "value") return;
    const { value } = this;
    const place = new PlacedHandler(this.builder, (pointer) => value.pointerOf(pointer));
    this.next = value.guardOfValue()?.(place, this.reading) ?? this.builder;
  }

  override open(isArray: boolean): void {
    if (this.depth === 0 && isArray) throw notAnOperation("expected an object.");
    if (this.depth === 1 && isField(this.member)) throw notText(this.member);
    super.open(isArray);
    this.depth++;
  }

  override close(): void {
    this.depth--;
    if (this.depth === 0) this.next = this.builder;
    super.close();
  }

  override begin(kinds: number): void {
    if (this.depth === 0) throw notAnOperation("expected an object.");
    super.begin(kinds);
  }

  override text(piece: string, final: boolean): void {
    const { member, fields } = this;
    if (this.depth === 1 && isField(member)) {
      this.field += piece;
      if (final) {
        if (member === "op") fields.op = operationNamed(this.field);
        else fields[member] = this.field;
        this.field = "";
      }
    }
    super.text(piece, final);
  }

  override leaf(value: JsonValue): void {
    const { member } = this;
    if (typeof value === "string") {
      this.text(value, true);
      return;
    }
    if (this.depth === 1 && isField(member)) throw notText(member);
    super.leaf(value);
  }

  override pointer(inChild: boolean): string {
    return this.builder.pointer(inChild);
  }

  override hasKeys(count: number): boolean {
    return this.depth > 1 ? super.hasKeys(count) : this.builder.hasKeys(count);
  }

  override knowsKey(key: string): boolean | undefined {
    if (this.depth > 1) return super.knowsKey(key);
    return members.has(key) ? true : undefined;
  }
}

/** The next handler, with its JSON Pointers counted from elsewhere. */
export class PlacedHandler extends PassingHandler {
  private readonly pointerOf: (pointer: string) => string;

  constructor(next: JsonListener, pointerOf: (pointer: string) => string) {
    super(next);
    this.pointerOf = pointerOf;
  }

  override pointer(inChild: boolean): string {
    return this.pointerOf(super.pointer(inChild));
  }
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

function notText(member: string): OperationProblem {
  return notAnOperation(`its ${JSON.stringify(member)} is not a string.`);
}

export function notAnOperation(problem: string): OperationProblem {
  return new OperationProblem("not_an_operation", `expected an operation of RFC 6902, but ${problem}`);
}
