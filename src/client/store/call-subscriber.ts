/** Notifies a subscriber. The platform reports its error as uncaught, so that others are notified all the same. */
export function callSubscriber<T>(notify: (value: T) => void, value: T): void {
  try {
    notify(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/**
 * Notifies several. One may subscribe or leave meanwhile, or change the state: then the others have got the newer one.
 */
export function callSubscribers<T>(
  subscribers: ReadonlySet<{ readonly notify: (value: T) => void }>,
  getState: () => T,
): void {
  const state = getState();
  for (const it of [...subscribers])
    if (subscribers.has(it) && getState() === state) callSubscriber(it.notify, state);
}
