import type { JsonHints } from "../../json/handler.js";
import { pointerOf } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import type { OpenContainer } from "./open-container.js";
import type { Shape } from "./shape.js";

/**
 * The open containers of a document, from the root down, and what their shapes say about the text that comes next.
 *
 * In `{"list": [{"a": 1, "b` there are three. `top` is the object, `outer` the array, and `pointer(true)` is `/list/0/b`, once
 * that key is known. If the schema names the members `a` and `b`, `knowsKey("b")` is true.
 */
export class OpenPath<Frame extends OpenContainer> implements JsonHints {
  depth = 0;
  /** The place of the document. */
  private readonly base: string;
  private readonly createFrame: (shape: Shape) => Frame;
  /** Reused. Its length is the greatest depth so far. */
  private readonly frames: Frame[] = [];

  constructor(base: string, createFrame: (shape: Shape) => Frame) {
    this.base = base;
    this.createFrame = createFrame;
  }

  open(shape: Shape, live: readonly number[], isArray: boolean): Frame {
    let frame = this.frames[this.depth];
    if (frame === undefined) this.frames.push((frame = this.createFrame(shape)));
    frame.open(shape, live, isArray);
    if (this.depth++ === 0) frame.pointer = this.base;
    return frame;
  }

  /** The innermost container. */
  get top(): Frame {
    return this.frames[this.depth - 1] as Frame;
  }

  /** The container around it. */
  get outer(): Frame | undefined {
    return this.frames[this.depth - 2];
  }

  get waits(): boolean {
    return this.frames.slice(0, this.depth).some(({ waits }) => waits);
  }

  pointer(inChild: boolean): string {
    if (this.depth === 0) return this.base;
    const pointer = pointerOf(this.frames, this.depth - 1);
    return inChild ? childPointer(pointer, this.top.name) : pointer;
  }

  knowsKey(key: string): boolean | undefined {
    if (this.depth === 0) return undefined;
    const { shape, live, isArray } = this.top;
    if (isArray) return undefined;
    if (shape.named.has(key)) return true;
    const { allowedBy } = shape.member(key);
    return allowedBy === undefined || live.some((index) => allowedBy.includes(index)) ? undefined : false;
  }

  mayBeKeyAround(text: string, isWhole: boolean): boolean {
    let level = this.depth - 1;
    while (this.frames[level]?.isArray === true) level--;
    const named = this.frames[level]?.shape.named;
    if (named === undefined) return false;
    if (isWhole || named.size === 0) return named.size === 0 || named.has(text);
    return [...named].some((key) => key.startsWith(text));
  }

  allowsElement(kind: number): boolean {
    const { shape, count } = this.top;
    return shape.element(count).shape.alternatives.some(({ kinds }) => (kinds & kind) !== 0);
  }

  expectsMember(): boolean {
    if (this.depth === 0) return false;
    const { shape, key } = this.top;
    return shape.expects(key);
  }
}
