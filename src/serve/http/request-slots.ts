import { RequestError } from "./request-error.js";

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

/** Counts the requests and runs in progress: all, and those of each client. */
export class RequestSlots {
  private readonly max: number;
  private readonly maxPerClient: number;
  private taken = 0;
  private readonly ofClients = new Map<string, number>();
  /** Requests whose body is incomplete, oldest first. */
  private readonly incomplete = new Set<RequestSlot>();

  constructor(max: number, maxPerClient: number) {
    this.max = max;
    this.maxPerClient = maxPerClient;
  }

  /**
   * Takes a slot. If all are taken, the oldest request with an incomplete body is refused in favour of the new one, so
   * bodies that never arrive block nobody.
   *
   * @param client `undefined` for a client without a limit of its own
   * @throws {RequestError} `too_many_runs`, `too_many_runs_per_client`
   */
  take(client: string | undefined): RequestSlot {
    const { incomplete } = this;
    if (client !== undefined && (this.ofClients.get(client) ?? 0) >= this.maxPerClient) {
      throw new RequestError(
        "too_many_runs_per_client",
        "Too many runs of this client are active. Try again later.",
      );
    }
    if (this.taken >= this.max) {
      const [oldest] = incomplete;
      const error = new RequestError("too_many_runs", "Too many runs are active. Try again later.");
      if (oldest === undefined) throw error;
      oldest.refuse(error);
    }
    const controller = new AbortController();
    let holders = 0;
    let wasHeld = false;
    const hold = (): (() => void) => {
      if (holders++ === 0) this.count(client, 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        if (--holders === 0) this.count(client, -1);
      };
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
  }

  private count(client: string | undefined, change: 1 | -1): void {
    this.taken += change;
    if (client === undefined) return;
    const runs = (this.ofClients.get(client) ?? 0) + change;
    if (runs > 0) this.ofClients.set(client, runs);
    else this.ofClients.delete(client);
  }
}
