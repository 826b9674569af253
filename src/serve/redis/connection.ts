import { noop } from "../../stream/core/result.js";

/**
 * The part of a client of the package `redis` (version 5 or later) that `redisLog()` uses. The client must be connected
 * and have a listener for `error` events, because Node ends the process without one.
 */
export interface NodeRedisClient {
  sendCommand(args: readonly string[], options: { typeMapping: Record<number, never> }): Promise<unknown>;
  duplicate(overrides?: { disableOfflineQueue?: boolean }): NodeRedisDuplicate;
}

/** The result of `duplicate()` of the package `redis`. */
export interface NodeRedisDuplicate {
  on(event: "error" | "ready", listener: () => void): unknown;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  destroy(): void;
}

/** The part of a client of the package `ioredis` (version 5 or later) that `redisLog()` uses. */
export interface IoRedisClient {
  call(command: string, args: string[]): Promise<unknown>;
  duplicate(override?: { autoResubscribe?: boolean; enableOfflineQueue?: boolean }): IoRedisDuplicate;
}

/** The result of `duplicate()` of the package `ioredis`. */
export interface IoRedisDuplicate {
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
  on(event: "error" | "ready", listener: () => void): unknown;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
  disconnect(): void;
}

/** A client of either package. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** The common interface of both clients. */
export interface Connection {
  command(name: string, ...args: string[]): Promise<unknown>;
  /**
   * Opens a separate connection for messages: a subscribed connection accepts no other commands. Reconnects by itself.
   */
  listen(listener: Listener): MessageConnection;
}

export interface Listener {
  message(channel: string, message: string): void;
  /** The connection was lost and restored with all its channels. Messages may have been missed. */
  reconnected(): void;
}

export interface MessageConnection {
  /** Resolves once no later message on the channel can be missed. */
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** Recognises the client by its methods, so that neither package is imported. */
export function connectionOf(client: RedisClient): Connection {
  if ("call" in client && typeof client.call === "function") return ofIoRedis(client);
  if ("sendCommand" in client && typeof client.sendCommand === "function") return ofNodeRedis(client);
  throw new TypeError("redisLog() needs a client of the package redis or ioredis.");
}

function ofNodeRedis(client: NodeRedisClient): Connection {
  return {
    // Returns strings, even if the client is configured to return buffers.
    command: (name, ...args) => client.sendCommand([name, ...args], { typeMapping: {} }),
    listen(listener) {
      const own = client.duplicate({ disableOfflineQueue: false });
      own.on("error", noop); // the original client reports errors of the same server
      const forward = (text: string, channel: string): void => {
        listener.message(channel, text);
      };
      let connecting: Promise<unknown> | undefined;
      // Emitted after it has subscribed to its channels again.
      own.on("ready", () => {
        listener.reconnected();
      });
      const connect = async (): Promise<void> => {
        connecting ??= own.connect().catch((error: unknown) => {
          connecting = undefined;
          throw error;
        });
        await connecting;
      };
      return {
        subscribe: async (channel) => {
          await connect();
          await own.subscribe(channel, forward);
        },
        // Without the listener, the client would lose one that subscribes before the answer.
        unsubscribe: (channel) => own.unsubscribe(channel, forward),
        close: () => {
          if (connecting !== undefined) own.destroy();
        },
      };
    },
  };
}

function ofIoRedis(client: IoRedisClient): Connection {
  return {
    command: (name, ...args) => client.call(name, args),
    listen(listener) {
      const own = client.duplicate({ autoResubscribe: false, enableOfflineQueue: true });
      const channels = new Set<string>();
      const reconnected = (): void => {
        listener.reconnected();
      };
      own.on("error", noop);
      own.on("message", (channel, message) => {
        listener.message(channel, message);
      });
      // Instead of autoResubscribe, which does not report completion.
      own.on("ready", () => {
        if (channels.size > 0) own.subscribe(...channels).then(reconnected, noop);
      });
      return {
        subscribe: (channel) => {
          channels.add(channel);
          return own.subscribe(channel);
        },
        unsubscribe: (channel) => {
          channels.delete(channel);
          return own.unsubscribe(channel);
        },
        close: () => {
          own.disconnect();
        },
      };
    },
  };
}
