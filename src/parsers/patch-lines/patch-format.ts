import * as Kind from "../../json/build/kind.js";
import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonGuard } from "../../json/guard.js";
import { JsonParser } from "../../json/parser.js";
import { PassingHandler } from "../../json/passing.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import type { JsonPatchOperation } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { OperationProblem } from "./line-error.js";
import { patchSyntax } from "./line-syntax.js";
import { LineGuard, notAnOperation, type LineFields } from "./line-guard.js";
import {
  writtenValue,
  missingPlace,
  type PlacedOperation,
  placeOperation,
  type PlaceRules,
  type WaitingOperation,
} from "./operation.js";
import { checkValue, type PlaceGuard } from "./place-guard.js";
import type { LineContext, LineFormat, OpenPlace, StreamedLine } from "./streamed-line.js";
import { ShownText } from "./shown-text.js";
import { parentPointer, parsePointer, pointerTo } from "../../tree/pointer.js";

/**
 * The format of `patchLines()`: an operation a line.
 *
 * @param create the pointers of objects that are made when an operation needs them
 */
export function patchFormat(guard: PlaceGuard | undefined, create: readonly string[]): LineFormat {
  const made = create.map(parsePointer);
  return {
    syntax: patchSyntax,
    open: (place, context) => new OpenLine(place, context, guard, made),
  };
}

/** One operation while its line is read. Its value is applied to the document as it grows. */
class OpenLine implements StreamedLine {
  readonly place: OpenPlace;
  private readonly rules: PlaceRules;
  readonly parser: JsonParser;
  private line: LineGuard | undefined;
  /** `undefined` until `op` and `path` are known. */
  private placed: PlacedOperation | WaitingOperation | undefined;
  /** The same, if it was known before the value, so that the guard has checked the value while it was read. */
  private guarded: PlacedOperation | undefined;
  /** Their pointers are counted from the operation, whose place in the document is known at its end. */
  private rounded: JsonCoercion[] = [];
  undo: readonly AnyPatchOperation[] = [];
  private text: ShownText | undefined;

  constructor(
    place: OpenPlace,
    context: LineContext,
    guard: PlaceGuard | undefined,
    create: readonly (readonly string[])[],
  ) {
    this.place = place;
    // Not by spreading: lines in chunks of 1 KB would take 10 % longer.
    const { document, growing, json, repair, onRepair } = context;
    this.rules = { document, growing, json, repair, onRepair, guard, create };
    const { onCoerce } = json;
    this.parser = new JsonParser({
      ...json,
      ...(onCoerce && {
        onCoerce: (change) => {
          if (change.kind === "rounded") this.rounded.push(change);
          else onCoerce(change);
        },
      }),
      append: true,
      guard: (next, reading) => (this.line = new LineGuard(next, reading, this)),
    });
  }

  get path(): string | undefined {
    return this.fields.path;
  }

  get pointerLength(): number {
    const { path = "", from = "" } = this.fields;
    return path.length + from.length;
  }

  private get fields(): LineFields {
    return (this.line as LineGuard).fields;
  }

  grow(): void {
    const { guarded } = this;
    if (this.rules.growing && guarded !== undefined && needsValue(guarded.op)) this.show(guarded);
  }

  finish(): "done" | "unchecked" | readonly string[] {
    const placed = this.findPlace();
    if (this.rounded.length > 0) this.reportRounded(isPlaced(placed) ? placed.path : pointerTo(placed.keys));
    if (!isPlaced(placed)) return placed.missing;
    const value = writtenValue(this.parser.snapshot());
    if (needsValue(placed.op)) {
      if (value === undefined) throw withoutValue();
      if (this.guarded === undefined) return "unchecked";
      this.show(placed);
      this.text?.end();
    } else applyWhole(placed, value, this.rules);
    return "done";
  }

  missingPlace(): readonly string[] | undefined {
    const placed = this.findPlace();
    return isPlaced(placed) ? undefined : missingPlace(placed, this.rules);
  }

  /** The operation as text, with its value last. */
  toText(): string {
    const { op, path, from } = this.fields;
    return JSON.stringify({ op, path, from, value: writtenValue(this.parser.snapshot()) });
  }

