import { type Context, createContext } from "react";

/** What every part of the tree asks. */
export interface Tree {
  /** Whether what is at the pointer can no longer change. */
  readonly isComplete: (pointer: string) => boolean;
  /** What is wrong, by pointer. */
  readonly notes: ReadonlyMap<string, string>;
}

export const TreeContext: Context<Tree> = createContext<Tree>({ isComplete: () => false, notes: new Map() });
