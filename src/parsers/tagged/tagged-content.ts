import type { FinishReason } from "../../messages/finish-reason.js";
import { Queue } from "../../stream/core/queue.js";
import { Upstream } from "../../stream/core/upstream.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { type TagEvent, TagScanner } from "./tagged-scanner.js";
import { none } from "../../stream/core/ready.js";
import { done, itemOf } from "../../stream/core/result.js";

/** Splits a stream of chunks into tags. It pulls the source only when the consumer asks for the next piece. */
export class TaggedContent {
  /** Whether the output ended inside the last tag. */
  truncated = false;
  /** The error of the source. */
  failure: { readonly error: unknown } | undefined;
  private readonly upstream: Upstream<Chunk>;
  private readonly chunks = new ChunkReader();
  private readonly scanner: TagScanner;
  private readonly events = new Queue<TagEvent>();
  /** The pull in progress, shared by concurrent callers. */
  private pulling: Promise<void> | undefined;

  constructor(source: AsyncIterable<Chunk>, names: readonly string[]) {
    this.upstream = new Upstream(source);
    this.scanner = new TagScanner(names);
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
    while (this.events.length === 0 && !this.upstream.finished) await (this.pulling ??= this.pull());
    const event = this.events.shift();
    if (event === undefined && this.failure !== undefined) throw this.failure.error;
    if (event?.kind === "close") this.truncated = event.truncated;
    return event;
  }

  /** Why the model stopped, if known yet. */
  get finishReason(): FinishReason | undefined {
    return this.chunks.finishReason;
  }

  close(): Promise<void> {
    return this.upstream.close();
  }

  private async pull(): Promise<void> {
    const { upstream } = this;
    let arrived = false;
    try {
      const result = await upstream.iterator.next();
      arrived = true;
      if (upstream.finished) return; // closed during the pull
      const item = itemOf(result);
      if (item === none) upstream.finished = true;
      const events = item === none ? this.scanner.end() : this.scanner.write(this.chunks.read(item));
      for (const event of events) this.events.push(event);
    } catch (error) {
      if (upstream.finished) return;
      this.failure = { error };
      // The source is still open if it yielded something that is not a chunk.
      if (arrived) upstream.abandon();
      else upstream.finished = true;
    } finally {
      this.pulling = undefined;
    }
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
