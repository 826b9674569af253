import { type Context, createContext } from "react";
import { type PatchStore, createPatchStore } from "millrace/client";
import { RenderCount } from "../transport/render-count.js";
import { asRecord } from "./any-value.js";

/** An interface in json-render's format: elements side by side, joined by their keys. */
export interface BoardSpec {
  readonly root: string;
  readonly elements: Readonly<Record<string, Partial<BoardElement>>>;
}

/** An element. Each member is missing or has any value if the model makes a mistake: `elementOf()` checks it. */
export interface BoardElement {
  readonly type: string;
  /** The components check them. */
  readonly props: Readonly<Record<string, unknown>>;
  readonly children: readonly string[];
}

/** Reads an element that a model has written so far. A member of a wrong type counts as missing. */
export function elementOf(value: unknown): BoardElement {
  const { type, props, children } = asRecord(value);
  const names = Array.isArray(children) ? children.filter((name) => typeof name === "string") : [];
  return {
    type: typeof type === "string" ? type : "",
    props: asRecord(props),
    children: [...new Set(names)],
  };
}

/** Shared by all elements of a dashboard. */
export class Board {
  readonly store: PatchStore<BoardSpec>;
  readonly renders: RenderCount;
  /** Whether elements show that they are still being written. */
  readonly growing: boolean;
  private readonly parents = new Map<string, string>();

  constructor(store: PatchStore<BoardSpec>, renders: RenderCount, growing: boolean) {
    this.store = store;
    this.renders = renders;
    this.growing = growing;
  }

  /**
   * Whether the element is shown in this parent. Only one shows it, so the page is a tree whatever the model writes.
   */
  isIn(parent: string, name: string): boolean {
    const other = this.parents.get(name);
    if (other !== undefined && other !== parent && this.hasChild(other, name)) return false;
    this.parents.set(name, parent);
    return true;
  }

  private hasChild(parent: string, name: string): boolean {
    const { root, elements } = this.store.getSnapshot() ?? {};
    if (parent === "") return root === name;
    return elementOf(elements?.[parent]).children.includes(name);
  }
}

export const BoardContext: Context<Board> = createContext(
  new Board(createPatchStore(), new RenderCount(), false),
);
