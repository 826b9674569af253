import type { JsonPatchOperation } from "../../json/patch/patch.js";
import type { AgentEvent } from "../events.js";
import type { StreamEnding, StreamObserver } from "../middleware/observe.js";
import type { RunInfo } from "../middleware/middleware.js";
import type { OpenTelemetryContext } from "./api.js";
import { type TelemetryKit, spanKinds, Operation } from "./operation.js";
import { usageAttributes } from "./attributes.js";
import { withoutUndefined } from "../../json/value.js";

/** The span of a run: `invoke_agent`. All other spans of the run are its children, by its context. */
export function runTrace(
  kit: TelemetryKit,
  run: RunInfo,
): { readonly observer: StreamObserver<AgentEvent>; readonly context: OpenTelemetryContext } {
  const attributes = withoutUndefined({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": run.agent,
  });
  const operation = new Operation(kit, {
    name: ["invoke_agent", run.agent].join(" ").trimEnd(),
    kind: spanKinds.internal,
    attributes,
    parent: kit.api.context.active(),
    duration: kit.instruments.runDuration,
    dimensions: attributes,
  });
  const { firstToken, firstField, structured } = kit.instruments;
  const onItem = (event: AgentEvent): void => {
    switch (event.type) {
      case "text":
      case "reasoning":
      case "tool_call":
      case "structured_patch":
        operation.mark(firstToken, "millrace.time_to_first_token", "first_token");
        if (event.type === "structured_patch" && event.patch.some(hasField)) {
          operation.mark(firstField, "millrace.time_to_first_field", "first_field");
        }
        break;
      case "structured":
        operation.mark(structured, "millrace.time_to_structured_response", "structured_response");
        break;
      case "usage":
        operation.set(usageAttributes(event.total));
        break;
      case "finish":
        operation.set(
          withoutUndefined({
            "millrace.finish": event.reason,
            "millrace.steps": event.state.step,
            "gen_ai.response.finish_reasons": event.finishReason && [event.finishReason],
          }),
        );
        break;
      default: // not measured
    }
  };
  const onEnd = (ending: StreamEnding): void => {
    operation.end(ending, run.signal);
  };
  return { observer: { within: operation.within, onItem, onEnd }, context: operation.context };
}

/** Whether a patch has data to show. The first patch often adds an empty object. */
function hasField({ path, value }: JsonPatchOperation): boolean {
  return path !== "" || (typeof value === "object" ? Object.keys(value ?? {}).length > 0 : true);
}
