import type { ServerResponse } from "node:http";

/** The position at which the connection of a response is cut. */
export interface Cut {
  /** After this number of events */
  readonly events: number;
  /** and this number of bytes of the next event. A negative number counts from its end. */
  readonly bytes: number;
  /** Whether the data in transit is lost too, as if the machine failed. */
  readonly reset?: boolean;
}

/** The response, whose connection is destroyed at that position. `toEventStream()` writes each event at once. */
export function cut(response: ServerResponse, { events, bytes, reset = false }: Cut): ServerResponse {
  const write = response.write.bind(response) as (chunk: Uint8Array, written?: () => void) => boolean;
  /** The comment at the start is not an event. */
  let sent = -1;
  response.write = (chunk: string | Uint8Array): boolean => {
    const whole = Buffer.from(chunk);
    if (sent++ < events) return write(whole);
    return write(whole.subarray(0, bytes), () => {
      if (reset) response.socket?.resetAndDestroy();
      else response.destroy();
    });
  };
  return response;
}
