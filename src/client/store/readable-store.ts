/** A store with immutable states, such as all of `millrace/client`. `useObject()` of `millrace/react` reads it. */
export interface ReadableStore<State> {
  /** The current state. The same object until the next change. */
  readonly getState: () => State;
  /** The state that server rendering and hydration show. */
  readonly getInitialState: () => State;
  /**
   * Calls `notify` with the state immediately and after each change, as Svelte's store contract says. The immediate
   * call does no harm in React, which reads `getState()`.
   *
   * @returns a function that unsubscribes
   */
  readonly subscribe: (notify: (state: State) => void) => () => void;
}
