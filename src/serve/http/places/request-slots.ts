import { noop } from "../../../stream/core/result.js";
import { once, type Places } from "./places.js";
import type { RequestError } from "../request-error.js";

/** A request in progress. */
export interface RequestSlot {
  /** Aborted with a `RequestError` when the request must not wait for its body any longer. */
  readonly waiting: AbortSignal;
  /** Refuses the request. Has no effect after `complete()`. */
  refuse(error: RequestError): void;
  /**
   * The body is complete.
   *
   * @throws {RequestError} if the request was refused meanwhile
   */
  complete(): void;
  /** The request is over. Can be called again. */
  readonly release: () => void;
  /**
   * Keeps the place beyond the request, for a run that outlives its response.
   *
   * @returns the run is over. Can be called again
   */
  readonly hold: () => () => void;
  /** Whether a run has held the place, now or before. */
  readonly wasHeld: boolean;
}

/**
 * Gives slots to requests that start runs. If all are taken, the oldest request with an incomplete body is refused in
 * favour of the new one, so bodies that never arrive block nobody.
 *
 * @returns takes a slot; `client` is `undefined` for a client without a limit of its own. Throws a `RequestError`
 *   `too_many_runs` or `too_many_runs_per_client`
 */
export function requestSlots(places: Places): (client: string | undefined) => RequestSlot {
  /** Requests whose body is incomplete, oldest first. */
  const incomplete = new Set<RequestSlot>();
  return (client) => {
    const refusal = places.refusal(client);
    if (refusal !== undefined) {
      const [oldest] = incomplete;
      if (refusal.code !== "too_many_runs" || oldest === undefined) throw refusal;
      oldest.refuse(refusal);
    }
    const controller = new AbortController();
    let holders = 0;
    let wasHeld = false;
    let leave = noop;
    const hold = (): (() => void) => {
      if (holders++ === 0) leave = places.occupy(client);
      return once(() => {
        if (--holders === 0) leave();
      });
    };
    const releaseRequest = hold();
    const slot: RequestSlot = {
      waiting: controller.signal,
      get wasHeld() {
        return wasHeld;
      },
      hold() {
        wasHeld = true;
        return hold();
      },
      refuse(error) {
        if (!incomplete.has(slot)) return;
        controller.abort(error);
        slot.release();
      },
      complete() {
        controller.signal.throwIfAborted();
        incomplete.delete(slot);
      },
      release() {
        incomplete.delete(slot);
        releaseRequest();
      },
    };
    incomplete.add(slot);
    return slot;
  };
}
