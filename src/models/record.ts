import { systemClock, type Clock } from "../stream/time/clock.js";
import type { Operator } from "../stream/operator.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import { jsonText } from "../text/json-text.js";
import { kindName } from "../text/kind-name.js";
import { hasMethod } from "../text/thrown.js";
import { stage } from "../stream/core/stage.js";
import { errorToJson, type TranscriptEnd, transcriptHeader } from "./transcript.js";
import { done, itemOf, noop } from "../stream/core/result.js";

/** Receives a transcript: a function called with each line (without its line break), or a web stream of text. */
export type TranscriptSink = ((line: string) => unknown) | WritableStream<string>;

/** The options of `record()`. */
export interface RecordOptions {
  /** The clock that measures arrival times. Default: `systemClock` */
  readonly clock?: Clock;
}

/**
 * Forwards a stream unchanged and writes a transcript of it as JSON Lines. Each item has its arrival time in
 * milliseconds since the first request for an item. Works for message chunks, server-sent events, patches, and any
 * other JSON. `replayModel()` of `millrace/testing` plays a transcript back.
 *
 * The first line is the header, `{"millrace":"transcript","version":1}`. An item is `{"t":12.3,"value":…}`. The last
 * line states how the stream ended: `{"t":…,"end":true}`, `{"t":…,"error":{…}}` with all details of a `ModelError`, or
 * `{"t":…,"left":true}` if the reader stopped early.
 *
 * Each item is forwarded after its line is written; a promise returned by the function is awaited. If the sink fails,
 * the stream ends with its error and the source is closed. An error of the source takes precedence over errors of the
 * sink. A web stream is locked at the first `next()` and closed after the last line, so it holds one transcript.
 *
 * @throws {TypeError} for another sink and an unknown option, and from the stream if an item cannot be written as JSON
 *
 * @example
 * ```ts
 * import { collect, pipe } from "millrace";
 * import { record } from "millrace/models";
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
export function record<T>(sink: TranscriptSink, options: RecordOptions = {}): Operator<T, T> {
  checkOptions("record()", options, { clock: true } satisfies OptionNames<RecordOptions>);
  const { clock = systemClock } = options;
  if (typeof sink !== "function" && !hasMethod(sink, "getWriter"))
    throw new TypeError(`record() expects a function or a WritableStream, but got ${kindName(sink)}.`);
  // The stage after it only queues its callers.
  const inLine = stage<T, T>((emit) => ({ next: emit }));
  return (source) =>
    inLine({
      [Symbol.asyncIterator]: () => recording(source[Symbol.asyncIterator](), new Transcript(sink, clock)),
    });
}

function recording<T>(source: AsyncIterator<T>, transcript: Transcript): AsyncIterator<T, undefined> {
  /** Closes the source if a line cannot be written, because the consumer sees this as a failed stream. */
  const written = async (writing: Promise<void> | undefined): Promise<void> => {
    try {
      await writing;
    } catch (error) {
      Promise.resolve(source.return?.()).catch(noop);
      throw error;
    }
  };
  return {
    async next() {
      await written(transcript.begin());
      let result: IteratorResult<T>;
      try {
        result = await source.next();
        itemOf(result);
      } catch (error) {
        await transcript.finish({ error: errorToJson(error) })?.catch(noop);
        throw error;
      }
      if (result.done === true) {
        await transcript.finish({ end: true });
        return done();
      }
      await written(transcript.item(result.value));
      return result;
    },
    /** Closes the source first, so that it does not wait for a slow sink. */
    async return() {
      const closed = source.return?.();
      const finished = transcript.finish({ left: true });
      finished?.catch(noop); // The error is awaited below, unless the source fails first.
      await closed;
      await finished;
      return done();
    },
  };
}

/** Writes the lines of one stream. Ignores writes after the end or after a failure. */
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

  begin(): Promise<void> | undefined {
    if (this.start !== undefined || this.over) return undefined;
    this.start = this.clock.now();
    return this.write(JSON.stringify(transcriptHeader));
  }

  item(value: unknown): Promise<void> | undefined {
    if (this.over) return undefined;
    const { text, problem, cause } = jsonText(value);
    if (problem !== undefined) return this.refuse(problem, cause);
    return this.write(`{"t":${this.now()},"value":${text}}`);
  }

  /** Writes the last line. A stream that is closed before its first item was requested has no transcript. */
  finish(how: TranscriptEnd): Promise<void> | undefined {
    if (this.over) return undefined;
    const writing =
      this.start === undefined ? undefined : this.write(jsonText({ t: this.now(), ...how }).text);
    this.over = true;
    return writing?.then(() => this.writer?.close());
  }

  private async refuse(problem: string, cause: unknown): Promise<never> {
    const message = `record() cannot write an item as JSON: ${problem}.`;
    const error = new TypeError(message, cause === undefined ? undefined : { cause });
    await this.finish({ error: errorToJson(error) })?.catch(noop);
    throw error;
  }

  /** Milliseconds since the first request, rounded to a microsecond. */
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
