import { MillraceError } from "../../../errors.js";
import type { JsonPatch } from "../../../json/patch/patch.js";
import type { JsonObject } from "../../../json/value.js";
import { toEventStream } from "../../../serve/patches/to-event-stream.js";
import type { StreamLog } from "../../../serve/log/stream-log.js";
import type { Clock } from "../../../stream/time/clock.js";
import { pipe } from "../../../stream/pipe.js";
import { parserFor } from "../../commands/parser-for.js";
import { endOf } from "./end-of.js";
import { Meter } from "./meter.js";
import { Pace } from "./pace.js";
import type { Control, End, Pacing } from "../protocol.js";
import type { ChunkedText } from "./recorded-chunks.js";
import { TraceWriter } from "./trace-writer.js";

/** What a run reads, and how. */
export interface Reading extends ChunkedText {
  readonly schema: JsonObject | undefined;
  readonly strict: boolean;
  readonly pace: Pacing;
  /** Aborted when the run is over, so that a model stops, too. */
  readonly over: AbortController;
}

/** What a run needs of the server. */
export interface RunContext {
  readonly log: StreamLog;
  readonly clock: Clock;
  /** Hears of errors that the page is not told of. */
  readonly onError: (error: unknown) => void;
}

/** What there is to watch. */
export type Part = "document" | "trace";

/** One document that is read. It goes on by itself, and may be watched by any number of readers. */
export class PlaygroundRun {
  readonly id: string = crypto.randomUUID();
  private readonly over: AbortController;
  private readonly pace: Pace;
  private readonly meter: Meter;
  private readonly trace: TraceWriter;
  private readonly context: RunContext;
  /** What its readers are for, until the first of each comes: nothing runs before somebody watches. */
  private readonly parts: Map<Part, AsyncIterable<JsonPatch>>;
  /** Aborted when the readers are to lose their connections. */
  private connections = new AbortController();

  constructor(reading: Reading, context: RunContext) {
    const { chunks, total, schema, strict, over } = reading;
    const { clock } = context;
    this.context = context;
    this.over = over;
    this.pace = new Pace(reading.pace, clock);
    this.trace = new TraceWriter(total, clock);
    this.meter = new Meter(this.trace, strict, clock);
    const parser = parserFor(schema, {
      append: true,
      strict,
      nullAsAbsent: true, // strict modes write null for an absent optional property
      onRepair: (repair) => this.meter.repair(repair),
    });
    const { before, behind } = this.meter;
    const patches = pipe(chunks, this.pace.stage(over.signal), before, parser.patches, behind);
    this.parts = new Map([
      ["document", this.followed(patches)],
      ["trace", this.trace.patches()],
    ]);
  }

  /** The patches of the document, or of what is told about it. */
  events(part: Part, lastEventId: string | null): Response {
    const { log, onError } = this.context;
    const patches = this.parts.get(part);
    // From here on they are in the log, whoever reads them.
    this.parts.delete(part);
    return toEventStream(patches, {
      log,
      id: `${this.id}/${part}`,
      lastEventId,
      signal: this.connections.signal,
      onError: (error) => {
        if (!(error instanceof MillraceError)) onError(error);
        return endOf(error);
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

  private async *followed(patches: AsyncIterable<JsonPatch>): AsyncGenerator<JsonPatch, void, undefined> {
    let end: End = { kind: "stopped" };
    try {
      yield* patches;
      end = { kind: "complete" };
    } catch (error) {
      if (!this.over.signal.aborted) end = endOf(error);
      throw error;
    } finally {
      this.meter.finish();
      this.trace.close(end);
      this.over.abort();
    }
  }
}
