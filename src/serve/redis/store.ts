import type { Connection } from "./connection.js";
import { type RetryUntilAnsweredOptions, retryUntilAnswered } from "./retry.js";
import type { RedisScript } from "./scripts.js";
import type { MessageHandler, Subscriptions } from "./subscriptions.js";
import { isInstance } from "../../text/thrown.js";

/** Shared by the runs of one log: key names, scripts, channels and retries. */
export class RedisStore {
  readonly options: StoreOptions;
  readonly subscriptions: Subscriptions;
  private readonly connection: Connection;
  private readonly hashes = new Map<RedisScript, string>();

  constructor(connection: Connection, subscriptions: Subscriptions, options: StoreOptions) {
    this.connection = connection;
    this.subscriptions = subscriptions;
    this.options = options;
  }

  namesOf(id: string): RedisNames {
    const { prefix } = this.options;
    const run = `${prefix}run:${encodeId(id)}`;
    return {
      keys: [run, `${run}:patches`, `${prefix}runs`],
      readers: `${run}:readers`,
      producer: `${run}:producer`,
    };
  }

  /** @throws {ServeError} `log_unavailable` */
  run(script: RedisScript, { keys }: RedisNames, args: readonly (string | number)[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    return retryUntilAnswered(() => this.evaluate(script, rest), this.options);
  }

  /** Runs a script that replies with a single string. */
  async ask(script: RedisScript, names: RedisNames, args: readonly (string | number)[]): Promise<string> {
    return String(await this.run(script, names, args));
  }

  /** @throws {ServeError} `log_unavailable` */
  subscribe(channel: string, onMessage: MessageHandler): Promise<void> {
    return retryUntilAnswered(() => this.subscriptions.add(channel, onMessage), this.options);
  }

  private async evaluate(script: RedisScript, rest: readonly string[]): Promise<unknown> {
    let hash = this.hashes.get(script);
    if (hash === undefined) {
      hash = String(await this.connection.command("SCRIPT", "LOAD", script));
      this.hashes.set(script, hash);
    }
    try {
      return await this.connection.command("EVALSHA", hash, ...rest);
    } catch (error) {
      // A restarted Redis has lost its scripts. EVAL stores this one again.
      if (!isInstance(error, Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return this.connection.command("EVAL", script, ...rest);
    }
  }
}

/**
 * Encodes an id so that no two ids share a key: a colon, as in the id `v:patches`, would make the key of another run.
 * Common ids stay as they are. Encodes UTF-16 code units, because lone surrogates would all become the same UTF-8.
 */
export function encodeId(id: string): string {
  return id.replaceAll(/[^\w.~-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The options of `redisLog()` with all defaults applied. */
export interface StoreOptions extends RetryUntilAnsweredOptions {
  readonly prefix: string;
  readonly ttl: number;
  readonly lease: number;
  readonly maxRuns: number;
  readonly window: number;
  readonly createToken: () => string;
}

/** The keys and channels of a run. */
export interface RedisNames {
  readonly keys: readonly string[];
  /** The channel that announces new patches to readers. */
  readonly readers: string;
  /** The channel that tells the producer to stop. */
  readonly producer: string;
}
