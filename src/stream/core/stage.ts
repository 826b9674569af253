import type { Operator } from "../operator.js";
import { Queue } from "./queue.js";
import { none, ready, type ReadyIterator } from "./ready.js";
import { neverPulled, Upstream } from "./upstream.js";
import { done, itemOf, noop, rejectAfter, type Respond, resultOf, type StreamResult } from "./result.js";
import type { CreateAnyTransform, CreateTransform, Transform } from "./transform.js";

/**
 * The primitive behind every synchronous stage. A stage is a *transform*, which reads one item and emits none, one or
 * many. The iterator below handles what is easy to get wrong: it closes the source once, passes errors on unchanged, and
 * never has two pulls in flight.
 *
 * Neighbouring stages fuse: a stage applied to a stage adds its transform to the chain instead of wrapping a second
 * iterator around the first. A chain costs one promise per item, regardless of the number of its transforms
 * (docs/internals/performance.md). Between chains, and from a source of ours, an item that is there passes without a
 * promise (`ready.ts`). A `for await` still gets one for each item, which is resolved already.
 *
 * @param create creates the state of one iteration. It is called each time the stream is opened, so one operator can be
 *   applied to many sources, and one stream can be iterated more than once if its source allows that.
 */
export function stage<In, Out>(create: CreateTransform<In, Out>): Operator<In, Out> {
  return (source) =>
    source instanceof Stages
      ? new Stages<Out>(source.source, [...source.transforms, create])
      : new Stages<Out>(source, [create]);
}

class Stages<Out> implements AsyncIterable<Out> {
  readonly source: AsyncIterable<unknown>;
  readonly transforms: readonly CreateAnyTransform[];

  constructor(source: AsyncIterable<unknown>, transforms: readonly CreateAnyTransform[]) {
    this.source = source;
    this.transforms = transforms;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Out, undefined, undefined> {
    kept ??= [new StageIterator(neverPulled, []), new Queue()];
    return new StageIterator<Out>(this.source, this.transforms);
  }
}

/**
 * Never used, and stays alive. V8 drops optimized code when the last object of a shape that it relies on is
 * collected: "64 KB of orders, after a collection" took 72 ms instead of 17.
 */
let kept: readonly unknown[] | undefined;

class StageIterator<Out> implements AsyncIterableIterator<Out, undefined, undefined>, ReadyIterator<Out> {
  private readonly upstream: Upstream<unknown>;
  private readonly transforms: Transform<unknown>[];
  /** The number of transforms that have ended or stopped: those before this index. */
  private endedTransforms = 0;
  /** Errors of the transforms up to this one come too late: they follow the item that ended the stream. */
  private lateTransforms = -1;

  /** The output of the last pull. The first item has its own field, as most transforms emit one item for one input. */
  private slot: Out | typeof none = none;
  private queue: Queue<Out> | undefined;

  /** No more pulls. The emitted items, `failure` and the end are still delivered. */
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private closing: Promise<void> | undefined;

  /** The consumer has closed the stream or got its end. */
  private returned = false;
  /** The work that transforms wait for in the current pull. */
  private work: Promise<void> | undefined;

  private pulling = false;
  /** Resolves the promise of the current pull. */
  private respond: Respond<Out> = noop;
  /** Calls of `next()` during a pull are queued, as by an async generator. */
  private callers: Queue<Respond<Out>> | undefined;
  /**
   * Created once for the stream. An `async` method would create its callbacks for each item, and is 3 % slower.
   * Fields, because V8 puts a function that is *assigned* to a property into the old space. What it can reach then
   * stays until the next full collection, here all that the stream has read: "patches, 1 KB" took 13 ms instead of 7.
   */
  private readonly onResult = (result: IteratorResult<unknown>): void => {
    this.takeResult(result);
  };
  private readonly onError = (error: unknown): void => {
    this.takeError(error);
  };

  /** A field, as it shares the context of those two. */
  private readonly emit = (value: unknown): void => {
    if (this.returned) return; // closed by a transform that aborts the run, or while a transform was waiting
    if (this.slot === none) this.slot = value as Out;
    else (this.queue ??= new Queue()).push(value as Out);
  };