  guardOfValue(): JsonGuard | undefined {
    const { op, path } = this.fields;
    if (op === undefined || path === undefined) return undefined;
    const placed = this.findPlace();
    if (isPlaced(placed)) this.guarded = placed;
    if (op === "append") return stringGuard;
    return op === "add" || op === "replace" ? this.guarded?.guard : undefined;
  }

  pointerOf(pointer: string): string {
    const { placed } = this;
    return placed !== undefined && isPlaced(placed)
      ? placed.path + pointer.slice(valuePointer.length)
      : pointer;
  }

  private reportRounded(path: string): void {
    for (const change of this.rounded)
      this.rules.json.onCoerce?.({ ...change, pointer: path + change.pointer.slice(valuePointer.length) });
    this.rounded = [];
  }

  private findPlace(): PlacedOperation | WaitingOperation {
    return (this.placed ??= placeOperation(this.fields, this.rules));
  }

  private show(placed: PlacedOperation): void {
    for (const operation of this.parser.takePatch()) this.showPart(placed, operation);
  }

  /** @param part a change of the operation's own object */
  private showPart(placed: PlacedOperation, part: JsonPatchOperation): void {
    const { document } = this.rules;
    const { op, path, value } = part;
    const isBegin = path === "" || (path === valuePointer && op === "add");
    const begun = path === "" ? writtenValue(value) : value;
    if (isBegin && begun !== undefined) this.begin(placed, begun);
    else if (op === "append" && path === valuePointer && this.text !== undefined) this.text.grow(value);
    else if (path === valuePointer) document.apply({ ...part, path: placed.path });
    else if (path.startsWith(`${valuePointer}/`))
      document.grow({ ...part, path: placed.path + path.slice(valuePointer.length) });
  }

  private begin(placed: PlacedOperation, value: JsonValue): void {
    const { document } = this.rules;
    const { op, path } = placed;
    const undoing = undoOf(placed, this.rules);
    const before = op === "replace" ? document.at(path) : undefined;
    if (op === "append") {
      if (value !== "") document.apply({ op, path, value: value as string });
    } else if (typeof before === "string" && typeof value === "string") {
      this.text = new ShownText(document, path, before);
      this.text.grow(value);
    } else document.apply({ op: op === "replace" ? "replace" : "add", path, value });
    this.undo = undoing;
  }
}

const valuePointer = "/value";

function isPlaced(operation: PlacedOperation | WaitingOperation): operation is PlacedOperation {
  return !("missing" in operation);
}

const stringGuard: JsonGuard = (next) => new StringGuard(next);

class StringGuard extends PassingHandler {
  override open(): never {
    throw withoutString();
  }

  override begin(kinds: number): void {
    if ((kinds & Kind.STRING) === 0) throw withoutString();
    super.begin(kinds);
  }

  override leaf(value: JsonValue): void {
    if (typeof value !== "string") throw withoutString();
    super.leaf(value);
  }
}

function withoutString(): OperationProblem {
  return new OperationProblem("misfit", "an append needs a string.");
}

/** Applies an operation that does not show a growing value. */
function applyWhole(placed: PlacedOperation, value: JsonValue | undefined, { document }: PlaceRules): void {
  const { op, path, from, guard } = placed;
  if (op === "remove") document.apply({ op, path });
  else if (op === "test") {
    if (value === undefined) throw withoutValue();
    document.apply({ op, path, value });
  } else if (op === "move" || op === "copy") {
    if (guard !== undefined) {
      const value = document.at(from as string);
      document.payCheck(value);
      checkValue(value, path, guard);
    }
    document.apply({ op, from: from as string, path });
  }
}

function needsValue(op: PlacedOperation["op"]): boolean {
  return op === "add" || op === "replace" || op === "append";
}

function withoutValue(): OperationProblem {
  return notAnOperation('it has no "value".');
}

/** The operations that lead back to the document before an operation that sets a value. */
function undoOf({ path, keys, op }: PlacedOperation, { document }: PlaceRules): AnyPatchOperation[] {
  const before = document.at(path) as JsonValue | undefined;
  const inArray = Array.isArray(document.at(parentPointer(path)));
  if (before === undefined || (op === "add" && inArray && keys.length > 0)) return [{ op: "remove", path }];
  return [{ op: "replace", path, value: before }];
}
