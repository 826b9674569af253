import { RequestError, type RequestErrorCode } from "../request-error.js";

/** A limited number of places: for all clients, and for each. The client is `undefined` if it has no limit of its own. */
export interface Places {
  /**
   * Takes a place.
   *
   * @returns gives the place back. Can be called again
   * @throws {RequestError} `too_many_…`, `too_many_…_per_client`
   */
  take(client: string | undefined): () => void;
  /** The error of a client that can have no place now. */
  refusal(client: string | undefined): RequestError | undefined;
  /** Takes a place, even if all are taken. */
  occupy(client: string | undefined): () => void;
}

/** @param counted the holders of places, as in "Too many runs are active" */
export function placesFor(counted: "runs" | "readers", max: number, maxPerClient: number): Places {
  let taken = 0;
  const ofClients = new Map<string, number>();
  const count = (client: string | undefined, change: 1 | -1): void => {
    taken += change;
    if (client === undefined) return;
    const places = (ofClients.get(client) ?? 0) + change;
    if (places > 0) ofClients.set(client, places);
    else ofClients.delete(client);
  };
  const refused = (code: RequestErrorCode, of: string): RequestError =>
    new RequestError(code, `Too many ${counted}${of} are active. Try again later.`);
  const refusal = (client: string | undefined): RequestError | undefined => {
    if (client !== undefined && (ofClients.get(client) ?? 0) >= maxPerClient)
      return refused(`too_many_${counted}_per_client`, " of this client");
    return taken >= max ? refused(`too_many_${counted}`, "") : undefined;
  };
  const occupy = (client: string | undefined): (() => void) => {
    count(client, 1);
    return once(() => {
      count(client, -1);
    });
  };
  return {
    refusal,
    occupy,
    take(client) {
      const error = refusal(client);
      if (error !== undefined) throw error;
      return occupy(client);
    },
  };
}

/** A function that works at its first call. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
