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

/** Notifies several. One may subscribe or leave meanwhile. */
export function callSubscribers<T>(
  subscribers: Iterable<{ readonly notify: (value: T) => void }>,
  value: T,
): void {
  for (const { notify } of [...subscribers]) callSubscriber(notify, value);
}
