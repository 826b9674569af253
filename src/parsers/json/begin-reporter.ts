import type { JsonListener } from "../../json/handler.js";
import { PassingHandler } from "../../json/passing.js";
import type { JsonValue } from "../../json/value.js";

type OnBegin = (pointer: string, isObject: boolean) => void;

/**
 * Reports the values that begin, in the order of the text: outer values first. It stands in front of the guard, which
 * knows the places. Values inside one that the guard withholds are not reported, because it may be read as something
 * else.
 */
export class BeginReporter extends PassingHandler {
  private readonly onBegin: OnBegin;
  private isLeafOpen = false;

  constructor(next: JsonListener, onBegin: OnBegin) {
    super(next);
    this.onBegin = onBegin;
  }

  override open(isArray: boolean, hidden?: boolean): void {
    const isInside = this.visibility() === "withheld";
    const pointer = this.pointer(true);
    if (!isInside) this.onBegin(pointer, !isArray);
    super.open(isArray, hidden);
    if (this.visibility() === "withheld") return;
    // One object that is read as a list of one.
    const place = this.pointer(false);
    if (place !== pointer) this.onBegin(place, true);
  }

  override begin(kinds: number): void {
    this.beginLeaf();
    super.begin(kinds);
  }

  override text(piece: string, final: boolean): void {
    this.beginLeaf();
    super.text(piece, final);
    if (final) this.isLeafOpen = false;
  }

  override leaf(value: JsonValue): void {
    this.beginLeaf();
    super.leaf(value);
    this.isLeafOpen = false;
  }

  private beginLeaf(): void {
    if (this.isLeafOpen) return;
    this.isLeafOpen = true;
    if (this.visibility() !== "withheld") this.onBegin(this.pointer(true), false);
  }
}
