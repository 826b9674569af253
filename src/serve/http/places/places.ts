import { RequestError, type RequestErrorCode } from "../request-error.js";

/** The holders of places, as in "Too many runs are active". */
type Counted = "runs" | "readers";

/** A limited number of places: for all clients, and for each. */
export class Places {
  private readonly counted: Counted;
  private readonly max: number;
  private readonly maxPerClient: number;
  private taken = 0;
  private readonly ofClients = new Map<string, number>();

  constructor(counted: Counted, max: number, maxPerClient: number) {
    this.counted = counted;
    this.max = max;
    this.maxPerClient = maxPerClient;
  }

  /**
   * Takes a place.
   *
   * @param client `undefined` for a client without a limit of its own
   * @returns gives the place back. Can be called again
   * @throws {RequestError} `too_many_…`, `too_many_…_per_client`
   */
  take(client: string | undefined): () => void {
    const refusal = this.refusal(client);
    if (refusal !== undefined) throw refusal;
    return this.occupy(client);
  }

  /** The error of a client that can have no place now. */
  refusal(client: string | undefined): RequestError | undefined {
    const { counted, ofClients } = this;
    const refused = (code: RequestErrorCode, of: string): RequestError =>
      new RequestError(code, `Too many ${counted}${of} are active. Try again later.`);
    if (client !== undefined && (ofClients.get(client) ?? 0) >= this.maxPerClient)
      return refused(`too_many_${counted}_per_client`, " of this client");
    return this.taken >= this.max ? refused(`too_many_${counted}`, "") : undefined;
  }

  /** Takes a place, even if all are taken. */
  occupy(client: string | undefined): () => void {
    this.count(client, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.count(client, -1);
    };
  }

  private count(client: string | undefined, change: 1 | -1): void {
    this.taken += change;
    if (client === undefined) return;
    const places = (this.ofClients.get(client) ?? 0) + change;
    if (places > 0) this.ofClients.set(client, places);
    else this.ofClients.delete(client);
  }
}
