import { copyOf, pointerOf, snapshotOf } from "../../tree/open-path.js";
import { GrowingText } from "../../text/growing-text.js";
import { childPointer } from "../../tree/pointer.js";
import { Increments } from "./increments.js";
import type { XmlPatchOperation } from "../patch.js";
import type { XmlPlace } from "../position.js";
import { objectOf, type XmlContent, type XmlItem, type XmlObject } from "../value.js";
import { AS_TEXT, XmlFrame } from "./xml-frame.js";

/**
 * Builds the value, and remembers how much of it the last snapshot and the last patch contain.
 *
 * Only two things can change: the open elements (`frames`, a path from the root down), and the open *leaf* at the end
 * of that path, which is a text that grows. Everything else is complete and is never changed again. So snapshots and
 * patches share it, and copy only what is open. All open elements but the innermost are lists.
 */
export class XmlBuilder {
  private readonly append: boolean;
  readonly increments: Increments | undefined;
  /** Contains the root as the last item of its list. It is known to the reader before the first patch. */
  private readonly document: XmlFrame = new XmlFrame("", 0, { offset: 0, line: 1, column: 1 });
  /** The open elements, from the root inwards. */
  readonly frames: XmlFrame[] = [];
  /** The innermost of them, and what contains it; the document if none is open. */
  private top: XmlFrame = this.document;
  private around: XmlFrame = this.document;

  private readonly leaf = new GrowingText();
  private leafOpen = false;
  /** Whether the value contains all of the leaf's text. It is put there when a snapshot or a patch is taken. */
  private leafInValue = true;

  /** How many of the open elements the last patch contains. */
  private patchedDepth = 0;
  /** By what text the leaf grew since the last patch; `undefined` if that does not contain the leaf. */
  private leafSuffix: string | undefined;
  /** The next patch, as far as it is about elements and texts that have ended. */
  private operations: XmlPatchOperation[] = [];

  constructor(append: boolean, onLeaf: ((increment: XmlObject) => void) | undefined) {
    this.append = append;
    this.increments = onLeaf === undefined ? undefined : new Increments(onLeaf);
    this.document.content = "list";
    this.document.items = [];
  }

  get depth(): number {
    return this.frames.length;
  }

  get path(): string[] {
    return this.frames.map(({ name }) => name);
  }

  get innermost(): XmlFrame | undefined {
    return this.frames[this.frames.length - 1];
  }

  /**
   * @param attributes names and values in turn
   * @param place of the start tag
   */
  open(name: string, attributes: readonly string[], place: XmlPlace): void {
    const parent = this.top;
    this.becomeList(parent);
    parent.blank = "";
    parent.hasElements = true;
    const frame = new XmlFrame(name, parent.items.length, place);
    this.frames.push(frame);
    this.top = frame;
    this.around = parent;
    for (let i = 0; i < attributes.length; i += 2) {
      this.becomeList(frame);
      const item = objectOf(`@${attributes[i] as string}`, attributes[i + 1] as string);
      frame.items.push(item);
      this.increments?.leaf(item, this.frames, this.depth);
    }
  }

  /** Adds a piece of text. White space is kept back until it is known to be content; in a CDATA section it is. */
  text(text: string, inSection: boolean): void {
    if (this.leafOpen) {
      this.leaf.add(text);
      this.leafInValue = false;
      if (this.leafSuffix !== undefined) this.leafSuffix += text;
      return;
    }
    const frame = this.top;
    if (!inSection && !frame.hasText && isBlank(text)) frame.blank += text;
    else if (text !== "") this.openLeaf(frame, frame.blank + text);
  }

  close(): void {
    const frame = this.top;
    this.closeLeaf();
    const depth = this.depth - 1;
    if (frame.content === "unknown") {
      const item = this.addElement(frame, frame.blank);
      this.increments?.leaf(item, this.frames, depth);
    } else if (frame.content === "list") {
      if (!frame.hasElements && frame.blank !== "") {
        this.openLeaf(frame, frame.blank);
        this.closeLeaf();
      }
      // An element that did not change since the last snapshot stays the same object.
      if (frame.snapshot === undefined || frame.changed) this.around.changed = true;
      else this.replaceElement(frame.snapshot);
    }
    if (this.patchedDepth > depth) {
      this.recordItems(depth + 1);
      this.patchedDepth = depth;
    }
    this.frames.pop();
    this.top = this.around;
    this.around = this.frameAt(depth - 1);
    this.increments?.closed(depth);
  }

  /** An immutable value. Copies the lists of the open elements that changed since the last snapshot. */
  snapshot(): XmlObject | undefined {
    this.putLeafInValue();
    return snapshotOf(this.frames, this.openLists) ?? this.root;
  }

