import type { PatchEnd } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { errorEnd, stopped, logError, type ServeError, type ServeErrorCode } from "../errors.js";
import { LoggedRun } from "../log/logged-run.js";
import type { LogWriter } from "../log/stream-log.js";
import { endOf, patchesOf, type StreamReply, valueOf } from "./reply.js";
import { createScript, readScript, type RedisScript, takeOverScript, writeScript } from "./scripts.js";
import type { RedisNames, RedisStore } from "./store.js";
import type { MessageHandler } from "./subscriptions.js";
import { noop } from "../../stream/core/result.js";

/** Maximum number of patches per command. */
const batch = 1_000;

/**
 * Writes a run to Redis. It also keeps the written patches in `run`: readers on the same machine need no request to
 * Redis, and it can compute the value that replaces trimmed patches.
 */
export class RedisWriter implements LogWriter {
  run: LoggedRun;
  private readonly store: RedisStore;
  private readonly names: RedisNames;
  private readonly onOver: (writer: RedisWriter) => void;
  private readonly lease: number;
  /** Distinguishes this writer from others of the same run. */
  private readonly mark = crypto.randomUUID();
  private readonly patches: { readonly patch: readonly AnyPatchOperation[]; readonly text: string }[] = [];
  /** One command at a time keeps patches in order. Patches that arrive meanwhile are sent together. */
  private writing: Promise<void> = Promise.resolve();
  /** Number of patches trimmed in Redis. */
  private before = 0;
  private timer: unknown;
  /** May another writer continue the run? */
  private hasNext = false;

  /** @param lease how long the run stays active without a renewal */
  constructor(store: RedisStore, id: string, lease: number, onOver: (writer: RedisWriter) => void) {
    this.store = store;
    this.names = store.namesOf(id);
    this.run = new LoggedRun(id, store.options.createToken(), store.options.window);
    this.lease = lease;
    this.onOver = onOver;
  }

  get origin(): string {
    return this.run.origin;
  }

  get signal(): AbortSignal {
    return this.run.controller.signal;
  }

  /** @throws {ServeError} `id_taken`, `too_many_runs`, `log_unavailable` */
  create(): Promise<void> {
    return this.open(createScript);
  }

  /** @throws {ServeError} `too_many_runs`, `log_unavailable` */
  takeOver(): Promise<void> {
    this.hasNext = true;
    return this.open(takeOverScript, () => this.load());
  }

  private async open(script: RedisScript, load?: () => Promise<void>): Promise<void> {
    const { ttl, maxRuns } = this.store.options;
    try {
      await this.store.subscribe(this.names.producer, this.onMessage);
      const args = [this.run.token, this.writer, this.lease, ttl, maxRuns];
      const answer = await this.store.ask(script, this.names, args);
      if (answer !== "ok") throw logError(answer as ServeErrorCode);
      await load?.();
    } catch (error) {
      this.store.subscriptions.remove(this.names.producer, this.onMessage);
      throw error;
    }
    if (this.run.end === undefined) this.arm();
  }

  /** Reads what writers before have written. */
  private async load(): Promise<void> {
    const reply = (await this.store.run(readScript, this.names, ["", 0])) as StreamReply | readonly [];
    if (reply.length === 0) throw logError("run_lost");
    const [token, , end, , before, at, value, kept] = reply;
    const { id, controller } = this.run;
    this.run = new LoggedRun(id, token, this.store.options.window);
    this.run.controller = controller;
    this.before = Number(before);
    const start = { before: this.before, at: Number(at === "" ? before : at), value: valueOf(value) };
    this.run.restart(start, patchesOf(kept));
    if (end !== "") this.finish(endOf(end));
    // A message before had a token that was not known yet. The answer says whether the run has ended since.
    await this.write();
  }

  /** Rejects for a patch that JSON cannot express. The run goes on, so that its producer can end it. */
  async append(patch: readonly AnyPatchOperation[]): Promise<void> {
    if (this.run.end !== undefined) return;
    this.patches.push({ patch, text: JSON.stringify(patch) });
    await this.inTurn(() => (this.patches.length > 0 ? this.write() : Promise.resolve()));
  }

  end(end: PatchEnd): Promise<void> {
    return this.inTurn(() => this.write(end));
  }

  /** Ends the run because its producer goes away. */
  async abandon(): Promise<void> {
    const error = logError("run_lost");
    this.run.controller.abort(error);
    await this.end(errorEnd(error)).catch(noop);
  }

  /** Stops writing. A run that was taken over continues with the next writer. */
  leave(): void {
    this.fail(logError("log_unavailable"));
  }

  private get writer(): string {
    return `${this.run.token}/${this.mark}`;
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    this.writing = this.writing.catch(noop).then(step);
    return this.writing;
  }

  private async write(end?: PatchEnd): Promise<void> {
    const { run, names, store } = this;
    if (run.end !== undefined) return;
    const { ttl } = store.options;
    const patches = this.patches.splice(0, end === undefined ? batch : Infinity);
    const { before, at, value } = run.base;
    let answer: string;
    let ended: PatchEnd | undefined;
    try {
      const head = [this.writer, this.lease, ttl, names.readers, run.length];
      const trim =
        before > this.before ? [before, at, value === undefined ? "" : JSON.stringify(value)] : noTrim;
      const last = end === undefined ? "" : JSON.stringify(end);
      answer = await store.ask(writeScript, names, [
        ...head,
        last,
        ...trim,
        this.hasNext ? "" : endOfLost,
        ...patches.map(({ text }) => text),
      ]);
      if (!["ok", "run_lost", "taken_over"].includes(answer)) ended = endOf(answer);
    } catch (error) {
      this.fail(error as ServeError);
      throw error;
    }
    if (answer === "run_lost" || answer === "taken_over") {
      const error = logError(answer);
      this.fail(error);
      throw error;
    }
    if (ended !== undefined) {
      run.controller.abort();
      this.finish(ended);
      return;
    }
    this.before = before;
    for (const { patch } of patches) run.append(patch);
    if (end !== undefined) this.finish(end);
  }

  /** Renews the lease while the model is silent. */
  private arm(): void {
    const { clock } = this.store.options;
    this.timer = clock.setTimeout(() => {
      this.inTurn(() => this.write()).then(() => {
        if (this.run.end === undefined) this.arm();
      }, noop);
    }, this.lease / 3);
  }

  private readonly onMessage: MessageHandler = (message) => {
    if (message === undefined) {
      // Before the run exists, a missed message concerns another run.
      if (this.timer !== undefined) this.inTurn(() => this.write()).catch(noop);
    } else if (message.token === this.run.token && this.run.end === undefined) {
      this.run.controller.abort();
      this.finish(message.kind === "stopped" ? stopped : errorEnd(logError("expired")));
    }
  };

  private fail(error: ServeError): void {
    this.run.controller.abort(error);
    this.finish(errorEnd(error));
  }

  private finish(end: PatchEnd): void {
    const { run, store } = this;
    if (run.end !== undefined) return;
    run.end = end;
    store.options.clock.clearTimeout(this.timer);
    store.subscriptions.remove(this.names.producer, this.onMessage);
    this.onOver(this);
    run.wake();
  }
}

const noTrim = ["", "", ""];
const endOfLost = JSON.stringify(errorEnd(logError("run_lost")));
