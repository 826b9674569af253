import type { FinishReason } from "../../messages/finish-reason.js";
import { Queue } from "../../stream/core/queue.js";
import { Upstream } from "../../stream/core/upstream.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { type TagEvent, TagScanner } from "./tagged-scanner.js";
import { done } from "../../stream/core/result.js";

/** A stream of chunks as one tag after the other, pulled only when the next piece is asked for. */
export class TaggedContent {
  /** The output has ended inside the last tag. */
  cut = false;
  /** What the source failed with. */
  failure: { readonly error: unknown } | undefined;
  private readonly upstream: Upstream<Chunk>;
  private readonly chunks = new ChunkReader();
  private readonly scanner: TagScanner;
  private readonly events = new Queue<TagEvent>();
  /** Whoever asks while a pull is under way waits for the same one. */
  private pulling: Promise<void> | undefined;

  constructor(source: AsyncIterable<Chunk>, names: readonly string[]) {
    this.upstream = new Upstream(source);
    this.scanner = new TagScanner(names);
  }

  /** The next tag, after what is left of the one before; `undefined` at the end. */
  async nextTag(): Promise<string | undefined> {
    for (;;) {
      const event = await this.nextEvent();
      if (event === undefined || event.kind === "open") return event?.tag;
    }
  }

  /** `undefined` at the end of the output. */
  async nextEvent(): Promise<TagEvent | undefined> {
    while (this.events.length === 0 && !this.upstream.finished) await (this.pulling ??= this.pull());
    const event = this.events.shift();
    if (event === undefined && this.failure !== undefined) throw this.failure.error;
    if (event?.kind === "close") this.cut = event.cut;
    return event;
  }

  /** Why the model stopped, if it has said so by now. */
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
      if (upstream.finished) return; // closed while the pull was under way
      if (result.done === true) upstream.finished = true;
      const events =
        result.done === true ? this.scanner.end() : this.scanner.write(this.chunks.read(result.value));
      for (const event of events) this.events.push(event);
    } catch (error) {
      if (upstream.finished) return;
      this.failure = { error };
      // What has arrived was no chunk: the source knows nothing of that.
      if (arrived) upstream.abandon();
      else upstream.finished = true;
    } finally {
      this.pulling = undefined;
    }
  }
}

/**
 * The content of the tag that `nextTag()` gave, as a source to be read once. Whoever leaves it early closes nothing: what
 * is left of it is skipped.
 */
export class TagContent implements AsyncIterableIterator<Chunk, undefined, undefined> {
  private readonly content: TaggedContent;
  private over = false;

  constructor(content: TaggedContent) {
    this.content = content;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Chunk, undefined>> {
    if (this.over) return done();
    const event = await this.content.nextEvent();
    if (event?.kind === "text") return { done: false, value: event.text };
    this.over = true;
    const { cut, finishReason } = this.content;
    // The parser of a tag that has its end need not care how the output ends.
    return cut && finishReason !== undefined ? { done: false, value: { content: [], finishReason } } : done();
  }

  return(): Promise<IteratorResult<Chunk, undefined>> {
    this.over = true;
    return Promise.resolve(done());
  }
}
