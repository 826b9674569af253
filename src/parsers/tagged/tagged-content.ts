import type { FinishReason } from "../../messages/finish-reason.js";
import { done } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { type TagEvent, TagScanner } from "./tagged-scanner.js";

/** Splits a stream of chunks into tags. It pulls the source only when the consumer asks for the next piece. */
export class TaggedContent {
  /** Whether the output ended inside the last tag. */
  truncated = false;
  /** The error of the source. */
  failure: { readonly error: unknown } | undefined;
  private readonly chunks = new ChunkReader();
  private readonly events: AsyncIterator<TagEvent>;

  constructor(source: AsyncIterable<Chunk>, names: readonly string[]) {
    const split = stage<Chunk, TagEvent>((emit) => {
      const scanner = new TagScanner(names);
      return {
        next: (chunk) => scanner.write(this.chunks.read(chunk)).forEach(emit),
        end: () => scanner.end().forEach(emit),
      };
    });
    this.events = split(source)[Symbol.asyncIterator]();
  }

  /** Skips the rest of the current tag and returns the next one; `undefined` at the end. */
  async nextTag(): Promise<string | undefined> {
    for (;;) {
      const event = await this.nextEvent();
      if (event === undefined || event.kind === "open") return event?.tag;
    }
  }

  /** The next event; `undefined` at the end of the output. */
  async nextEvent(): Promise<TagEvent | undefined> {
    if (this.failure !== undefined) throw this.failure.error;
    try {
      const { value } = (await this.events.next()) as IteratorResult<TagEvent, undefined>;
      if (value?.kind === "close") this.truncated = value.truncated;
      return value;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  /** Why the model stopped, if known yet. */
  get finishReason(): FinishReason | undefined {
    return this.chunks.finishReason;
  }

  async close(): Promise<void> {
    await this.events.return?.();
  }
}

/**
 * The content of the current tag as a source that can be read once. Leaving it early does not close the output: the
 * rest of the content is skipped.
 */
export function contentOfTag(content: TaggedContent): AsyncIterable<Chunk> {
  let over = false;
  const iterator: AsyncIterator<Chunk, undefined> = {
    async next() {
      if (over) return done();
      const event = await content.nextEvent();
      if (event?.kind === "text") return { done: false, value: event.text };
      over = true;
      const { truncated, finishReason } = content;
      // The finish reason matters only to the parser of a tag without its end.
      return truncated && finishReason !== undefined
        ? { done: false, value: { content: [], finishReason } }
        : done();
    },
    return() {
      over = true;
      return Promise.resolve(done());
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
