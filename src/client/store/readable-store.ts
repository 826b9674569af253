/** A store with immutable states, which `useObject()` of `millrace/react` reads. */
export interface ReadableStore<State> {
  /** The current state. The same object until the next change. */
  readonly getState: () => State;
  /** The state that server rendering and hydration show. */
  readonly getInitialState: () => State;
  /** Calls `notify` after each change. Returns a function that unsubscribes. */
  readonly subscribe: (notify: () => void) => () => void;
}
