import { flatten } from "../../tree/flatten.js";
import { XmlFrame, LIST, TEXT, UNKNOWN, type Operation } from "./frame.js";
import { Increments } from "./increments.js";
import type { XmlPatchOperation } from "../patch.js";
import { copyOf, pointerOf, snapshotOf } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import { objectOf, type XmlContent, type XmlObject } from "../value.js";

/**
 * Builds the value while it is read, and knows at any moment what of it has been handed out.
 *
 * Only two things can still change: the elements that are open (the frames, a path from the root down) and the open *leaf*
 * at the end of that path, a text that grows. All else is complete and never touched again, so that snapshots and patches
 * share it and copy only what is open. Of the frames all but the last are shown, as lists.
 */
export class XmlBuilder {
  /** How many elements are open. */
  depth = 0;
  private readonly append: boolean;
  private readonly increments: Increments | undefined;
  private root: XmlObject | undefined;
  /** Of the open elements, and behind them those to be used again. */
  private readonly frames: XmlFrame[] = [];

  private leafOpen = false;
  private leaf = "";
  /** Whether the live value has `leaf` already. It is put there only when somebody looks. */
  private leafSettled = true;

  /** The taker of patches has the lists below this depth; -1 until the root was taken. */
  private delivered = -1;
  private leafDelivered = false;
  /** What the open leaf has grown by since the last patch. */
  private leafGrew = false;
  private leafSuffix = "";
  /** The operation, not yet taken, by which the open leaf appears. */
  private leafOperation: Operation | undefined;
  private operations: XmlPatchOperation[] = [];

  constructor(append: boolean, onLeaf: ((increment: XmlObject) => void) | undefined) {
    this.append = append;
    this.increments = onLeaf === undefined ? undefined : new Increments(onLeaf);
  }

  /** The names of the open elements. */
  get path(): string[] {
    return this.frames.slice(0, this.depth).map(({ name }) => name);
  }

  /** @param attributes the values by name */
  open(name: string, attributes: Readonly<Record<string, string>>): void {
    let index = 0;
    if (this.depth > 0) {
      const parent = this.top;
      this.becomeList(parent);
      parent.blank = "";
      parent.hasElements = true;
      index = parent.items.length;
    }
    if (this.depth === this.frames.length) this.frames.push(new XmlFrame());
    this.depth++;
    const frame = this.top;
    frame.open(name, index);
    for (const key in attributes) {
      if (frame.content === UNKNOWN) this.becomeList(frame);
      const item = objectOf(`@${key}`, attributes[key] as string);
      frame.items.push(item);
      this.increments?.leaf(item, this.frames, this.depth);
    }
  }

  /** A piece of text. White space alone is not shown before it is known to matter; that of a CDATA section does. */
  text(text: string, fromSection: boolean): void {
    if (this.leafOpen) {
      this.leaf += text;
      this.leafSettled = false;
      this.leafGrew = true;
      if (this.append) this.leafSuffix += text;
      return;
    }
    const frame = this.top;
    if (!fromSection && !frame.hasText && isBlank(text)) frame.blank += text;
    else if (text !== "") this.openLeaf(frame, frame.blank + text);
  }

  close(): void {
    const frame = this.top;
    this.closeLeaf();
    const depth = this.depth - 1;
    if (frame.content === UNKNOWN) {
      const item = this.attach(frame, frame.blank);
      this.increments?.leaf(item, this.frames, depth);
    } else if (frame.content === LIST) {
      if (!frame.hasElements && frame.blank !== "") {
        this.openLeaf(frame, frame.blank);
        this.closeLeaf();
      }
      // What has not changed must stay the very same object for those who hold the snapshot.
      if (frame.snapshot !== undefined && !frame.changed) this.putInPlace(frame.snapshot, depth);
      else if (depth > 0) (this.frames[depth - 1] as XmlFrame).changed = true;
    }
    frame.release();
    this.depth = depth;
    if (this.delivered > depth) this.delivered = depth;
    this.increments?.closed(depth);
  }

  /** An immutable value. Costs a copy of the list of each open element that changed since the last one. */
  snapshot(): XmlObject | undefined {
    this.settleLeaf();
    return snapshotOf(this.frames, this.lists) ?? this.root;
  }

  /** The operations that lead from what was taken last to what is known now. */
  takePatch(): XmlPatchOperation[] {
    this.settleLeaf();
    if (this.root === undefined) return [];
    const { lists } = this;
    let { operations } = this;
    if (this.delivered < 0)
      operations = [{ op: "replace", path: "", value: copyOf(this.frames, 0, lists) ?? this.root }];
    else {
      if (this.leafGrew) this.recordLeaf();
      if (this.delivered < lists) {
        // The one operation whose value still grows must not hold the live list.
        const { name, operation, replacesContent } = this.frames[this.delivered] as XmlFrame;
        const copy = copyOf(this.frames, this.delivered, lists) as XmlObject;
        if (operation !== undefined) operation.value = replacesContent ? (copy[name] as XmlContent) : copy;
      }
    }
    for (let i = Math.max(this.delivered, 0); i < this.depth; i++) {
      (this.frames[i] as XmlFrame).operation = undefined;
    }
    this.operations = [];
    this.delivered = lists;
    this.leafDelivered = this.leafOpen;
    this.leafOperation = undefined;
    this.leafGrew = false;
    this.leafSuffix = "";
    return operations;
  }

