import { Inlet } from "../core/inlet.js";
import { wholeNumber } from "../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { Operator } from "../operator.js";
import { type Ending, ending, outlet, wait } from "../core/outlet.js";

/**
 * Lets several consumers iterate one source. A consumer joins when it opens its iterator and gets the items that arrive
 * from then on. All consumers get the same objects. The end or the error of the source reaches every consumer,
 * including those that join later.
 *
 * The source is pulled when a consumer has read all items and asks for more. Up to `bound` items wait for the
 * slowest consumer; then the fastest waits for it. A consumer that has joined must therefore keep reading or leave
 * (`break`, `return()`). When the last consumer leaves, the source is closed, and the stream is empty for those that
 * join later.
 *
 * @throws {RangeError} if `bound` is not a whole number of 1 or more
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { collect, from, last, pipe, share } from "millrace";
 *
 * const numbers = pipe(from([1, 2, 3]), share());
 * console.log(await Promise.all([collect(numbers), last(numbers)])); // [[1, 2, 3], 3]
 * ```
 */
export function share<T>(options: ShareOptions = {}): Operator<T, T> {
  checkOptions("share()", options, { bound: true } satisfies OptionNames<ShareOptions>);
  const { bound = 64 } = options;
  wholeNumber("bound of share", bound, 1);
  return (source) => {
    const shared = new Shared(source, bound);
    return outlet((wake) => {
      const reader = shared.join(wake);
      return { poll: () => shared.read(reader), close: () => shared.leave(reader) };
    });
  };
}

/** The options of `share()`. */
export interface ShareOptions {
  /** The maximum number of items held for the slowest consumer. Default: 64. */
  readonly bound?: number;
}

/**
 * A position in the stream, linked to the next one once its item has arrived. Positions that all readers have passed are
 * garbage collected.
 */
interface StreamPosition<T> {
  arrived?: { readonly item: T; readonly next: StreamPosition<T> };
}

interface ShareReader<T> {
  position: StreamPosition<T>;
  /** The number of items that have arrived up to its position. */
  count: number;
  /** It has asked for an item that has not arrived. */
  waiting: boolean;
  readonly wake: () => void;
}

class Shared<T> {
  private readonly source: AsyncIterable<T>;
  private readonly bound: number;
  private readonly readers = new Set<ShareReader<T>>();
  private inlet: Inlet<T> | undefined;
  private tail: StreamPosition<T> = {};
  /** The number of items that have arrived. */
  private count = 0;
  private ended: Ending | undefined;

  constructor(source: AsyncIterable<T>, bound: number) {
    this.source = source;
    this.bound = bound;
  }

  join(wake: () => void): ShareReader<T> {
    this.inlet ??= new Inlet(this.source, this.onItem, this.onEnd);
    const reader = { position: this.tail, count: this.count, waiting: false, wake };
    this.readers.add(reader);
    return reader;
  }

  read(reader: ShareReader<T>): ReturnType<typeof ending> | typeof wait | T {
    const { arrived } = reader.position;
    reader.waiting = arrived === undefined;
    if (arrived === undefined) {
      if (this.ended !== undefined) return ending(this.ended);
      this.pump();
      return wait;
    }
    reader.position = arrived.next;
    reader.count++;
    this.pump();
    return arrived.item;
  }

  leave(reader: ShareReader<T>): Promise<void> {
    this.readers.delete(reader);
    reader.position = {}; // a closed iterator that is still referenced must not keep later items alive
    if (this.readers.size > 0) {
      this.pump();
      return Promise.resolve();
    }
    this.ended ??= { failure: undefined };
    return (this.inlet as Inlet<T>).close();
  }

  /** Pulls if a reader waits for an item and none is too far behind. */
  private pump(): void {
    if (this.ended !== undefined || this.inlet?.pulling !== false) return;
    let wanted = false;
    let slowest = this.count;
    for (const reader of this.readers) {
      wanted ||= reader.waiting;
      slowest = Math.min(slowest, reader.count);
    }
    if (wanted && this.count - slowest < this.bound) this.inlet.pull();
  }

  private readonly onItem = (item: T): void => {
    const next: StreamPosition<T> = {};
    this.tail.arrived = { item, next };
    this.tail = next;
    this.count++;
    this.wakeAll();
  };

  private readonly onEnd = (failure: Ending["failure"]): void => {
    this.ended = { failure };
    this.wakeAll();
  };

  private wakeAll(): void {
    for (const reader of this.readers) if (reader.waiting) reader.wake();
  }
}
