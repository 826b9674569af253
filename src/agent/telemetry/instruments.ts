import type { OpenTelemetryHistogram, OpenTelemetryMeter } from "./api.js";

/** The metrics. Times are in seconds, as everywhere in OpenTelemetry. */
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

/** The names, units and bounds of the GenAI semantic conventions; those of `millrace.` are not in them. */
export function instrumentsOf(meter: OpenTelemetryMeter): Instruments {
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
    modelDuration: time("gen_ai.client.operation.duration", "The duration of a call of a model."),
    firstChunk: time(
      "gen_ai.client.operation.time_to_first_chunk",
      "From a call of a model to its first chunk.",
    ),
    tokens: histogram(
      "gen_ai.client.token.usage",
      "The tokens that a call of a model has used.",
      "{token}",
      Array.from({ length: 14 }, (_, power) => 4 ** power),
    ),
    runDuration: time("gen_ai.invoke_agent.duration", "The duration of a run of an agent.", 0.1),
    toolDuration: time("gen_ai.execute_tool.duration", "The duration of a run of a tool."),
    firstToken: time(
      "millrace.agent.time_to_first_token",
      "From the beginning of a run to what a model first writes.",
    ),
    firstField: time(
      "millrace.agent.time_to_first_field",
      "From the beginning of a run to the first field of its structured response.",
    ),
    structured: time(
      "millrace.agent.time_to_structured_response",
      "From the beginning of a run to its structured response, complete and checked.",
    ),
  };
}

function doublings(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, power) => first * 2 ** power);
}
