/**
 * The part of `@opentelemetry/api` that `telemetry()` uses. Pass the module itself: `import * as api from
 * "@opentelemetry/api"`. This package declares the types and never imports the module, so you only install it if you
 * use it.
 */
export interface OpenTelemetryApi {
  readonly context: {
    active(): OpenTelemetryContext;
    with<T>(context: OpenTelemetryContext, work: () => T): T;
  };
  readonly trace: {
    getTracer(name: string): OpenTelemetryTracer;
    setSpan(context: OpenTelemetryContext, span: OpenTelemetrySpan): OpenTelemetryContext;
  };
  readonly metrics: {
    getMeter(name: string): OpenTelemetryMeter;
  };
}

/** The context that holds the parent of a span. Opaque to this package. */
export interface OpenTelemetryContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OpenTelemetryContext;
  deleteValue(key: symbol): OpenTelemetryContext;
}

/** Makes spans. */
export interface OpenTelemetryTracer {
  startSpan(
    name: string,
    options: { kind: number; attributes: OpenTelemetryAttributes },
    context: OpenTelemetryContext,
  ): OpenTelemetrySpan;
}

/** A span: one operation with its start and end. */
export interface OpenTelemetrySpan {
  setAttributes(attributes: OpenTelemetryAttributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  addEvent(name: string): unknown;
  end(): void;
}

/** Makes metrics. */
export interface OpenTelemetryMeter {
  createHistogram(
    name: string,
    options: { description: string; unit: string; advice: { explicitBucketBoundaries: number[] } },
  ): OpenTelemetryHistogram;
}

/** A histogram metric. */
export interface OpenTelemetryHistogram {
  record(value: number, attributes: OpenTelemetryAttributes, context: OpenTelemetryContext): void;
}

/** The attributes of a span or a measurement. */
export type OpenTelemetryAttributes = Record<string, string | number | boolean | string[]>;
