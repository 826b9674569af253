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
