import type { Operator } from "../../stream/operator.js";
import type { Chunk } from "../output-parser.js";
import { TagContent, TaggedContent } from "./tagged-content.js";
import { errorOfTag, type TagRules } from "./tagged-rules.js";
import { done } from "../../stream/core/result.js";

/** A part of what stands in a tag, as its parser gives it. */
export interface AnyTaggedPart {
  readonly tag: string;
  readonly value: unknown;
}

type Result = IteratorResult<AnyTaggedPart, undefined>;

/**
 * Reads the content of each tag by its own operator. Nothing is pulled but what the parser of the open tag asks for, and
 * what it gives is handed on before it is asked again.
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
  /** Reads the open tag. */
  private inner: AsyncIterator<unknown> | undefined;
  private over = false;
  /** Callers of `next()` stand in line. */
  private line: Promise<unknown> = Promise.resolve();

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
    const result = this.line.then(turn, turn);
    this.line = result;
    return result;
  }

  async return(): Promise<Result> {
    if (this.over) return done();
    await this.close();
    return done();
  }

  async throw(error: unknown): Promise<Result> {
    await this.return().catch(() => {}); // the consumer's error is the one to report
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
      if (this.over) return done(); // left while it waited
      this.inner = undefined;
      await this.close().catch(() => {}); // the first error is the one to report
      throw error;
    }
    return done();
  }

  /** Goes on to the next tag. @returns false at the end of the output */
  private async enter(): Promise<boolean> {
    const { content, rules, seen } = this;
    for (;;) {
      const tag = await content.nextTag();
      if (this.over) return false;
      const known = { finishReason: content.finishReason };
      if (tag === undefined) {
        rules.checkEnd(seen, content.cut ? this.tag : undefined, known);
        return false;
      }
      this.tag = tag;
      if (seen.has(tag)) {
        rules.checkRepeated(tag, known);
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
      throw errorOfTag(this.tag, error, { finishReason });
    }
  }

  /** Both at once: the one may wait for the other. */
  private async close(): Promise<void> {
    this.over = true;
    const { inner } = this;
    this.inner = undefined;
    await Promise.all([inner?.return?.(), this.content.close()]);
  }
}
