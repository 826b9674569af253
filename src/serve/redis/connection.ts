import { noop } from "../../stream/core/result.js";
import { fieldOf, hasMethod } from "../../text/thrown.js";

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

/**
 * Recognises the client by its methods, so that neither package is imported.
 *
 * @param caller the function that needs it: `redisThreads()` only sends commands, each to one slot of a cluster
 * @throws {TypeError} if the client is another one
 */
export function connectionOf(
  client: RedisClient | Pick<IoRedisClient, "call">,
  caller: "redisLog()" | "redisThreads()",
): Connection {
  const has = (name: string): boolean => hasMethod(client, name);
  const isLog = caller === "redisLog()";
  // A cluster, or a pool, which cannot be duplicated.
  const isOne = fieldOf(client, "isCluster") !== true && has("duplicate");
  if (isOne || !isLog) {
    if (has("call")) return ofIoRedis(client as IoRedisClient);
    // The sendCommand() of createCluster() and of createSentinel() has other parameters.
    if (has("sendCommand") && !has("nodeClient") && !has("acquire"))
      return ofNodeRedis(client as NodeRedisClient);
  }
  const clusters = isLog ? "no clusters, and" : "clusters and";
  throw new TypeError(
    `${caller} needs \`new Redis()\` of ioredis or \`createClient()\` of redis: ${clusters} sentinels only with ioredis.`,
  );
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