  /** The operations that lead from the last patch to the current value. */
  takePatch(): XmlPatchOperation[] {
    this.putLeafInValue();
    const { operations, depth, patchedDepth } = this;
    // All elements around this one are unchanged since the last patch, except for their last item.
    this.recordItems(patchedDepth);
    this.recordLeaf();
    for (let i = patchedDepth; i <= depth; i++) {
      const frame = this.frameAt(i);
      frame.patched = frame.items.length;
    }
    this.operations = [];
    this.patchedDepth = this.top.content === "unknown" ? depth - 1 : depth;
    this.leafSuffix = this.leafOpen ? "" : undefined;
    return operations;
  }

  private get root(): XmlObject | undefined {
    return this.document.items[0] as XmlObject | undefined;
  }

  /** The open element at this depth, counted from 1; the document at 0 and outside. */
  private frameAt(depth: number): XmlFrame {
    return depth <= 0 ? this.document : (this.frames[depth - 1] as XmlFrame);
  }

  private get openLists(): number {
    return this.top.content === "list" ? this.depth : this.depth - 1;
  }

  private addElement(frame: XmlFrame, content: XmlContent): XmlObject {
    const item = objectOf(frame.name, content);
    this.around.items.push(item);
    this.around.changed = true;
    return item;
  }

  /** Replaces the innermost element in what contains it. */
  private replaceElement(item: XmlObject): void {
    const { items } = this.around;
    items[items.length - 1] = item;
  }

  /** Called when the innermost element gets a child or an attribute. */
  private becomeList(frame: XmlFrame): void {
    const { content } = frame;
    if (content === "list") {
      this.closeLeaf();
      return;
    }
    frame.content = "list";
    if (content === "unknown") {
      this.addElement(frame, frame.items);
      return;
    }
    // Its text becomes the first item.
    const text = this.leaf.end("");
    frame.items.push(text);
    this.replaceElement(objectOf(frame.name, frame.items));
    frame.patched = AS_TEXT;
    this.resetLeaf();
    this.increments?.leaf(text, this.frames, this.depth);
  }

  private openLeaf(frame: XmlFrame, text: string): void {
    frame.blank = "";
    frame.hasText = true;
    this.leaf.add(text);
    this.leafOpen = true;
    if (frame.content === "unknown") {
      frame.content = "text";
      this.addElement(frame, text);
    } else {
      frame.items.push(text);
      frame.changed = true;
    }
  }

  /** Ends the text that grows, at a tag or where a truncated document is kept. */
  closeLeaf(): void {
    if (!this.leafOpen) return;
    this.putLeafInValue();
    this.recordLeaf();
    const { top } = this;
    const text = this.leaf.end("");
    this.resetLeaf();
    if (top.content === "list") this.increments?.leaf(text, this.frames, this.depth);
    else this.increments?.leaf(objectOf(top.name, text), this.frames, this.depth - 1);
  }

  private resetLeaf(): void {
    this.leafOpen = false;
    this.leafInValue = true;
    this.leafSuffix = undefined;
  }

  private putLeafInValue(): void {
    if (this.leafInValue) return;
    this.leafInValue = true;
    const { top } = this;
    if (top.content === "list") {
      top.items[top.items.length - 1] = this.leaf.value;
      top.changed = true;
    } else {
      this.replaceElement(objectOf(top.name, this.leaf.value));
      this.around.changed = true;
    }
  }

  /** Records the new items of the element at this depth. */
  private recordItems(depth: number): void {
    const { items, patched, name } = this.frameAt(depth);
    if (patched === items.length) return;
    const path = depth === 0 ? "" : pointerOf(this.frames, depth - 1);
    if (patched === AS_TEXT) {
      const { [name]: value } = copyOf(this.frames, depth - 1, this.openLists) as XmlObject;
      this.operations.push({ op: "replace", path, value: value as XmlContent });
      return;
    }
    // An open list still grows, so the operation must hold a copy.
    const open = copyOf(this.frames, depth, this.openLists);
    for (let i = patched; i < items.length; i++) {
      const value = i === items.length - 1 && open !== undefined ? open : (items[i] as XmlItem);
      this.operations.push(
        depth === 0 ? { op: "replace", path, value } : { op: "add", path: childPointer(path, i), value },
      );
    }
  }

  /** Records that the leaf grew, if the last patch contains it. */
  private recordLeaf(): void {
    const { top, append, leafSuffix } = this;
    if (leafSuffix === undefined || leafSuffix === "") return;
    const content = pointerOf(this.frames, this.depth - 1);
    const path = top.content === "list" ? childPointer(content, top.items.length - 1) : content;
    this.operations.push(
      append ? { op: "append", path, value: leafSuffix } : { op: "replace", path, value: this.leaf.value },
    );
  }
}

/** For most texts, the first character decides. */
function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x20 || (code !== 0x20 && code !== 0xa && code !== 0x9 && code !== 0xd)) return false;
  }
  return true;
}