  constructor(source: AsyncIterable<unknown>, transforms: readonly CreateAnyTransform[]) {
    let { emit } = this;
    this.transforms = new Array<Transform<unknown>>(transforms.length);
    // Linked from the last transform to the first: the output of a transform is the input of the next.
    for (let i = transforms.length - 1; i >= 0; i--) {
      const stop = (): void => {
        this.stop(i);
      };
      const wait = (work: Promise<void>): void => {
        this.wait(i, work);
      };
      const transform = (transforms[i] as CreateAnyTransform)(emit, stop, wait);
      this.transforms[i] = transform;
      if (i === 0) break; // its inputs come from the source
      emit = (value) => {
        transform.next(value);
      };
    }
    this.upstream = new Upstream(source);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<StreamResult<Out>> {
    if (!this.pulling && !this.hasCallers) return this.advance();
    const promise = new Promise<StreamResult<Out>>(keepResolve);
    (this.callers ??= new Queue()).push(keptResolve as Respond<Out>);
    return promise;
  }

  [ready](): Out | typeof none {
    if (this.pulling || this.hasCallers) return none;
    this.runReady();
    // Items that the transform emits later must not overtake those that it has emitted.
    if (this.work !== undefined) return none;
    return this.slot === none ? this.takeQueued() : this.takeSlot();
  }

  return(): Promise<StreamResult<Out>> {
    this.ended = true;
    this.failure = undefined;
    this.work = undefined;
    this.discard();
    const finished = this.finish();
    // A source that hangs would never answer the calls that wait for it.
    this.respond(done());
    this.respond = noop;
    for (let respond = this.callers?.shift(); respond !== undefined; respond = this.callers?.shift())
      respond(done());
    return finished;
  }

  throw(error: unknown): Promise<StreamResult<Out>> {
    return rejectAfter(this.return(), error);
  }

  /** Ends the transforms from this one on, each once and after the work of those before it. */
  private endTransforms(first: number): void {
    for (let i = first; i < this.transforms.length; i++) {
      if (i < this.endedTransforms) return; // stopped by an item that an earlier transform emitted at its end
      this.endedTransforms = i + 1;
      try {
        const work = this.transforms[i]?.end?.();
        if (work instanceof Promise) this.wait(i, work);
      } catch (error) {
        this.fail(i, error);
        return;
      }
      if (this.work !== undefined) {
        const endLater = (): void => {
          if (!this.ended) this.endTransforms(i + 1);
        };
        this.work = this.work.then(endLater, endLater);
        return;
      }
    }
    this.ended = true;
  }

  /** Ends the later transforms and closes the source. */
  private stop(transform: number): void {
    if (this.returned || transform < this.endedTransforms || transform <= this.lateTransforms) return;
    this.lateTransforms = transform - 1;
    this.endedTransforms = transform + 1;
    this.failure = undefined; // of a later item
    this.ended = false;
    this.endTransforms(transform + 1);
    // After take(0), which stops at its creation, the first next() closes the source. The last reports a rejection.
    if (this.pulling) this.close().catch(noop);
  }

  private discard(): void {
    this.slot = none;
    this.queue?.clear();
  }

  private close(): Promise<void> {
    return (this.closing ??= this.upstream.close());
  }

  /** Waits until the source is closed. Reports its error once. */
  private finish(): Promise<StreamResult<Out>> {
    this.returned = true;
    const closing = this.close();
    this.closing = closed;
    return closing.then(done);
  }

  private advance(): Promise<StreamResult<Out>> {
    // runReady() checks this too, but calling it in vain makes a stage 2 % slower.
    if (this.upstream.readyIterator !== undefined) this.runReady();
    if (this.work === undefined && (this.holdsItem || this.ended)) return this.deliver();
    this.pulling = true;
    const promise = new Promise<StreamResult<Out>>(keepResolve);
    this.respond = keptResolve as Respond<Out>;
    this.proceed();
    return promise;
  }

  /** Runs the items that the source has ready until the transforms have emitted something. */
  private runReady(): void {
    while (!this.holdsItem && !this.ended && this.work === undefined) {
      const item = this.upstream.takeReady();
      if (item === none) return;
      this.pulling = true;
      this.run(item);
      this.endPull();
    }
  }

  /** Pulls until the transforms have emitted something. */
  private proceed(): void {
    if (this.work !== undefined) {
      void this.finishWork().then(() => {
        this.proceed();
      });
    } else if (this.slot === none && !this.ended) this.upstream.pull(this.onResult, this.onError);
    else {
      this.endPull();
      const { respond } = this;
      this.respond = noop; // it holds the last item
      respond(this.slot === none ? this.deliver() : resultOf(this.takeSlot()));
    }
  }

  private takeResult(result: IteratorResult<unknown>): void {
    let item: unknown;
    try {
      item = itemOf(result);
    } catch (error) {
      this.takeError(error);
      return;
    }
    if (item === none) this.runEnd();
    else this.run(item);
    this.proceed();
  }

  private takeError(error: unknown): void {
    if (!this.ended) {
      this.upstream.finished = true;
      this.fail(0, error);
    }
    this.proceed();
  }

  /** Sends an input through all transforms. The outputs are then in `slot` and `queue`. */
  private run(item: unknown): void {
    if (this.ended) return; // closed by the consumer during the pull
    try {
      (this.transforms[0] as Transform<unknown>).next(item);
    } catch (error) {
      this.fail(0, error);
    }
  }

  private runEnd(): void {
    if (this.ended) return;
    this.upstream.finished = true;
    this.endTransforms(0);
  }

  /** The first item counts. Later transforms have earlier items. */
  private fail(transform: number, error: unknown): void {
    if (this.returned || transform <= this.lateTransforms) return;
    this.lateTransforms = transform;
    this.ended = true;
    this.failure = { error };
    if (this.pulling) this.close().catch(noop); // the transform's error is reported instead
  }

  private wait(transform: number, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.fail(transform, error);
    });
    this.work = this.work === undefined ? work : Promise.allSettled([this.work, work]).then(noop);
  }

