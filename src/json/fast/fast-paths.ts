import type { CreateShortCuts, ShortCutContext, WatchedOptions } from "../options.js";
import type { ShortCuts } from "../scan/short-cuts.js";
import { KeyPredictor } from "./key-predictor.js";
import { KnownKeys } from "./known-keys.js";
import { MemberReader } from "./member-reader.js";
import { NativeReader } from "./native-reader.js";

/**
 * The short cuts together. Two of them are created with the first long chunk.
 *
 * `[{"id": 1}, {"id": 2}]` in short chunks gives `keys.guess()`, which knows nothing yet, `learn("id")` with the first object,
 * and `guess()`, `match()` and `right()`, which returns `"id"`, with the second. In one chunk `read()` reads all of it at
 * once.
 */
class FastPaths implements ShortCuts {
  private readonly context: ShortCutContext;
  readonly keys: KeyPredictor;
  /** Is the chunk long? Only then members and runs are read at once. */
  private isLong = false;
  private members: MemberReader | undefined;
  private native: NativeReader | undefined;

  constructor(context: ShortCutContext, known: KnownKeys) {
    this.context = context;
    this.keys = new KeyPredictor(known, context.nesting);
  }

  begin(length: number): void {
    this.isLong = length >= minLong;
    if (this.isLong) this.beginLong();
  }

  private beginLong(): void {
    const { options, builder, nesting, position, afterString = "" } = this.context;
    this.members ??= new MemberReader(this.keys, position, afterString);
    // These are called for values, so each value must pass through the scanner.
    const { onComplete, onCoerce, guard, watch }: WatchedOptions = options;
    const isWatched = (onComplete ?? onCoerce ?? guard ?? watch) !== undefined;
    if (!isWatched) (this.native ??= new NativeReader(options, builder, nesting, position)).beginChunk();
  }

  open(isArray: boolean): void {
    this.keys.enter(isArray);
    this.native?.open();
  }

  close(i: number): void {
    this.keys.leave(this.context.builder);
    this.native?.close(i);
  }

  member(text: string, start: number): number {
    return this.isLong ? (this.members as MemberReader).read(text, start) : start;
  }

  get value(): string | undefined {
    return (this.members as MemberReader).value;
  }

  read(text: string, start: number): number {
    return this.isLong && this.native !== undefined ? this.native.read(text, start) : start;
  }
}

/** Shorter chunks cut too many members, and too few of their values are complete. */
const minLong = 512;

/** The value to pass as `fast`: short cuts for documents whose objects have similar keys, and for long chunks. */
export const fast: CreateShortCuts = (context) => new FastPaths(context, new KnownKeys());

/** The same for several parsers, which share the keys that they know. When these are full, new ones begin. */
export function sharedFast(): CreateShortCuts {
  let known = new KnownKeys();
  return (context) => {
    if (known.isFull) known = new KnownKeys();
    return new FastPaths(context, known);
  };
}
