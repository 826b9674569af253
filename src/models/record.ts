import { systemClock, type Clock } from "../stream/time/clock.js";
import { describe } from "../stream/describe.js";
import type { Operator } from "../stream/operator.js";
import { stage } from "../stream/core/stage.js";
import { errorToJson, type TranscriptEnd, transcriptHeader } from "./transcript.js";
import { noop } from "../stream/core/result.js";

/** Where a transcript goes: a function that takes a line (without its line break), or a web stream of text. */
export type TranscriptSink = ((line: string) => unknown) | WritableStream<string>;

/** The options of `record()`. */
export interface RecordOptions {
  /** What arrival times are read from. Default: `systemClock`. */
  readonly clock?: Clock;
}

/**
 * Hands a stream on as it is, and writes a transcript of it: JSON Lines, each item with the time at which it arrived, in
 * milliseconds since the first one was asked for. For message chunks, server-sent events, patches, or any JSON.
 * `replayModel()` of `millrace/testing` plays a transcript back.
 *
 * The first line says what it is, `{"millrace":"transcript","version":1}`; an item is `{"t":12.3,"value":…}`; the last
 * line says how the stream ended: `{"t":…,"end":true}`, `{"t":…,"error":{…}}` with all that a `ModelError` knows, or
 * `{"t":…,"left":true}` if its reader left.
 *
 * An item is handed on when its line is written: what the function returns is awaited. What it throws, or the web stream
 * rejects with, ends the stream with that error and closes the source. But an error of the source comes first, whatever
 * the sink says. A web stream is locked at the first `next()` and closed after the last line; it takes one transcript.
 *
 * @throws {TypeError} for an item that is no JSON
 *
 * @example
 * ```ts
 * import { collect, pipe, record } from "millrace";
 * import { replayModel, scriptedModel } from "millrace/testing";
 *
 * const lines: string[] = [];
 * await collect(pipe(scriptedModel(["Hel", "lo"]).stream("Greet me."), record((line) => lines.push(line))));
 * console.log(lines.length); // 5: the header, three chunks, the end
 *
 * const model = replayModel(lines, { speed: 2 });
 * console.log((await collect(model.stream("Greet me."))).length); // 3
 * ```
 */
export function record<T>(sink: TranscriptSink, { clock = systemClock }: RecordOptions = {}): Operator<T, T> {
  // The stage behind it only sees to it that callers stand in line.
  const inLine = stage<T, T>((emit) => ({ next: emit }));
  return (source) =>
    inLine({ [Symbol.asyncIterator]: () => new Recording(source[Symbol.asyncIterator](), sink, clock) });
}

class Recording<T> implements AsyncIterator<T, undefined> {
  private readonly source: AsyncIterator<T>;
  private readonly transcript: Transcript;

  constructor(source: AsyncIterator<T>, sink: TranscriptSink, clock: Clock) {
    this.source = source;
    this.transcript = new Transcript(sink, clock);
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    const { transcript } = this;
    await this.written(transcript.begin());
    let result: IteratorResult<T>;
    try {
      result = await this.source.next();
    } catch (error) {
      await transcript.finish({ error: errorToJson(error) })?.catch(noop);
      throw error;
    }
    if (result.done === true) {
      await transcript.finish({ end: true });
      return { done: true, value: undefined };
    }
    await this.written(transcript.item(result.value));
    return result;
  }

  /** Closes the source first: it is not to wait for a slow sink. */
  async return(): Promise<IteratorResult<T, undefined>> {
    const closed = this.source.return?.();
    const finished = this.transcript.finish({ left: true });
    finished?.catch(noop); // heard below, unless the source fails
    await closed;
    await finished;
    return { done: true, value: undefined };
  }

  /** If a line cannot be written, the source is closed: to the stage behind this one the stream has failed. */
  private async written(writing: Promise<void> | undefined): Promise<void> {
    try {
      await writing;
    } catch (error) {
      Promise.resolve(this.source.return?.()).catch(noop);
      throw error;
    }
  }
}

/** The lines of one stream. What is written after its end, or after a failure, is ignored. */
class Transcript {
  private readonly sink: TranscriptSink;
  private readonly clock: Clock;
  private writer: WritableStreamDefaultWriter<string> | undefined;
  private start: number | undefined;
  private over = false;

  constructor(sink: TranscriptSink, clock: Clock) {
    this.sink = sink;
    this.clock = clock;
  }

  /** `undefined` if it has begun. */
  begin(): Promise<void> | undefined {
    if (this.start !== undefined || this.over) return undefined;
    this.start = this.clock.now();
    return this.write(JSON.stringify(transcriptHeader));
  }

  item(value: unknown): Promise<void> | undefined {
    if (this.over) return undefined;
    let text: string | undefined;
    try {
      text = JSON.stringify(value);
    } catch (cause) {
      return this.refuse(value, cause);
    }
    if (text === undefined) return this.refuse(value);
    return this.write(`{"t":${this.now()},"value":${text}}`);
  }

  /** A stream that was left before its first item was asked for has no transcript. */
  finish(how: TranscriptEnd): Promise<void> | undefined {
    if (this.over) return undefined;
    const writing =
      this.start === undefined ? undefined : this.write(JSON.stringify({ t: this.now(), ...how }));
    this.over = true;
    return writing?.then(() => this.writer?.close());
  }

  private async refuse(value: unknown, cause?: unknown): Promise<never> {
    const problem = `record() takes JSON, but an item is none: it is ${describe(value)}.`;
    const error = new TypeError(problem, cause === undefined ? undefined : { cause });
    await this.finish({ error: errorToJson(error) })?.catch(noop);
    throw error;
  }

  /** To a microsecond. */
  private now(): number {
    return Math.round((this.clock.now() - (this.start ?? 0)) * 1000) / 1000;
  }

  private async write(line: string): Promise<void> {
    const { sink } = this;
    try {
      if (typeof sink === "function") await sink(line);
      else await (this.writer ??= sink.getWriter()).write(`${line}\n`);
    } catch (error) {
      this.over = true;
      throw error;
    }
  }
}
