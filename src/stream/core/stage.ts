import type { Operator } from "../operator.js";
import { Queue } from "./queue.js";
import { none, ready, type ReadyIterator } from "./ready.js";
import { Upstream } from "./upstream.js";
import { done, noop, rejectAfter, type StreamResult } from "./result.js";

/**
 * The one primitive behind every synchronous stage. A stage is a *step*: it looks at one item and emits none, one or
 * many. The iterator below owns all that is easy to get wrong (closing once, errors as they came, never two pulls at a
 * time), so that each operator is only its step.
 *
 * Neighbouring stages fuse: a stage applied to a stage adds its step to the chain instead of putting a second iterator
 * around the first. A chain costs one promise an item, however many steps it has (docs/performance.md).
 *
 * @param create makes the state of one iteration. It is called when the stream is opened, so that one operator may be
 *   applied to many sources, and one stream iterated more than once where its source allows it.
 */
export function stage<In, Out>(create: CreateStep<In, Out>): Operator<In, Out> {
  return (source) =>
    source instanceof Stages
      ? new Stages<Out>(source.source, [...source.steps, create as CreateAnyStep])
      : new Stages<Out>(source, [create as CreateAnyStep]);
}

/**
 * Makes the state of one iteration of a stage, and the step over it.
 *
 * @param emit hands an item on; may be called any number of times for one input. The steps behind run within the call and
 *   what they throw comes out of it: keep it out of a `try` that is about the step's own work.
 * @param stop ends the stream after what was emitted: the source is closed at once and not asked again. A step that
 *   stops must ignore what it is still given.
 * @param wait for a step that needs time: neither the next pull nor the end comes before the promise has settled. What
 *   is emitted until then counts as the step's output, and its rejection as the step's error.
 */
export type CreateStep<In, Out> = (
  emit: (value: Out) => void,
  stop: () => void,
  wait: (work: Promise<void>) => void,
) => Step<In>;

/** Its functions are called without `this`. */
export interface Step<In> {
  readonly next: (value: In) => void;
  /** The source has ended: the last chance to emit. Not called after an error or an early close. */
  readonly end?: () => void;
}

type CreateAnyStep = CreateStep<unknown, unknown>;

class Stages<Out> implements AsyncIterable<Out> {
  readonly source: AsyncIterable<unknown>;
  readonly steps: readonly CreateAnyStep[];

  constructor(source: AsyncIterable<unknown>, steps: readonly CreateAnyStep[]) {
    this.source = source;
    this.steps = steps;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Out, undefined, undefined> {
    return new StageIterator<Out>(this.source, this.steps);
  }
}

type Answer<T> = (result: StreamResult<T> | Promise<StreamResult<T>>) => void;

class StageIterator<Out> implements AsyncIterableIterator<Out, undefined, undefined>, ReadyIterator<Out> {
  private readonly upstream: Upstream<unknown>;
  private readonly step: (value: unknown) => void;
  private readonly endSteps: () => void;

  /** What the last pull gave. The first item has a field of its own, as one in, one out is the common case. */
  private slot: Out | typeof none = none;
  private readonly queue = new Queue<Out>();

  /** Nothing more will be pulled. What was emitted is still delivered, then `failure`, then done. */
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private closing: Promise<void> | undefined;

  /** Closed by the consumer, who wants nothing more. */
  private returned = false;
  /** What steps have asked to wait for in the pull under way. */
  private work: Promise<void> | undefined;

  private pulling = false;
  /** Settles the promise of that pull. */
  private answer: Answer<Out> = noop;
  /** Callers of `next()` while a pull is under way stand in line, as they do at an async generator. */
  private readonly line = new Queue<Answer<Out>>();

