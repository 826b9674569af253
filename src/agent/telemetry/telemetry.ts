import { type Clock, systemClock } from "../../stream/time/clock.js";
import { watched } from "../middleware/watched.js";
import type { Middleware, RunInfo } from "../middleware/middleware.js";
import type {
  OpenTelemetryApi,
  OpenTelemetryContext,
  OpenTelemetryMeter,
  OpenTelemetryTracer,
} from "./api.js";
import { instrumentsOf } from "./instruments.js";
import { ModelTrace } from "./model-trace.js";
import type { Kit } from "./operation.js";
import { RunTrace } from "./run-trace.js";
import { ToolTrace } from "./tool-trace.js";

/** The options of `telemetry()`. */
export interface TelemetryOptions {
  /** `import * as api from "@opentelemetry/api"`. */
  readonly api: OpenTelemetryApi;
  /** Default: the one that `api` has for `millrace`. */
  readonly tracer?: OpenTelemetryTracer;
  /** Default: the one that `api` has for `millrace`. */
  readonly meter?: OpenTelemetryMeter;
  /**
   * Whether spans carry what was said: the messages, the arguments and results of tools, and what errors say, which may quote
   * them. Default: false.
   */
  readonly captureContent?: boolean;
  /** For what is measured: spans have a clock of their own. The machine's clock, by default. */
  readonly clock?: Clock;
}

/**
 * Makes OpenTelemetry spans and metrics of a run, by the semantic conventions for generative AI: `invoke_agent`, and in it
 * `chat` for each call of a model and `execute_tool` for each run of a tool. What a tool or a model does itself is in their
 * spans, where OpenTelemetry has a context manager.
 *
 * As the last middleware it sees what is really asked and run: the model that was chosen, and each attempt of a retry. Without
 * an SDK that is registered it does nothing, at little cost. docs/telemetry.md lists all names.
 *
 * The conventions are in development; these are those of version 1.41:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
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
  const { api, captureContent = false, clock = systemClock } = options;
  let kit: Kit | undefined;
  // Made with the first run: before an SDK is registered there are no metrics to be had.
  const kitOf = (): Kit =>
    (kit ??= {
      api,
      tracer: options.tracer ?? api.trace.getTracer("millrace"),
      instruments: instrumentsOf(options.meter ?? api.metrics.getMeter("millrace")),
      captureContent,
      clock,
    });
  const contexts = new WeakMap<RunInfo, OpenTelemetryContext>();
  const contextOf = (run: RunInfo): OpenTelemetryContext => contexts.get(run) ?? api.context.active();
  return {
    name: "telemetry",
    aroundRun: (run, next) =>
      watched(
        () => next(run),
        () => {
          const trace = new RunTrace(kitOf(), run);
          contexts.set(run, trace.operation.context);
          return trace;
        },
      ),
    aroundModel: (call, next) =>
      watched(
        () => next(call),
        () => new ModelTrace(kitOf(), call, contextOf(call.run)),
      ),
    aroundTool: (run, next) =>
      watched(
        () => next(run),
        () => new ToolTrace(kitOf(), run, contextOf(run.run)),
      ),
  };
}
