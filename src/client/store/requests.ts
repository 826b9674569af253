import { systemClock } from "../../stream/time/clock.js";
import type { FromEventStreamOptions } from "../from-event-stream.js";
import { refusalOf, unreachable } from "../response-events.js";

export function withParameter(api: string | URL, name: string, value: string): string {
  const url = String(api);
  return `${url}${url.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}

/** Tells the server to stop what is at this URL. @throws {ClientError} */
export async function sendStop(
  url: string | URL,
  { headers = {}, fetch = globalThis.fetch, clock = systemClock }: FromEventStreamOptions,
): Promise<void> {
  const send = async (): Promise<Response> => fetch(url, { method: "DELETE", headers, keepalive: true });
  const response = await send().catch(unreachable);
  if (!response.ok) throw await refusalOf(response, clock);
}

/** A stream that fails at once. */
export function failing(error: unknown): AsyncIterable<never> {
  return {
    [Symbol.asyncIterator]() {
      throw error;
    },
  };
}
