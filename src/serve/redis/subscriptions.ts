import type { Connection, Listener, MessageConnection } from "./connection.js";
import { noop } from "../../stream/core/result.js";

/** The channels that a log listens to, on one connection of their own, opened with the first. */
export class Subscriptions implements Listener {
  private readonly connection: Connection;
  private readonly heard = new Map<string, Set<MessageHandler>>();
  private listening: MessageConnection | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Resolves when no message is missed from here on. Again for the same channel, it only waits. */
  async add(channel: string, onMessage: MessageHandler): Promise<void> {
    this.listening ??= this.connection.listen(this);
    const all = this.heard.get(channel) ?? new Set();
    this.heard.set(channel, all.add(onMessage));
    await this.listening.subscribe(channel);
    if (!this.heard.has(channel)) this.unsubscribe(channel); // removed meanwhile
  }

  remove(channel: string, onMessage: MessageHandler): void {
    const all = this.heard.get(channel);
    if (all?.delete(onMessage) !== true || all.size > 0) return;
    this.heard.delete(channel);
    this.unsubscribe(channel);
  }

  message(channel: string, text: string): void {
    const [kind = "", token = ""] = text.split(/ (.*)/s);
    for (const onMessage of [...(this.heard.get(channel) ?? [])]) onMessage({ kind, token });
  }

  reconnected(): void {
    for (const all of [...this.heard.values()]) for (const onMessage of [...all]) onMessage(undefined);
  }

  close(): void {
    this.listening?.close();
    this.heard.clear();
  }

  private unsubscribe(channel: string): void {
    // If it fails, the connection is lost, and the channel with it.
    this.listening?.unsubscribe(channel).catch(noop);
  }
}

/** Hears of what came on a channel; of nothing, if something may have been missed. */
export type MessageHandler = (message: Message | undefined) => void;

/** What is said on a channel, and of which run of the id. */
export interface Message {
  readonly kind: string;
  readonly token: string;
}
