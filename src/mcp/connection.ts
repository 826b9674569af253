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

/**
 * Sends requests. If one fails because there is no connection, it connects again and sends it once more: a request that
 * the server may have begun to work on only if it is `repeatable`.
 */
export class McpConnection {
  private client: McpClient;
  private readonly reconnect: Reconnect | undefined;
  private readonly onConnected: (client: McpClient) => void;
  /** Counts the connections, so that requests that fail together connect once. */
  private generation = 0;
  private reconnecting: Promise<void> | undefined;

  /** @param onConnected called with the client of each new connection, except the first */
  constructor(client: McpClient, reconnect: Reconnect | undefined, onConnected: (client: McpClient) => void) {
    this.client = client;
    this.reconnect = reconnect;
    this.onConnected = onConnected;
  }

  /** @throws {McpToolsError} after an error of the client; the reason of the signal if that is aborted */
  async request(sending: Sending): Promise<unknown> {
    const { signal, tool, repeatable = false } = sending;
    await this.reconnecting; // it does not reject
    const { generation } = this;
    try {
      return await this.sendOnce(sending);
    } catch (thrown) {
      signal?.throwIfAborted();
      const { error, ran } = requestFailure(thrown, tool);
      if (this.reconnect === undefined || !(ran === "never" || (ran === "maybe" && repeatable))) throw error;
      if (generation === this.generation && !(await this.connectAgain())) throw error;
      signal?.throwIfAborted();
    }
    try {
      return await this.sendOnce(sending);
    } catch (thrown) {
      signal?.throwIfAborted();
      throw requestFailure(thrown, tool).error;
    }
  }

  /** Tells the server of a cancelled call, but not why: the reason is a value of the program. */
  private async sendOnce({ send, signal }: Sending): Promise<unknown> {
    if (signal === undefined) return send(this.client, undefined);
    signal.throwIfAborted();
    const controller = new AbortController();
    const remove = onAbort(signal, () => {
      controller.abort("The call is no longer needed.");
    });
    try {
      return await send(this.client, controller.signal);
    } finally {
      remove();
    }
  }

  /** Resolves to whether there is a new connection. */
  private async connectAgain(): Promise<boolean> {
    const { generation } = this;
    this.reconnecting ??= this.renew().finally(() => {
      this.reconnecting = undefined;
    });
    await this.reconnecting;
    return this.generation !== generation;
  }

  private async renew(): Promise<void> {
    try {
      const client = await this.reconnect?.();
      if (client !== undefined && client !== null) this.client = client;
    } catch {
      return; // the request fails with the error that it had
    }
    this.generation++;
    this.onConnected(this.client);
  }
}
