/**
 * Creates the state of one iteration of a stage, and the transform that uses it.
 *
 * @param emit emits an item; may be called any number of times for one input. Later transforms run within the call and
 *   their errors are thrown from it: keep it out of a `try` around the transform's own work.
 * @param stop ends the stream after the items emitted so far. The source is closed at once. Later errors of the
 *   transforms before it are dropped. A transform that has stopped must ignore further inputs and not throw.
 * @param wait for asynchronous transforms: the next pull and the end wait until the promise has settled. Items emitted
 *   until then belong to the transform, and a rejection is the transform's error.
 */
export type CreateTransform<In, Out> = (
  emit: (value: Out) => void,
  stop: () => void,
  wait: (work: Promise<void>) => void,
) => Transform<In>;

/** The functions of a stage. */
export interface Transform<In> {
  next(value: In): void;
  /**
   * Called when the source has ended, to emit the last items. Not called after an error or an early close. The end
   * waits for the promise that it returns, as for those of `wait`.
   */
  end?(): void | Promise<void>;
}

export type CreateAnyTransform = CreateTransform<unknown, unknown>;
