import type { ReadableStore } from "./readable-store.js";

/**
 * The state of a store for frameworks that track what a component reads: each part is read where `read` says, and the
 * actions stay as they are.
 */
export function trackedParts<State extends object>(
  store: ReadableStore<State>,
  read: <Part extends keyof State>(part: Part) => () => State[Part],
): State {
  const state = { ...store.getInitialState() };
  for (const part of changingParts(state)) Object.defineProperty(state, part, { get: read(part) });
  return state;
}

/** The names of all that changes: all but the actions. */
export function changingParts<State extends object>(state: State): (keyof State)[] {
  return (Object.keys(state) as (keyof State)[]).filter((part) => typeof state[part] !== "function");
}
