import { type Clock, MillraceError, pipe } from "millrace";
import type { AnyPatchOperation } from "millrace/json";
import { type StreamLog, toEventStream } from "millrace/serve";
import { failedEnd } from "./failed-end.js";
import { RunMeter } from "./measure/run-meter.js";
import { Pace } from "./pace.js";
import type { Control, End, Pacing } from "../protocol.js";
import type { ChunkedText } from "./recorded-chunks.js";
import { type RunFormat, runParser } from "./run-parser.js";
import { TraceWriter } from "./trace-writer.js";

/** A run's text, parser options and speed. */
export interface PlaygroundRunOptions extends ChunkedText {
  readonly format: RunFormat;
  readonly strict: boolean;
  readonly pace: Pacing;
  /** Aborted when the run is over, which also stops the model. */
  readonly over: AbortController;
}

/** The server's services for a run. */
export interface RunContext {
  readonly log: StreamLog;
  readonly clock: Clock;
  /** Called with errors whose details are not sent to the page. */
  readonly onError: (error: unknown) => void;
}

/** The streams of a run. */
export type Part = "document" | "trace";

/** Parses one text. Any number of readers can follow a run, and it continues without them. */
export class PlaygroundRun {
  readonly id: string = crypto.randomUUID();
  private readonly over: AbortController;
  private readonly pace: Pace;
  private readonly meter: RunMeter;
  private readonly trace: TraceWriter;
  private readonly context: RunContext;
  /** Streams that have no reader yet. The first reader of a stream starts it. */
  private readonly parts: Map<Part, AsyncIterable<readonly AnyPatchOperation[]>>;
  /** Aborted to close the readers' connections. */
  private connections = new AbortController();

  constructor(options: PlaygroundRunOptions, context: RunContext) {
    const { chunks, total, format, strict, over } = options;
    const { clock } = context;
    this.context = context;
    this.over = over;
    this.pace = new Pace(options.pace, clock);
    this.trace = new TraceWriter(total, clock);
    const parser = runParser(format, strict, {
      repair: (repair) => this.meter.repair(repair),
      refuse: (error) => this.meter.refuse(error),
    });
    this.meter = new RunMeter(this.trace);
    const { before, after } = this.meter;
    const patches = pipe(chunks, this.pace.stage(over.signal), before, parser, after);
    this.parts = new Map([
      ["document", this.followed(patches)],
      ["trace", this.trace.patches()],
    ]);
  }

  /** Responds with the patches of the document or the trace as server-sent events. */
  events(part: Part, lastEventId: string | null): Response {
    const { log, onError } = this.context;
    const patches = this.parts.get(part);
    // toEventStream() writes the patches to the log; later readers need only the log.
    this.parts.delete(part);
    return toEventStream(patches, {
      log,
      id: `${this.id}/${part}`,
      lastEventId,
      signal: this.connections.signal,
      onError: (error) => {
        if (!(error instanceof MillraceError)) onError(error);
        return failedEnd(error);
      },
    });
  }

  async control(control: Control): Promise<void> {
    switch (control.action) {
      case "pace":
        this.pace.set(control);
        return;
      case "step":
        this.pace.step();
        return;
      case "cut":
        this.connections.abort();
        this.connections = new AbortController();
        return;
      case "stop":
        await this.stop();
        return;
    }
  }

  async stop(): Promise<void> {
    await this.context.log.stop(`${this.id}/document`);
    this.over.abort();
  }

  private async *followed(
    patches: AsyncIterable<readonly AnyPatchOperation[]>,
  ): AsyncGenerator<readonly AnyPatchOperation[], void, undefined> {
    let end: End = { kind: "stopped" };
    try {
      yield* patches;
      end = { kind: "complete" };
    } catch (error) {
      if (!this.over.signal.aborted) end = failedEnd(error);
      throw error;
    } finally {
      this.meter.finish();
      this.trace.close(end);
      this.over.abort();
    }
  }
}
