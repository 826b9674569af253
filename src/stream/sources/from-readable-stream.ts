import { done, type StreamResult } from "../core/result.js";

/**
 * A source from a web stream. It uses a reader, because not every browser makes web streams iterable. The first
 * `next()` locks the stream.
 */
export function fromReadableStream<T>(stream: ReadableStream<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new ReaderIterator(stream) };
}

class ReaderIterator<T> implements AsyncIterableIterator<T, undefined, undefined> {
  private readonly stream: ReadableStream<T>;
  private reader: ReadableStreamDefaultReader<T> | undefined;
  private over = false;

  constructor(stream: ReadableStream<T>) {
    this.stream = stream;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<StreamResult<T>> {
    if (this.over) return done();
    this.reader ??= this.stream.getReader();
    try {
      const result = await this.reader.read();
      if (!result.done) return result;
    } catch (error) {
      this.release();
      throw error;
    }
    this.release();
    return done();
  }

  /** Cancels the stream, which closes a connection and ends a pending read. */
  async return(): Promise<StreamResult<T>> {
    if (this.over) return done();
    this.over = true;
    this.reader ??= this.stream.getReader();
    try {
      await this.reader.cancel();
    } finally {
      this.release();
    }
    return done();
  }

  private release(): void {
    this.over = true;
    this.reader?.releaseLock();
  }
}
