import type { Connection, Listener, MessageConnection } from "./connection.js";
import { noop } from "../../stream/core/result.js";
import { getOrInsert } from "../../tree/made-once.js";

/** The channels of a log. They share one connection, opened with the first subscription. */
export class Subscriptions implements Listener {
  private readonly connection: Connection;
  private readonly handlers = new Map<string, Set<MessageHandler>>();
  private listening: MessageConnection | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Resolves once no later message can be missed. Adding a handler twice has no effect. */
  async add(channel: string, onMessage: MessageHandler): Promise<void> {
    this.listening ??= this.connection.listen(this);
    getOrInsert(this.handlers, channel, () => new Set()).add(onMessage);
    await this.listening.subscribe(channel);
    if (!this.handlers.has(channel)) this.unsubscribe(channel); // removed meanwhile
  }

  remove(channel: string, onMessage: MessageHandler): void {
    const all = this.handlers.get(channel);
    if (all?.delete(onMessage) !== true || all.size > 0) return;
    this.handlers.delete(channel);
    this.unsubscribe(channel);
  }

  message(channel: string, text: string): void {
    const [kind = "", token = ""] = text.split(/ (.*)/s);
    for (const onMessage of [...(this.handlers.get(channel) ?? [])]) onMessage({ kind, token });
  }

  reconnected(): void {
    for (const all of [...this.handlers.values()]) for (const onMessage of [...all]) onMessage(undefined);
  }

  close(): void {
    this.listening?.close();
    this.handlers.clear();
  }

  private unsubscribe(channel: string): void {
    // A failure means that the connection is lost, and its subscriptions with it.
    this.listening?.unsubscribe(channel).catch(noop);
  }
}

/** Receives the messages of a channel, or `undefined` if messages may have been missed. */
export type MessageHandler = (message: PublishedMessage | undefined) => void;

/** A message on a channel. The token tells runs with the same id apart. */
export interface PublishedMessage {
  readonly kind: string;
  readonly token: string;
}
