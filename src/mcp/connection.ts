import { onAbort } from "../stream/time/on-abort.js";
import type { McpClient } from "./client.js";
import { requestFailure } from "./failure.js";

/** Connects again. Returns another client, or nothing for the same one. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function that only connects returns void
export type Reconnect = () => PromiseLike<McpClient | undefined | void>;

/** How a request is sent. */
export interface Sending {
  readonly send: (client: McpClient, signal: AbortSignal | undefined) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
  /** The tool that is called, for errors. */
  readonly tool?: string;
  /** Whether it is sent again although the server may have begun to work on it. */
  readonly repeatable?: boolean;
}

/** @throws {McpToolsError} after an error of the client; the reason of the signal if that is aborted */
export type SendRequest = (sending: Sending) => Promise<unknown>;

/**
 * Sends requests. If one fails because there is no connection, it connects again and sends it once more: a request that
 * the server may have begun to work on only if it is `repeatable`.
 *
 * @param onConnected called with the client of each new connection, except the first
 */
export function requestsTo(
  first: McpClient,
  reconnect: Reconnect | undefined,
  onConnected: (client: McpClient) => void,
): SendRequest {
  let client = first;
  /** Counts the connections, so that requests that fail together connect once. */
  let generation = 0;
  let reconnecting: Promise<void> | undefined;

  const renew = async (): Promise<void> => {
    try {
      client = (await reconnect?.()) ?? client;
    } catch {
      return; // the request fails with the error that it had
    }
    generation++;
    onConnected(client);
  };
  /** Resolves to whether there is a new connection. */
  const connectAgain = async (): Promise<boolean> => {
    const before = generation;
    reconnecting ??= renew().finally(() => {
      reconnecting = undefined;
    });
    await reconnecting;
    return generation !== before;
  };
  return async (sending) => {
    const { signal, tool, repeatable = false } = sending;
    await reconnecting; // it does not reject
    for (let attempt = 1; ; attempt++) {
      const before = generation;
      try {
        return await sendOnce(client, sending);
      } catch (thrown) {
        signal?.throwIfAborted();
        const { error, ran } = requestFailure(thrown, tool);
        const mayRepeat = ran === "never" || (ran === "maybe" && repeatable);
        if (attempt > 1 || reconnect === undefined || !mayRepeat) throw error;
        if (before === generation && !(await connectAgain())) throw error;
        signal?.throwIfAborted();
      }
    }
  };
}

/** Tells the server of a cancelled call, but not why: the reason is a value of the program. */
async function sendOnce(client: McpClient, { send, signal }: Sending): Promise<unknown> {
  if (signal === undefined) return send(client, undefined);
  signal.throwIfAborted();
  const controller = new AbortController();
  const remove = onAbort(signal, () => {
    controller.abort("The call is no longer needed.");
  });
  try {
    return await send(client, controller.signal);
  } finally {
    remove();
  }
}
