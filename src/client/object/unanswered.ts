import { noop } from "../../stream/core/result.js";

/** Runs that the server has not confirmed yet, of all stores: another store may resume one after a navigation. */
const starting = new Map<string, Promise<void>>();

/** The request that starts a run is sent. Returns a function for the answer of the server. */
export function markSent(id: string): () => void {
  let answered = noop;
  const start = new Promise<void>((resolve) => {
    answered = () => {
      starting.delete(id);
      resolve();
    };
  });
  starting.set(id, start);
  return answered;
}

/** Waits for the answer to the request that starts the run, if it is on its way. */
export function answerTo(id: string): Promise<void> | undefined {
  return starting.get(id);
}
