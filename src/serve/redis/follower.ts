import { errorEnd, logError, ServeError } from "../errors.js";
import { LoggedRun } from "../log/logged-run.js";
import { endOf, patchesOf, type StreamReply, valueOf } from "./reply.js";
import { readScript } from "./scripts.js";
import type { RedisNames, RedisStore } from "./store.js";
import type { MessageHandler } from "./subscriptions.js";
import { isInstance } from "../../text/thrown.js";

/**
 * A run produced on another machine, shared by all readers on this one. It is read from Redis when a message announces
 * new patches, and when the lease of its producer ends.
 */
export class Follower {
  private readonly id: string;
  private readonly store: RedisStore;
  private readonly names: RedisNames;
  private readonly onOver: (follower: Follower) => void;
  private readonly opened: Promise<void>;
  private run: LoggedRun | undefined;
  /** Why the run cannot be read. */
  private failure: ServeError | undefined;
  private over = false;
  private readers = 0;
  /** The current read, and the next one, which all requests made meanwhile share. */
  private reading: Promise<void> = Promise.resolve();
  private nextReading: Promise<void> | undefined;
  private timer: unknown;

  constructor(store: RedisStore, id: string, onOver: (follower: Follower) => void) {
    this.store = store;
    this.id = id;
    this.names = store.namesOf(id);
    this.onOver = onOver;
    this.opened = this.open();
  }

  /**
   * Returns the run with everything in Redis so far.
   *
   * @throws {ServeError} `unknown_run`, `log_unavailable`
   */
  async join(): Promise<LoggedRun> {
    const isFirst = this.readers++ === 0;
    await this.opened;
    if (!isFirst) await this.refresh();
    if (this.run === undefined) throw this.failure ?? logError("log_unavailable");
    return this.run;
  }

  leave(): void {
    if (--this.readers === 0) this.close();
  }

  /** Ends the run for all readers. */
  fail(error: ServeError): void {
    this.failure = error;
    if (this.run !== undefined) this.run.end ??= errorEnd(error);
    this.close();
    this.run?.wake();
  }

  private async open(): Promise<void> {
    await this.refresh();
    if (!this.over) await this.listen(); // a finished run needs no subscription
  }

  private async listen(): Promise<void> {
    try {
      await this.store.subscribe(this.names.readers, this.onMessage);
    } catch (error) {
      this.fail(error as ServeError);
    }
    // It may have been closed meanwhile.
    if (this.over) this.store.subscriptions.remove(this.names.readers, this.onMessage);
    else await this.refresh(); // patches may have arrived meanwhile
  }

  private refresh(): Promise<void> {
    return (this.nextReading ??= this.reading.then(() => {
      this.nextReading = undefined;
      return (this.reading = this.read());
    }));
  }

  /** Never rejects. An error ends the run for all readers. */
  private async read(): Promise<void> {
    if (this.over) return;
    try {
      const known = [this.run?.token ?? "", this.run?.length ?? 0];
      this.take((await this.store.run(readScript, this.names, known)) as StreamReply);
    } catch (error) {
      this.fail(isInstance(error, ServeError) ? error : logError("run_lost", { cause: error }));
    }
  }

  private take(answer: StreamReply | readonly []): void {
    if (this.over) return; // closed during the read
    if (answer.length === 0) throw logError(this.run === undefined ? "unknown_run" : "run_lost");
    const [token, length, end, left, before, at, value, kept] = answer;
    if (this.run !== undefined && token !== this.run.token) throw logError("expired");
    const patches = patchesOf(kept);
    if (Number(before) + patches.length !== Number(length)) throw logError("run_lost");
    const run = (this.run ??= new LoggedRun(this.id, token, this.store.options.window));
    if (at === "") for (const patch of patches) run.append(patch);
    else run.restart({ before: Number(before), at: Number(at), value: valueOf(value) }, patches);

    if (end === "" && Number(left) > 0) {
      this.arm(Number(left));
      return;
    }
    run.end = end === "" ? errorEnd(logError("run_lost")) : endOf(end);
    this.close();
    run.wake();
  }

  /** Reads again when the lease ends. By then the producer may have renewed it. */
  private arm(left: number): void {
    const { clock } = this.store.options;
    clock.clearTimeout(this.timer);
    this.timer = clock.setTimeout(() => void this.refresh(), left + 1);
  }

  private readonly onMessage: MessageHandler = (message) => {
    if (message?.kind !== "expired") void this.refresh();
    else if (message.token === this.run?.token) this.fail(logError("expired"));
  };

  private close(): void {
    if (this.over) return;
    this.over = true;
    this.store.options.clock.clearTimeout(this.timer);
    this.store.subscriptions.remove(this.names.readers, this.onMessage);
    this.onOver(this);
  }
}