  /** Waits for the work of all transforms, which may add more. */
  private async finishWork(): Promise<void> {
    while (this.work !== undefined) {
      const { work } = this;
      this.work = undefined;
      try {
        await work;
      } catch {
        // reported by wait()
      }
    }
  }

  private get holdsItem(): boolean {
    return this.slot !== none || (this.queue !== undefined && this.queue.length > 0);
  }

  private get hasCallers(): boolean {
    return this.callers !== undefined && this.callers.length > 0;
  }

  private takeSlot(): Out {
    const value = this.slot as Out;
    this.slot = none;
    return value;
  }

  private takeQueued(): Out | typeof none {
    return this.queue === undefined || this.queue.length === 0 ? none : (this.queue.shift() as Out);
  }

  /** Answers without a pull: with an emitted item, the error of a transform, or the end. */
  private deliver(): Promise<StreamResult<Out>> {
    const value = this.slot === none ? this.takeQueued() : this.takeSlot();
    if (value !== none) return Promise.resolve(resultOf(value));
    const { failure } = this;
    if (failure === undefined) return this.finish();
    this.failure = undefined;
    return rejectAfter(this.finish(), failure.error);
  }

  /** The next queued caller is answered after the caller of the pull that ends. */
  private endPull(): void {
    this.pulling = false;
    keptResolve = noop; // it would hold the item of its promise
    if (!this.hasCallers) return;
    queueMicrotask(() => {
      while (!this.pulling && this.hasCallers) (this.callers?.shift() as Respond<Out>)(this.advance());
    });
  }
}

/** The executor of all promises here. It keeps `resolve` for the line after `new Promise`: a pull needs no closure. */
function keepResolve(resolve: Respond<never>): void {
  keptResolve = resolve;
}

let keptResolve: Respond<never> = noop;

const closed = Promise.resolve();
