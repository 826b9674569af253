import type { Clock } from "../../stream/time/clock.js";
import { errorType } from "../middleware/error-type.js";
import type { StreamEnding } from "../middleware/observe.js";
import { closeReason, endReason } from "../loop/run.js";
import type {
  OpenTelemetryApi,
  OpenTelemetryAttributes,
  OpenTelemetryContext,
  OpenTelemetryHistogram,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
} from "./api.js";
import type { Instruments } from "./instruments.js";
import { isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";

/** The parts of `telemetry()` that all its operations share. */
export interface TelemetryKit {
  readonly api: OpenTelemetryApi;
  readonly tracer: OpenTelemetryTracer;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly captureContent: boolean;
}

/** The values of OpenTelemetry's `SpanKind` that are used here. */
export const spanKinds: { readonly internal: number; readonly client: number } = { internal: 0, client: 2 };

/**
 * OpenTelemetry's `SpanStatusCode.ERROR`. Successful spans get no status: setting `OK` is reserved for applications.
 */
const errorStatus = 2;

export interface OperationStart {
  readonly name: string;
  readonly kind: number;
  /** The attributes known at the start, which samplers see. */
  readonly attributes: OpenTelemetryAttributes;
  readonly parent: OpenTelemetryContext;
  readonly duration: OpenTelemetryHistogram;
  /** The attributes of the measurements. */
  readonly dimensions: OpenTelemetryAttributes;
}

/** One span and its measurements. */
export class Operation {
  /** Spans that start in this context are children of the span. */
  readonly context: OpenTelemetryContext;
  private readonly kit: TelemetryKit;
  private readonly span: OpenTelemetrySpan;
  private readonly duration: OpenTelemetryHistogram;
  private readonly began: number;
  private readonly marks = new Set<string>();
  private failed = false;
  private dimensions: OpenTelemetryAttributes;

  constructor(kit: TelemetryKit, { name, kind, attributes, parent, duration, dimensions }: OperationStart) {
    this.kit = kit;
    this.span = kit.tracer.startSpan(name, { kind, attributes }, parent);
    this.context = kit.api.trace.setSpan(parent, this.span);
    this.duration = duration;
    this.dimensions = dimensions;
    this.began = kit.clock.now();
  }

  readonly within = <R>(work: () => R): R => this.kit.api.context.with(this.context, work);

  set(attributes: OpenTelemetryAttributes): void {
    this.span.setAttributes(attributes);
  }

  /** Adds attributes to all following measurements. */
  addDimensions(dimensions: OpenTelemetryAttributes): void {
    this.dimensions = { ...this.dimensions, ...dimensions };
  }

  measure(metric: OpenTelemetryHistogram, value: number, dimensions?: OpenTelemetryAttributes): void {
    metric.record(value, { ...this.dimensions, ...dimensions }, this.context);
  }

  /** Records the time since the start, once for each attribute, as a measurement and an attribute of the span. */
  mark(metric: OpenTelemetryHistogram, attribute: string, event?: string): void {
    if (this.marks.has(attribute)) return; // not the metric: without an SDK, all metrics are one object
    this.marks.add(attribute);
    const seconds = this.seconds();
    this.measure(metric, seconds);
    this.set({ [attribute]: seconds });
    if (event !== undefined) this.span.addEvent(event);
  }

  /** @param signal the signal of the run */
  end(ending: StreamEnding, signal: AbortSignal): void {
    const cause = causeOf(ending, signal);
    if (cause === "left") {
      // A retry leaves an attempt that has failed.
      if (!this.failed) this.set({ "millrace.left": true });
    } else if (cause !== undefined) this.fail(cause.error);
    this.measure(this.duration, this.seconds());
    this.span.end();
  }

  fail(error: unknown): void {
    this.failed = true;
    const type = { "error.type": errorType(error) };
    this.set(type);
    this.addDimensions(type);
    // An error message may quote content.
    const message =
      this.kit.captureContent && isInstance(error, Error) ? { message: messageOf(error) } : undefined;
    this.span.setStatus({ code: errorStatus, ...message });
  }

  private seconds(): number {
    return (this.kit.clock.now() - this.began) / 1_000;
  }
}

/**
 * The cause of an early end; `undefined` for a normal one. An operation that stops with its run gets the cause from the
 * run's signal, because the abort and the closing of the stream may arrive in either order.
 */
function causeOf(
  ending: StreamEnding,
  { aborted, reason }: AbortSignal,
): "left" | { error: unknown } | undefined {
  if (ending === "done") return undefined;
  const stopped = aborted && (ending === "left" || ending.error === reason);
  if (!stopped) return ending;
  return reason === closeReason || reason === endReason ? "left" : { error: reason as unknown };
}
