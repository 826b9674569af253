/**
 * Calls back when the signal is aborted. All callbacks of a signal share one listener: Node warns of a leak at the
 * eleventh listener, and a thousand runs may share the signal of a server.
 *
 * @param callback a function that was not passed before for this signal
 * @returns removes the callback, and the listener with the last callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = waiting.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0 || waiting.get(signal)?.callbacks !== callbacks) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", listener);
  };
}

interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waiting = new WeakMap<AbortSignal, Waiting>();

function listen(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = (): void => {
    waiting.delete(signal);
    for (const callback of callbacks) callback();
    callbacks.clear(); // an aborted signal may live on
  };
  const entry = { callbacks, listener };
  waiting.set(signal, entry);
  signal.addEventListener("abort", listener, { once: true });
  return entry;
}
