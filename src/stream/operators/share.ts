import { Inlet } from "../core/inlet.js";
import { wholeNumber } from "../numbers.js";
import type { Operator } from "../operator.js";
import { type Ending, ending, outlet, wait } from "../core/outlet.js";

/**
 * Lets several consumers iterate one source. The result may be iterated any number of times; each consumer sees the
 * items that arrive after it joined, which is when it opens its iterator, and all see the same objects. The error of the
 * source, or its end, comes to everybody, also to those who join after it.
 *
 * The source is pulled when a consumer has seen all that is there and asks for more. Items wait for the slowest
 * consumer, but no more than `bound` of them: then the fastest waits for it. So whoever has joined must read on or leave
 * (`break`, `return()`). When the last one has left, the source is closed, and who joins later finds the stream ended.
 *
 * @throws {RangeError} if `bound` is not a whole number of 1 or more
 *
 * @example
 * ```ts
 * import { collect, from, last, pipe, share } from "millrace";
 *
 * const numbers = pipe(from([1, 2, 3]), share());
 * console.log(await Promise.all([collect(numbers), last(numbers)])); // [[1, 2, 3], 3]
 * ```
 */
export function share<T>({ bound = 64 }: ShareOptions = {}): Operator<T, T> {
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
  /** The most items that are held for the slowest consumer: 64, by default. */
  readonly bound?: number;
}

/** A place in the stream. What arrives there is linked to the place after it; what all have passed is garbage. */
interface Place<T> {
  arrived?: { readonly item: T; readonly next: Place<T> };
}

interface Reader<T> {
  place: Place<T>;
  /** Items that had arrived in all at its place. */
  position: number;
  /** It has asked, and there was nothing. */
  waiting: boolean;
  readonly wake: () => void;
}

class Shared<T> {
  private readonly source: AsyncIterable<T>;
  private readonly bound: number;
  private readonly readers = new Set<Reader<T>>();
  private inlet: Inlet<T> | undefined;
  private tail: Place<T> = {};
  private position = 0;
  private over: Ending | undefined;

  constructor(source: AsyncIterable<T>, bound: number) {
    this.source = source;
    this.bound = bound;
  }

  join(wake: () => void): Reader<T> {
    this.inlet ??= new Inlet(this.source, this.onItem, this.onEnd);
    const reader = { place: this.tail, position: this.position, waiting: false, wake };
    this.readers.add(reader);
    return reader;
  }

  read(reader: Reader<T>): ReturnType<typeof ending> | typeof wait | T {
    const { arrived } = reader.place;
    reader.waiting = arrived === undefined;
    if (arrived === undefined) {
      if (this.over !== undefined) return ending(this.over);
      this.pump();
      return wait;
    }
    reader.place = arrived.next;
    reader.position++;
    this.pump();
    return arrived.item;
  }

  leave(reader: Reader<T>): Promise<void> {
    this.readers.delete(reader);
    reader.place = {}; // who keeps a closed iterator must not keep all that arrives later
    if (this.readers.size > 0) {
      this.pump();
      return Promise.resolve();
    }
    this.over ??= { failure: undefined };
    return (this.inlet as Inlet<T>).close();
  }

  /** Pulls if somebody waits for it and nobody is too far behind. */
  private pump(): void {
    if (this.over !== undefined || this.inlet?.pulling !== false) return;
    let wanted = false;
    let slowest = this.position;
    for (const reader of this.readers) {
      wanted ||= reader.waiting;
      slowest = Math.min(slowest, reader.position);
    }
    if (wanted && this.position - slowest < this.bound) this.inlet.pull();
  }

  private readonly onItem = (item: T): void => {
    const next: Place<T> = {};
    this.tail.arrived = { item, next };
    this.tail = next;
    this.position++;
    this.wakeAll();
  };

  private readonly onEnd = (failure: Ending["failure"]): void => {
    this.over = { failure };
    this.wakeAll();
  };

  private wakeAll(): void {
    for (const reader of this.readers) if (reader.waiting) reader.wake();
  }
}
