/**
 * What telemetry uses of `@opentelemetry/api`: the module itself is one (`import * as api from "@opentelemetry/api"`). It is
 * described here, and never imported, so that those who do not have it need not install it.
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

/** What spans are children of: its content is OpenTelemetry's own business. */
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

/** One operation, as long as it lasts. */
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

/** A metric of which the distribution counts. */
export interface OpenTelemetryHistogram {
  record(value: number, attributes: OpenTelemetryAttributes, context: OpenTelemetryContext): void;
}

/** What is known of a span or a measurement. */
export type OpenTelemetryAttributes = Record<string, string | number | boolean | string[]>;
