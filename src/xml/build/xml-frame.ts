import type { OpenFrame } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import type { XmlPlace } from "../position.js";
import { objectOf, type XmlItem, type XmlObject } from "../value.js";

export const AS_TEXT = -1;

/** An open element. It is in the value as soon as it is known whether it is a text or a list. */
export class XmlFrame implements OpenFrame<XmlObject> {
  readonly name: string;
  /** Its index in the list of the element around it. */
  readonly index: number;
  /** Where its start tag is. */
  readonly place: XmlPlace;
  /** Unknown: `<a>` and white space. A text: `<a>Hello`. A list: `<a><b>`, `<a id="1">`. */
  content: "unknown" | "text" | "list" = "unknown";
  /** The list in the value, if the content is one. Only its end changes. */
  items: XmlItem[] = [];
  /** White space at the start of a text. It is content only if other text follows. */
  blank = "";
  hasText = false;
  hasElements = false;
  pointer: string | undefined = undefined;
  snapshot: XmlObject | undefined = undefined;
  changed = false;
  /** How many of the items the last patch contains, if it contains the element. AS_TEXT if it contains it as a text. */
  patched = 0;

  constructor(name: string, index: number, place: XmlPlace) {
    this.name = name;
    this.index = index;
    this.place = place;
  }

  makePointer(parent: XmlFrame | undefined): string {
    const item = parent === undefined ? "" : childPointer(parent.pointer as string, this.index);
    return childPointer(item, this.name);
  }

  copy(lastChild: XmlObject | undefined): XmlObject {
    const items = this.items.slice();
    if (lastChild !== undefined) items[items.length - 1] = lastChild;
    return objectOf(this.name, items);
  }
}