  constructor(source: AsyncIterable<unknown>, steps: readonly CreateAnyStep[]) {
    // Linked from the last step to the first: what a step emits is the input of the next.
    let emit = (value: unknown): void => {
      if (this.returned) return; // by a step that aborts the run, or while a step's work was waited for
      if (this.slot === none) this.slot = value as Out;
      else this.queue.push(value as Out);
    };
    let end = (): void => {
      this.ended = true;
    };
    for (let i = steps.length - 1; i >= 0; i--) {
      const endOthers = end;
      let over = false;
      const step = (steps[i] as CreateAnyStep)(
        emit,
        () => {
          if (over) return;
          over = true;
          endOthers();
          this.stop();
        },
        this.wait,
      );
      emit = step.next;
      end = () => {
        if (over) return; // it stopped on what a step before it emitted at the end
        over = true;
        step.end?.();
        if (this.work === undefined) endOthers();
        else this.work = this.work.then(endOthers);
      };
    }
    this.step = emit;
    this.endSteps = end;
    this.upstream = new Upstream(source);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<Out>> {
    if (this.pulling || this.line.length > 0) return new Promise(this.standInLine);
    return this.advance();
  }

  [ready](): Out | typeof none {
    if (this.pulling || this.line.length > 0) return none;
    this.runReady();
    return this.slot === none ? this.takeQueued() : this.takeSlot();
  }

  return(): Promise<StreamResult<Out>> {
    this.ended = true;
    this.returned = true;
    this.failure = undefined;
    this.work = undefined;
    this.discard();
    return this.finish();
  }

  throw(error: unknown): Promise<StreamResult<Out>> {
    return rejectAfter(this.return(), error);
  }

  /** A step wants no more, and those behind it have been told. */
  private stop(): void {
    // Not within a pull: a step that stops when it is made, as take(0) does. The first next() closes the source.
    if (!this.pulling) return;
    // Its rejection is reported by the next() that gives done; until then it must not count as unhandled.
    this.close().catch(noop);
  }

  private discard(): void {
    this.slot = none;
    this.queue.clear();
  }

  private close(): Promise<void> {
    return (this.closing ??= this.upstream.close());
  }

  /** Waits for the source to be closed and reports, once, what that failed with. */
  private finish(): Promise<StreamResult<Out>> {
    const closing = this.close();
    this.closing = closed;
    return closing.then(done);
  }

  private advance(): Promise<StreamResult<Out>> {
    // runReady() would find that out too: calling it for nothing takes 1.02 of the time of a stage.
    if (this.upstream.rapid !== undefined) this.runReady();
    if (this.holdsItem || (this.ended && this.work === undefined)) return this.deliver();
    this.pulling = true;
    return new Promise(this.onPull);
  }

  /** What the source has already, until that has given something. */
  private runReady(): void {
    while (!this.holdsItem && !this.ended && this.work === undefined) {
      const item = this.upstream.takeReady();
      if (item === none) return;
      this.pulling = true;
      this.run(item);
      this.settle();
    }
  }

  /**
   * Asks the source until the steps have emitted something. The callbacks are made once: an `async` method, which would say
   * the same, makes its own for each item, and takes 1.03 of the time.
   */
  private readonly onPull = (resolve: Answer<Out>): void => {
    this.answer = resolve;
    this.proceed();
  };

  private readonly proceed = (): void => {
    if (this.work !== undefined) void this.finishWork().then(this.proceed);
    else if (this.slot === none && !this.ended) this.upstream.pull(this.onResult, this.onError);
    else {
      this.settle();
      this.answer(this.slot === none ? this.deliver() : resultOf(this.takeSlot()));
    }
  };

  private readonly onResult = (result: IteratorResult<unknown>): void => {
    if (result.done === true) this.runEnd();
    else this.run(result.value);
    this.proceed();
  };

  private readonly onError = (error: unknown): void => {
    if (!this.ended) {
      this.upstream.finished = true;
      this.fail(error);
    }
    this.proceed();
  };

  /** One input through all steps. Its outputs are then in `slot` and `queue`. */
  private run(item: unknown): void {
    if (this.ended) return; // closed by the consumer while the pull was under way
    try {
      this.step(item);
    } catch (error) {
      this.fail(error);
    }
  }

  private runEnd(): void {
    if (this.ended) return;
    this.upstream.finished = true;
    try {
      this.endSteps();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.returned) return;
    this.ended = true;
    this.failure = { error };
    this.close().catch(noop); // the step's error is the one to report
  }

  private readonly wait = (work: Promise<void>): void => {
    work.catch(noop); // reported by finishWork(), which may still be waiting for what was asked for before
    this.work = this.work === undefined ? work : Promise.all([this.work, work]).then(noop);
  };

  /** Steps may ask for more while they are waited for. */
  private async finishWork(): Promise<void> {
    while (this.work !== undefined) {
      const { work } = this;
      this.work = undefined;
      try {
        await work;
      } catch (error) {
        this.fail(error);
      }
    }
  }

  private get holdsItem(): boolean {
    return this.slot !== none || this.queue.length > 0;
  }

  private takeSlot(): Out {
    const value = this.slot as Out;
    this.slot = none;
    return value;
  }

  private takeQueued(): Out | typeof none {
    return this.queue.length === 0 ? none : (this.queue.shift() as Out);
  }

  /** What needs no pull: an item that is there already, the error of a step, or the end. */
  private deliver(): Promise<StreamResult<Out>> {
    const value = this.slot === none ? this.takeQueued() : this.takeSlot();
    if (value !== none) return Promise.resolve(resultOf(value));
    const { failure } = this;
    if (failure === undefined) return this.finish();
    this.failure = undefined;
    return rejectAfter(this.finish(), failure.error);
  }

  private readonly standInLine = (resolve: Answer<Out>): void => {
    this.line.push(resolve);
  };

  /** The pull is over. Who stands in line is next, but not before its own caller has what it gave. */
  private settle(): void {
    this.pulling = false;
    if (this.line.length > 0) queueMicrotask(this.serveLine);
  }

  private readonly serveLine = (): void => {
    while (!this.pulling && this.line.length > 0) (this.line.shift() as Answer<Out>)(this.advance());
  };
}

const closed = Promise.resolve();

/**
 * The result in the form that the engine gives its own: a promise is settled with that at once, where it looks in any other
 * object for a `then`.
 */
function resultOf<T>(value: T): StreamResult<T> {
  return [value].values().next();
}
