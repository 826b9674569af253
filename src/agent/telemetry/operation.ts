import type { Clock } from "../../stream/time/clock.js";
import { errorType } from "../middleware/error-type.js";
import type { WatchEnding } from "../middleware/watched.js";
import { left } from "../loop/run.js";
import type {
  OpenTelemetryApi,
  OpenTelemetryAttributes,
  OpenTelemetryContext,
  OpenTelemetryHistogram,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
} from "./api.js";
import type { Instruments } from "./instruments.js";

/** What all operations of a telemetry share. */
export interface Kit {
  readonly api: OpenTelemetryApi;
  readonly tracer: OpenTelemetryTracer;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly captureContent: boolean;
}

/** The values of OpenTelemetry's `SpanKind` that are used here. */
export const kinds: { readonly internal: number; readonly client: number } = { internal: 0, client: 2 };

/** OpenTelemetry's `SpanStatusCode.ERROR`. A span that went well has no status: that is for the application to say. */
const failed = 2;

export interface OperationStart {
  readonly name: string;
  readonly kind: number;
  /** Those that are known before: what a sampler sees. */
  readonly attributes: OpenTelemetryAttributes;
  readonly parent: OpenTelemetryContext;
  readonly duration: OpenTelemetryHistogram;
  /** Of the measurements. */
  readonly dimensions: OpenTelemetryAttributes;
}

/** One span, and what is measured of it. */
export class Operation {
  /** What is done in this is a child of the span. */
  readonly context: OpenTelemetryContext;
  private readonly kit: Kit;
  private readonly span: OpenTelemetrySpan;
  private readonly duration: OpenTelemetryHistogram;
  private readonly began: number;
  private readonly marks = new Set<OpenTelemetryHistogram>();
  private dimensions: OpenTelemetryAttributes;

  constructor(kit: Kit, { name, kind, attributes, parent, duration, dimensions }: OperationStart) {
    this.kit = kit;
    this.span = kit.tracer.startSpan(name, { kind, attributes }, parent);
    this.context = kit.api.trace.setSpan(parent, this.span);
    this.duration = duration;
    this.dimensions = dimensions;
    this.began = kit.clock.now();
  }

  within<R>(work: () => R): R {
    return this.kit.api.context.with(this.context, work);
  }

  set(attributes: OpenTelemetryAttributes): void {
    this.span.setAttributes(attributes);
  }

  /** What is known of the measurements that are still to come. */
  measureWith(dimensions: OpenTelemetryAttributes): void {
    this.dimensions = { ...this.dimensions, ...dimensions };
  }

  measure(metric: OpenTelemetryHistogram, value: number, dimensions?: OpenTelemetryAttributes): void {
    metric.record(value, { ...this.dimensions, ...dimensions }, this.context);
  }

  /** How long it took until now: measured once for each metric, and an attribute of the span. */
  mark(metric: OpenTelemetryHistogram, attribute: string, event?: string): void {
    if (this.marks.has(metric)) return;
    this.marks.add(metric);
    const seconds = this.seconds();
    this.measure(metric, seconds);
    this.set({ [attribute]: seconds });
    if (event !== undefined) this.span.addEvent(event);
  }

  /** @param signal of the run */
  end(ending: WatchEnding, signal: AbortSignal): void {
    const cause = causeOf(ending, signal);
    if (cause === "left") this.set({ "millrace.left": true });
    else if (cause !== undefined) this.fail(cause.error);
    this.measure(this.duration, this.seconds());
    this.span.end();
  }

  fail(error: unknown): void {
    const type = { "error.type": errorType(error) };
    this.set(type);
    this.measureWith(type);
    // What an error says may quote what was said.
    const message =
      this.kit.captureContent && error instanceof Error ? { message: error.message } : undefined;
    this.span.setStatus({ code: failed, ...message });
  }

  private seconds(): number {
    return (this.kit.clock.now() - this.began) / 1_000;
  }
}

/**
 * Why something ended, if not well. What is stopped along with its run is told by the run's signal, whichever of the two
 * was seen first: the abort, or the closing of the stream.
 */
function causeOf(
  ending: WatchEnding,
  { aborted, reason }: AbortSignal,
): "left" | { error: unknown } | undefined {
  if (ending === "done") return undefined;
  const stopped = aborted && (ending === "left" || ending.error === reason);
  if (!stopped) return ending;
  return reason === left ? "left" : { error: reason as unknown };
}
