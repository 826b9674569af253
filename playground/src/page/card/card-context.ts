import { type Context, createContext } from "react";
import { RenderCount } from "../transport/render-count.js";

/** Shared by all fields of a card. */
export interface CardContents {
  /** Whether the value at the pointer can no longer change. */
  readonly isComplete: (pointer: string) => boolean;
  readonly renders: RenderCount;
}

export const CardContext: Context<CardContents> = createContext<CardContents>({
  isComplete: () => true,
  renders: new RenderCount(),
});
