import type { StreamedThread, ThreadActions, ThreadClient } from "./streamed-thread.js";

/** The parts of a conversation that change. */
export type ThreadPart = Exclude<keyof StreamedThread, keyof ThreadActions>;

/** The parts of a conversation, for frameworks that track what a component reads. */
export const threadParts: readonly ThreadPart[] = Object.keys({
  messages: true,
  status: true,
  isBusy: true,
  error: true,
  pending: true,
  retry: true,
  usage: true,
  object: true,
  title: true,
  unsent: true,
} satisfies Record<ThreadPart, true>) as ThreadPart[];

/** A conversation whose parts are read on each access. */
export function trackedThread<Structured>(
  {
    getState: _state,
    getInitialState: _initial,
    subscribe: _subscribe,
    ...actions
  }: ThreadClient<Structured>,
  read: (part: ThreadPart) => () => unknown,
): StreamedThread<Structured> {
  for (const part of threadParts) Object.defineProperty(actions, part, { get: read(part), enumerable: true });
  return actions as unknown as StreamedThread<Structured>;
}
