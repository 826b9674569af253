import { type Context, createContext } from "react";

/** Shared by all nodes of the tree. */
export interface Tree {
  /** Whether the value at the pointer can no longer change. */
  readonly isComplete: (pointer: string) => boolean;
  /** Schema violations by pointer. */
  readonly notes: ReadonlyMap<string, string>;
}

export const TreeContext: Context<Tree> = createContext<Tree>({ isComplete: () => false, notes: new Map() });
