import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  type MetricData,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { telemetry, type Middleware, type TelemetryOptions } from "millrace/agent";

/** Telemetry that keeps spans and metrics in memory. */
export interface Recorded {
  readonly middleware: Middleware;
  readonly tracer: api.Tracer;
  /** The ended spans in the order of their ends. */
  spans(): ReadableSpan[];
  /** The measurements of a metric, with attributes, sum and count. */
  metric(name: string): Promise<Measured[]>;
  metricNames(): Promise<string[]>;
}

export interface Measured {
  readonly attributes: api.Attributes;
  readonly sum: number | undefined;
  readonly count: number;
}

/** One context manager for the process, as in a real program. It keeps the context across promises. */
export function registerContextManager(): void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}
registerContextManager();

export function recorded(options: Partial<TelemetryOptions> = {}): Recorded {
  const spans = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 })],
  });
  const tracer = tracers.getTracer("test");
  const exported = async (): Promise<MetricData[]> => {
    await meters.forceFlush();
    return (
      metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
    );
  };
  return {
    middleware: telemetry({ api, tracer, meter: meters.getMeter("test"), ...options }),
    tracer,
    spans: () => spans.getFinishedSpans(),
    metricNames: async () => (await exported()).map(({ descriptor }) => descriptor.name).sort(),
    metric: async (name) => {
      const found = (await exported()).find(({ descriptor }) => descriptor.name === name);
      return (found?.dataPoints ?? []).map(({ attributes, value }) => {
        const { sum, count } = value as Histogram;
        return { attributes, sum, count };
      });
    },
  };
}

/** The spans in the order of their start, each indented under its parent. */
export function tree(spans: readonly ReadableSpan[]): string[] {
  const below = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter((span) => span.parentSpanContext?.spanId === parent)
      .sort((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1])
      .flatMap((span) => [indent + span.name, ...below(span.spanContext().spanId, `${indent}  `)]);
  return below(undefined, "");
}

/** The span with this name. */
export function spanOf(recorded: Recorded, name: string): ReadableSpan {
  const found = recorded.spans().filter((span) => span.name === name);
  if (found.length !== 1) throw new Error(`There are ${found.length} spans of the name ${name}.`);
  return found[0] as ReadableSpan;
}
