import { done, type StreamResult } from "../core/result.js";

/**
 * A web stream as a source, through a reader of its own: not every browser makes them iterable. The stream is locked
 * with the first `next()`, so that it can still be used otherwise when nobody reads it.
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

  /** Cancels the stream, which is what closes a connection. A read in flight ends. */
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
