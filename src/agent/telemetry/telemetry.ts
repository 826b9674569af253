import { type Clock, systemClock } from "../../stream/time/clock.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { invalidOptions } from "../errors.js";
import { observe } from "../middleware/observe.js";
import type { Middleware, RunInfo } from "../middleware/middleware.js";
import type {
  OpenTelemetryApi,
  OpenTelemetryContext,
  OpenTelemetryMeter,
  OpenTelemetryTracer,
} from "./api.js";
import { createInstruments } from "./instruments.js";
import { modelTrace } from "./model-trace.js";
import type { TelemetryKit } from "./operation.js";
import { runTrace } from "./run-trace.js";
import { toolTrace } from "./tool-trace.js";

/** The options of `telemetry()`. */
export interface TelemetryOptions {
  /** `import * as api from "@opentelemetry/api"`. */
  readonly api: OpenTelemetryApi;
  /** Default: the tracer `millrace` of `api`. */
  readonly tracer?: OpenTelemetryTracer;
  /** Default: the meter `millrace` of `api`. */
  readonly meter?: OpenTelemetryMeter;
  /**
   * Whether spans contain content: the messages, the arguments and results of tools, and error messages, which may
   * quote them. Default: false.
   */
  readonly captureContent?: boolean;
  /** The clock for metrics. Spans use the clock of OpenTelemetry. Default: the system clock. */
  readonly clock?: Clock;
}

// prettier-ignore
const optionNames = {
  api: true, tracer: true, meter: true, captureContent: true, clock: true,
} satisfies OptionNames<TelemetryOptions>;

/**
 * Records OpenTelemetry spans and metrics of runs, following the semantic conventions for generative AI. The span of a
 * run is `invoke_agent`. Its children are `chat` for each model call and `execute_tool` for each tool run. If
 * OpenTelemetry has a context manager, spans that models and tools make themselves are children of these.
 *
 * Put it last in `middleware` to record the calls that are really made: the model that was chosen, and each attempt of
 * a retry. Without a registered SDK it records nothing and costs little. docs/reference/telemetry.md lists all names.
 *
 * The conventions are still in development. This follows version 1.41:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 *
 * @throws {AgentError} `invalid_options` without `api`
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import * as api from "@opentelemetry/api";
 * import { createAgent } from "millrace";
 * import { telemetry } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({
 *   name: "greeter",
 *   model: scriptedModel(["Hello."]),
 *   middleware: [telemetry({ api })],
 * });
 * await agent.invoke("Hi");
 * ```
 */
export function telemetry(options: TelemetryOptions): Middleware {
  checkOptions("telemetry()", options, optionNames);
  const { api, captureContent = false, clock = systemClock } = options;
  if (typeof (api as Partial<OpenTelemetryApi> | undefined)?.trace?.getTracer !== "function")
    throw invalidOptions('telemetry() needs api: import * as api from "@opentelemetry/api".');
  let kit: TelemetryKit | undefined;
  // Created with the first run, because an SDK may be registered after the agent is made.
  const kitOf = (): TelemetryKit =>
    (kit ??= {
      api,
      tracer: options.tracer ?? api.trace.getTracer("millrace"),
      instruments: createInstruments(options.meter ?? api.metrics.getMeter("millrace")),
      captureContent,
      clock,
    });
  const contexts = new WeakMap<AbortSignal, OpenTelemetryContext>();
  const contextOf = (run: RunInfo): OpenTelemetryContext => contexts.get(run.signal) ?? api.context.active();
  return {
    name: "telemetry",
    aroundRun: (run, next) =>
      observe(
        () => next(run),
        () => {
          const { observer, context } = runTrace(kitOf(), run);
          contexts.set(run.signal, context);
          return observer;
        },
      ),
    aroundModel: (call, next) =>
      observe(
        () => next(call),
        () => modelTrace(kitOf(), call, contextOf(call.run)),
      ),
    aroundTool: (toolRun, next) =>
      observe(
        () => next(toolRun),
        () => toolTrace(kitOf(), toolRun, contextOf(toolRun.run)),
      ),
  };
}
