import { noop } from "../../stream/core/result.js";

/**
 * What `redisLog()` needs of a client of the package `redis`, version 5 or later: connected, and with a listener for its
 * `error` events, which else end the process.
 */
export interface NodeRedisClient {
  sendCommand(args: readonly string[], options: { typeMapping: Record<number, never> }): Promise<unknown>;
  duplicate(overrides?: { disableOfflineQueue?: boolean }): NodeRedisDuplicate;
}

/** What `duplicate()` of the package `redis` gives. */
export interface NodeRedisDuplicate {
  on(event: "error" | "ready", listener: () => void): unknown;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string, channel: string) => void): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  destroy(): void;
}

/** What `redisLog()` needs of a client of the package `ioredis`, version 5 or later. */
export interface IoRedisClient {
  call(command: string, args: string[]): Promise<unknown>;
  duplicate(override?: { autoResubscribe?: boolean; enableOfflineQueue?: boolean }): IoRedisDuplicate;
}

/** What `duplicate()` of the package `ioredis` gives. */
export interface IoRedisDuplicate {
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
  on(event: "error" | "ready", listener: () => void): unknown;
  subscribe(...channels: string[]): Promise<unknown>;
  unsubscribe(...channels: string[]): Promise<unknown>;
  disconnect(): void;
}

/** A client of either package. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** A client, as the log sees it. */
export interface Connection {
  command(name: string, ...args: string[]): Promise<unknown>;
  /** Opens a connection for messages, as one that listens can do nothing else. It comes back by itself when it is lost. */
  listen(listener: Listener): MessageConnection;
}

/** Who hears of messages. */
export interface Listener {
  message(channel: string, message: string): void;
  /** The connection was lost, is there again, and has all its channels: messages may have been missed. */
  reconnected(): void;
}

/** A connection for messages. */
export interface MessageConnection {
  /** Resolves when no message on the channel is missed from here on. */
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  close(): void;
}

/** Tells the two apart by their methods, so that neither package is imported. */
export function connectionOf(client: RedisClient): Connection {
  if ("call" in client && typeof client.call === "function") return ofIoRedis(client);
  if ("sendCommand" in client && typeof client.sendCommand === "function") return ofNodeRedis(client);
  throw new TypeError("redisLog() takes a client of the package redis or ioredis.");
}

function ofNodeRedis(client: NodeRedisClient): Connection {
  return {
    // Texts, also from a client that is told to give buffers.
    command: (name, ...args) => client.sendCommand([name, ...args], { typeMapping: {} }),
    listen(listener) {
      const own = client.duplicate({ disableOfflineQueue: false });
      own.on("error", noop); // the client's own listener hears of the same server
      const onMessage = (text: string, channel: string): void => {
        listener.message(channel, text);
      };
      let connecting: Promise<unknown> | undefined;
      // It is ready when it has subscribed to its channels again.
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
          await own.subscribe(channel, onMessage);
        },
        unsubscribe: (channel) => own.unsubscribe(channel),
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
      // Not its own autoResubscribe, which does not say when it is done.
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
