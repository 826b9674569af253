import type { Builder } from "../build/builder.js";
import { type JsonParserOptions, shared, type SharingOptions } from "../options.js";
import { endOfPlainText, highSurrogateAtEnd } from "../scan/characters.js";
import type { Nesting } from "../scan/nesting.js";
import type { Position } from "../scan/position.js";
import { KeyPredictor } from "./key-predictor.js";
import { KnownKeys } from "./known-keys.js";
import { MemberReader } from "./member-reader.js";
import { NativeReader } from "./native-reader.js";

/**
 * The short cuts of the scanner. Each of them either does exactly what the plain scanner would do, or declines. The
 * scanner works without them: the JSON suites run once with this folder and once without it (vitest.config.ts).
 */
export class FastPaths extends KeyPredictor {
  private readonly options: JsonParserOptions;
  private readonly afterString: string;
  private readonly builder: Builder;
  private readonly position: Position;
  /** Whether the chunk is long. Only then the two readers are used, which are created with the first long chunk. */
  private isLong = false;
  private members: MemberReader | undefined;
  private native: NativeReader | undefined;

  constructor(
    options: JsonParserOptions,
    afterString: string,
    builder: Builder,
    nesting: Nesting,
    position: Position,
  ) {
    super(knownKeysOf(options), nesting);
    this.options = options;
    this.afterString = afterString;
    this.builder = builder;
    this.position = position;
  }

  /** A chunk of this length begins. */
  beginChunk(length: number): void {
    this.isLong = length >= minLong;
    if (this.isLong) this.beginLong();
  }

  /**
   * Whether the chunk can be added to the open string as it is.
   *
   * Without it "write + takePatch, strings, 1-8" takes 16 % longer.
   */
  isPlain(text: string): boolean {
    return text !== "" && endOfPlainText(text, 0) === text.length && highSurrogateAtEnd(text) === "";
  }

  private beginLong(): void {
    const { options, builder, nesting, position } = this;
    this.members ??= new MemberReader(this, position, this.afterString);
    // `onComplete` and guards are called for each value, so each value must pass through the scanner.
    const isWatched = options.onComplete !== undefined || options.guard !== undefined;
    if (!isWatched) (this.native ??= new NativeReader(options, builder, nesting, position)).beginChunk();
  }

  /**
   * Reads complete values and adds them to the builder.
   *
   * @param start the index of a value's opening bracket, or of a key's opening quote
   * @returns the index after the values; `start` if it declines
   */
  readValues(text: string, start: number): number {
    return this.isLong && this.native !== undefined ? this.native.read(text, start) : start;
  }

  /**
   * Reads the key of a member, and its value if that is a simple string. `start` is the index after a bracket or comma.
   *
   * @returns the index after the value, or before it if only the key was read; `start` if it declines
   */
  readMember(text: string, start: number): number {
    return this.isLong ? (this.members as MemberReader).read(text, start) : start;
  }

  /** The value of the member that `readMember()` has read; `undefined` if only the key was read. */
  get memberValue(): string | undefined {
    return (this.members as MemberReader).value;
  }

  /** A container was opened. */
  open(isObject: boolean): void {
    this.enter(isObject);
    this.native?.open();
  }

  /** The bracket at this place is about to close the open container. */
  close(i: number): void {
    this.leave(this.builder);
    this.native?.close(i);
  }
}

/** Shorter chunks cut too many members, and too few of their values are complete. */
const minLong = 512;

/** The keys that the parsers with these options share. When they are full, the next parser starts new ones. */
function knownKeysOf({ [shared]: slot }: SharingOptions): KnownKeys {
  if (slot === undefined) return new KnownKeys();
  const { keys } = slot;
  return keys instanceof KnownKeys && !keys.isFull ? keys : (slot.keys = new KnownKeys());
}

/**
 * Called by the scanner alone. Without fast paths (`undefined`) the plain scanner reads everything.
 *
 * @param afterString what must follow a quote that certainly ends a string, as a part of a regular expression
 */
export function createFastPaths(
  options: JsonParserOptions,
  afterString: string,
  builder: Builder,
  nesting: Nesting,
  position: Position,
): FastPaths | undefined {
  return new FastPaths(options, afterString, builder, nesting, position);
}
