import type { OpenTelemetryHistogram, OpenTelemetryMeter } from "./api.js";

/** The metrics. As everywhere in OpenTelemetry, times are in seconds. */
export interface Instruments {
  readonly modelDuration: OpenTelemetryHistogram;
  readonly firstChunk: OpenTelemetryHistogram;
  readonly tokens: OpenTelemetryHistogram;
  readonly runDuration: OpenTelemetryHistogram;
  readonly toolDuration: OpenTelemetryHistogram;
  readonly firstToken: OpenTelemetryHistogram;
  readonly firstField: OpenTelemetryHistogram;
  readonly structured: OpenTelemetryHistogram;
}

/**
 * Names, units and buckets are those of the GenAI semantic conventions. Metrics named `millrace.…` are not part of
 * them.
 */
export function createInstruments(meter: OpenTelemetryMeter): Instruments {
  const histogram = (
    name: string,
    description: string,
    unit: string,
    bounds: number[],
  ): OpenTelemetryHistogram =>
    meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: bounds } });
  const time = (name: string, description: string, first = 0.01): OpenTelemetryHistogram =>
    histogram(name, description, "s", doublings(first, 14));
  return {
    modelDuration: time("gen_ai.client.operation.duration", "Duration of a model call."),
    firstChunk: time(
      "gen_ai.client.operation.time_to_first_chunk",
      "Time from a model call to its first chunk.",
    ),
    tokens: histogram(
      "gen_ai.client.token.usage",
      "Number of tokens that a model call used.",
      "{token}",
      Array.from({ length: 14 }, (_, power) => 4 ** power),
    ),
    runDuration: time("gen_ai.invoke_agent.duration", "Duration of an agent run.", 0.1),
    toolDuration: time("gen_ai.execute_tool.duration", "Duration of a tool run."),
    firstToken: time(
      "millrace.agent.time_to_first_token",
      "Time from the start of a run to the first output of a model.",
    ),
    firstField: time(
      "millrace.agent.time_to_first_field",
      "Time from the start of a run to the first field of its structured response.",
    ),
    structured: time(
      "millrace.agent.time_to_structured_response",
      "Time from the start of a run to its valid structured response.",
    ),
  };
}

function doublings(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, power) => first * 2 ** power);
}
