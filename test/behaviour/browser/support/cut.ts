import type { ServerResponse } from "node:http";

/** Where the connection of a response is cut. */
export interface Cut {
  /** After so many events, */
  readonly events: number;
  /** and so many bytes of the next; counted from its end if there are fewer than none. */
  readonly bytes: number;
  /** As when a machine fails: what is under way is lost too. */
  readonly reset?: boolean;
}

/** The response, which destroys its connection at that place. For the answers of `toEventStream()`, which writes each event at once. */
export function cut(response: ServerResponse, { events, bytes, reset = false }: Cut): ServerResponse {
  const write = response.write.bind(response) as (chunk: Uint8Array, written?: () => void) => boolean;
  /** The comment at the beginning is none. */
  let sent = -1;
  response.write = (chunk: Uint8Array): boolean => {
    if (sent++ < events) return write(chunk);
    return write(chunk.subarray(0, bytes), () => {
      if (reset) response.socket?.resetAndDestroy();
      else response.destroy();
    });
  };
  return response;
}
