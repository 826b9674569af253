import type { Operator } from "../../stream/operator.js";
import type { Chunk } from "../output-parser.js";
import { TagContent, TaggedContent } from "./tagged-content.js";
import { tagParserError, type TagRules } from "./tagged-rules.js";
import { noop, done } from "../../stream/core/result.js";

/** A value that the parser of a tag yielded. */
export interface AnyTaggedPart {
  readonly tag: string;
  readonly value: unknown;
}

type Result = IteratorResult<AnyTaggedPart, undefined>;

/**
 * Reads the content of each tag with its own operator. The source is pulled only when the operator of the open tag asks
 * for more, and each value is yielded before the next one is pulled.
 */
export function taggedStream(
  streams: ReadonlyMap<string, Operator<Chunk, unknown>>,
  rules: TagRules,
): Operator<Chunk, AnyTaggedPart> {
  return (source) => ({ [Symbol.asyncIterator]: () => new TaggedIterator(source, streams, rules) });
}

class TaggedIterator implements AsyncIterableIterator<AnyTaggedPart, undefined, undefined> {
  private readonly content: TaggedContent;
  private readonly streams: ReadonlyMap<string, Operator<Chunk, unknown>>;
  private readonly rules: TagRules;
  private readonly seen = new Set<string>();
  private tag = "";
  /** The iterator that reads the open tag. */
  private inner: AsyncIterator<unknown> | undefined;
  private over = false;
  /** The last call of `next()`. Concurrent calls run one after the other. */
  private lastCall: Promise<unknown> = Promise.resolve();

  constructor(
    source: AsyncIterable<Chunk>,
    streams: ReadonlyMap<string, Operator<Chunk, unknown>>,
    rules: TagRules,
  ) {
    this.content = new TaggedContent(source, [...streams.keys()]);
    this.streams = streams;
    this.rules = rules;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const turn = (): Promise<Result> => this.advance();
    const result = this.lastCall.then(turn, turn);
    this.lastCall = result;
    return result;
  }

  async return(): Promise<Result> {
    if (this.over) return done();
    await this.close();
    return done();
  }

  async throw(error: unknown): Promise<Result> {
    await this.return().catch(noop); // the consumer's error is the one to report
    throw error;
  }

  private async advance(): Promise<Result> {
    try {
      while (!this.over) {
        if (this.inner === undefined && !(await this.enter())) {
          this.over = true;
          break;
        }
        const result = await this.read();
        if (result.done !== true && !this.over) {
          return { done: false, value: { tag: this.tag, value: result.value } };
        }
        this.inner = undefined;
      }
    } catch (error) {
      if (this.over) return done(); // closed during the wait
      this.inner = undefined;
      await this.close().catch(noop); // the first error is the one to report
      throw error;
    }
    return done();
  }

  /** Moves to the next tag. Returns false at the end of the output. */
  private async enter(): Promise<boolean> {
    const { content, rules, seen } = this;
    for (;;) {
      const tag = await content.nextTag();
      if (this.over) return false;
      const context = { finishReason: content.finishReason };
      if (tag === undefined) {
        rules.checkEnd(seen, content.truncated ? this.tag : undefined, context);
        return false;
      }
      this.tag = tag;
      if (seen.has(tag)) {
        rules.checkRepeated(tag, context);
        continue;
      }
      seen.add(tag);
      const operator = this.streams.get(tag) as Operator<Chunk, unknown>;
      this.inner = operator(new TagContent(content))[Symbol.asyncIterator]();
      return true;
    }
  }

  private async read(): Promise<IteratorResult<unknown>> {
    try {
      return await (this.inner as AsyncIterator<unknown>).next();
    } catch (error) {
      const { failure, finishReason } = this.content;
      if (failure !== undefined && failure.error === error) throw error;
      throw tagParserError(this.tag, error, { finishReason });
    }
  }

  /** Closes both at once, because one may wait for the other. */
  private async close(): Promise<void> {
    this.over = true;
    const { inner } = this;
    this.inner = undefined;
    await Promise.all([inner?.return?.(), this.content.close()]);
  }
}
