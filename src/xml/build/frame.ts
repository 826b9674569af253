import type { OpenFrame } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import { objectOf, type XmlContent, type XmlItem, type XmlObject } from "../value.js";

/** An operation that nobody has yet, so that its value may still be brought up to date. */
export interface Operation {
  readonly op: "add" | "replace";
  readonly path: string;
  value: XmlObject | XmlContent;
}

/** What the content of an open element is, as far as one knows. */
export const UNKNOWN = 0; // <a>, <a>\n
export const TEXT = 1; // <a>Hello
export const LIST = 2; // <a><b>, <a id="1">

/**
 * An element that is open. What it has in the value is shown as soon as it is known whether that is a text or a list. Used
 * again for the next element at the same depth.
 */
export class XmlFrame implements OpenFrame<XmlObject> {
  name = "";
  /** Where it stands, or will stand, in the list around it. */
  index = 0;
  content: typeof UNKNOWN | typeof TEXT | typeof LIST = UNKNOWN;
  /** The live list, if it is one. Only its end changes. */
  items: XmlItem[] = none;
  /** White space that begins a run of text, which is shown only if more than white space follows. */
  blank = "";
  /** Whether it has text of its own. */
  hasText = false;
  hasElements = false;
  /** Where its content stands, once somebody asked for it (RFC 6901). */
  pointer: string | undefined;
  /** The immutable copy that was handed out last, and whether the list has changed since. */
  snapshot: XmlObject | undefined;
  changed = false;
  /** The operation, not yet taken, by which it appears, or by which its content becomes a list. */
  operation: Operation | undefined;
  replacesContent = false;

  open(name: string, index: number): void {
    this.name = name;
    this.index = index;
    this.content = UNKNOWN;
    this.blank = "";
    this.hasText = false;
    this.hasElements = false;
    this.changed = false;
    this.replacesContent = false;
  }

  /** Lets go of everything, so that what was read does not outlive its reader's interest. */
  release(): void {
    this.items = none;
    this.pointer = undefined;
    this.snapshot = undefined;
    this.operation = undefined;
  }

  /** The JSON Pointer of its content. */
  makePointer(parent: XmlFrame | undefined): string {
    const item = parent === undefined ? "" : childPointer(parent.pointer as string, this.index);
    return childPointer(item, this.name);
  }

  /** The element with a copy of its list, and with another child in place of the last. */
  copy(last: XmlObject | undefined): XmlObject {
    const items = this.items.slice();
    if (last !== undefined) items[items.length - 1] = last;
    return objectOf(this.name, items);
  }
}

/** Of an element that is no list: never changed. */
const none: XmlItem[] = [];
