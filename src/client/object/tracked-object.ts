import type { ObjectActions, StreamedObject } from "./streamed-object.js";

/** Reads the parts of an object that is arriving. */
export type ObjectReads<T> = {
  readonly [Part in Exclude<keyof StreamedObject<T>, keyof ObjectActions>]: () => StreamedObject<T>[Part];
};

/** An object whose parts are read on each access, for frameworks that track what a component reads. */
export function trackedObject<T>(
  { submit, stop, clear }: ObjectActions,
  read: ObjectReads<T>,
): StreamedObject<T> {
  const object = { submit, stop, clear };
  for (const [part, get] of Object.entries(read))
    Object.defineProperty(object, part, { get, enumerable: true });
  return object as StreamedObject<T>;
}