  private get top(): XmlFrame {
    return this.frames[this.depth - 1] as XmlFrame;
  }

  /** How many of the open elements are shown as lists. */
  private get lists(): number {
    return this.depth > 0 && this.top.content !== LIST ? this.depth - 1 : this.depth;
  }

  /** An element is shown. */
  private attach(frame: XmlFrame, content: XmlContent): XmlObject {
    const item = objectOf(frame.name, content);
    const level = this.depth - 1;
    if (level === 0) this.root = item;
    else {
      const parent = this.frames[level - 1] as XmlFrame;
      parent.items.push(item);
      parent.changed = true;
      if (level <= this.delivered) {
        const path = childPointer(pointerOf(this.frames, level - 1), frame.index);
        frame.operation = this.record("add", path, item);
      }
    }
    return item;
  }

  /** The innermost element has a child or an attribute. */
  private becomeList(frame: XmlFrame): void {
    if (frame.content === LIST) this.closeLeaf();
    else if (frame.content === UNKNOWN) {
      frame.content = LIST;
      frame.items = [];
      this.attach(frame, frame.items);
    } else {
      // Its text becomes the first item.
      const { leaf } = this;
      frame.items = [leaf];
      frame.content = LIST;
      const level = this.depth - 1;
      this.putInPlace({ [frame.name]: frame.items }, level);
      if (level > 0) (this.frames[level - 1] as XmlFrame).changed = true;
      if (this.leafDelivered) {
        frame.replacesContent = true;
        frame.operation = this.record("replace", pointerOf(this.frames, level), frame.items);
      } else if (frame.operation !== undefined) frame.operation.value = { [frame.name]: frame.items };
      this.forgetLeaf();
      this.increments?.leaf(leaf, this.frames, this.depth);
    }
  }

  private openLeaf(frame: XmlFrame, text: string): void {
    frame.blank = "";
    frame.hasText = true;
    this.leaf = text;
    this.leafOpen = true;
    if (frame.content === UNKNOWN) {
      frame.content = TEXT;
      this.attach(frame, text);
      this.leafOperation = frame.operation;
      return;
    }
    if (this.depth <= this.delivered) {
      const path = childPointer(pointerOf(this.frames, this.depth - 1), frame.items.length);
      this.leafOperation = this.record("add", path, text);
    }
    frame.items.push(text);
    frame.changed = true;
  }

  private closeLeaf(): void {
    if (!this.leafOpen) return;
    // Whoever reads a string that grew has the engine make one of its pieces, which would live on otherwise.
    flatten(this.leaf);
    this.settleLeaf();
    if (this.leafGrew) this.recordLeaf();
    const { leaf, top } = this;
    this.forgetLeaf();
    if (top.content === LIST) this.increments?.leaf(leaf, this.frames, this.depth);
    else this.increments?.leaf({ [top.name]: leaf }, this.frames, this.depth - 1);
  }

  private forgetLeaf(): void {
    this.leafOpen = false;
    this.leaf = "";
    this.leafSettled = true;
    this.leafDelivered = false;
    this.leafGrew = false;
    this.leafSuffix = "";
    this.leafOperation = undefined;
  }

  private settleLeaf(): void {
    if (this.leafSettled) return;
    this.leafSettled = true;
    const { top } = this;
    if (top.content === LIST) {
      top.items[top.items.length - 1] = this.leaf;
      top.changed = true;
    } else {
      this.putInPlace(objectOf(top.name, this.leaf), this.depth - 1);
      if (this.depth > 1) (this.frames[this.depth - 2] as XmlFrame).changed = true;
    }
  }

  /** Brings the operations up to date with the open leaf. */
  private recordLeaf(): void {
    const { leaf, top } = this;
    const inList = top.content === LIST;
    if (this.leafOperation !== undefined) this.leafOperation.value = inList ? leaf : { [top.name]: leaf };
    else if (this.leafDelivered) {
      const content = pointerOf(this.frames, this.depth - 1);
      const path = inList ? childPointer(content, top.items.length - 1) : content;
      if (this.append) this.operations.push({ op: "append", path, value: this.leafSuffix });
      else this.record("replace", path, leaf);
    }
    this.leafGrew = false;
    this.leafSuffix = "";
  }

  private record(op: Operation["op"], path: string, value: Operation["value"]): Operation {
    const operation: Operation = { op, path, value };
    this.operations.push(operation);
    return operation;
  }

  /** Puts another object in place of the element that is shown at this level. */
  private putInPlace(item: XmlObject, level: number): void {
    if (level === 0) this.root = item;
    else {
      const { items } = this.frames[level - 1] as XmlFrame;
      items[items.length - 1] = item;
    }
  }
}

/** Most texts say so with their first character. */
function isBlank(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x20 || (code !== 0x20 && code !== 0xa && code !== 0x9 && code !== 0xd)) return false;
  }
  return true;
}
