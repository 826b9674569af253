import type { PatchEnd } from "../../json/patch/patch-entry.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { errorEnd, logError, ServeError } from "../errors.js";
import { LoggedRun } from "../log/logged-run.js";
import { read } from "./scripts.js";
import type { Names, Store } from "./store.js";
import type { MessageHandler } from "./subscriptions.js";

/**
 * A run that is produced elsewhere, as all its readers on this machine see it: read from Redis once, when a message says
 * that there is more, and when the lease of its producer is over.
 */
export class Follower {
  private readonly id: string;
  private readonly store: Store;
  private readonly names: Names;
  private readonly onOver: (follower: Follower) => void;
  private readonly opened: Promise<void>;
  private run: LoggedRun | undefined;
  /** Why there is no run to be read. */
  private failure: ServeError | undefined;
  private over = false;
  private seats = 0;
  /** The reading that goes on, and the one after it, which all wait for who ask meanwhile. */
  private reading: Promise<void> = Promise.resolve();
  private nextReading: Promise<void> | undefined;
  private timer: unknown;

  constructor(store: Store, id: string, onOver: (follower: Follower) => void) {
    this.store = store;
    this.id = id;
    this.names = store.namesOf(id);
    this.onOver = onOver;
    this.opened = this.open();
  }

  /**
   * The run, with all that is in Redis by now.
   *
   * @throws {ServeError} `unknown_run`, `log_unavailable`
   */
  async join(): Promise<LoggedRun> {
    const isFirst = this.seats++ === 0;
    await this.opened;
    if (!isFirst) await this.refresh();
    if (this.run === undefined) throw this.failure ?? logError("log_unavailable");
    return this.run;
  }

  leave(): void {
    if (--this.seats === 0) this.close();
  }

  /** Ends it for all its readers. */
  fail(error: ServeError): void {
    this.failure = error;
    if (this.run !== undefined) this.run.end ??= errorEnd(error);
    this.close();
    this.run?.wake();
  }

  private async open(): Promise<void> {
    await this.refresh();
    if (!this.over) await this.listen(); // a run that has ended needs no subscription
  }

  private async listen(): Promise<void> {
    try {
      await this.store.subscribe(this.names.readers, this.onMessage);
    } catch (error) {
      this.fail(error as ServeError);
    }
    // It may have been closed meanwhile.
    if (this.over) this.store.subscriptions.remove(this.names.readers, this.onMessage);
    else await this.refresh(); // there may be more by now
  }

  private refresh(): Promise<void> {
    return (this.nextReading ??= this.reading.then(() => {
      this.nextReading = undefined;
      return (this.reading = this.read());
    }));
  }

  /** Never rejects: an error ends the run for all its readers. */
  private async read(): Promise<void> {
    if (this.over) return;
    try {
      const known = [this.run?.token ?? "", this.run?.length ?? 0];
      this.take((await this.store.run(read, this.names, known)) as Answer);
    } catch (error) {
      this.fail(error instanceof ServeError ? error : logError("run_lost", { cause: error }));
    }
  }

  private take(answer: Answer | readonly []): void {
    if (this.over) return; // closed while we asked
    if (answer.length === 0) throw logError(this.run === undefined ? "unknown_run" : "run_lost");
    const [token, length, end, left, before, at, value, kept] = answer;
    if (this.run !== undefined && token !== this.run.token) throw logError("expired");
    const patches = kept.map((text) => JSON.parse(text) as JsonPatch);
    if (Number(before) + patches.length !== Number(length)) throw logError("run_lost");
    const run = (this.run ??= new LoggedRun(this.id, token, this.store.options.window));
    if (at === "") for (const patch of patches) run.append(patch);
    else run.restart({ before: Number(before), at: Number(at), value: valueOf(value) }, patches);

    if (end === "" && Number(left) > 0) {
      this.arm(Number(left));
      return;
    }
    run.end = end === "" ? errorEnd(logError("run_lost")) : (JSON.parse(end) as PatchEnd);
    this.close();
    run.wake();
  }

  /** Looks again when the lease is over, unless the producer has made it longer by then. */
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

/** What the script `read` answers with. */
type Answer = readonly [
  token: string,
  length: string,
  end: string,
  left: string,
  before: string,
  at: string,
  value: string,
  kept: readonly string[],
];

function valueOf(text: string): JsonValue | undefined {
  return text === "" ? undefined : (JSON.parse(text) as JsonValue);
}
