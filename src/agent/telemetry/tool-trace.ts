import { textOf } from "../../messages/blocks/read.js";
import { jsonText } from "../../text/json-text.js";
import type { ToolOutcome, ToolRun } from "../middleware/middleware.js";
import type { StreamObserver } from "../middleware/observe.js";
import { boundedName } from "./attributes.js";
import type { OpenTelemetryContext } from "./api.js";
import { type TelemetryKit, spanKinds, Operation } from "./operation.js";
import { withoutUndefined } from "../../json/value.js";

/** The span of a tool run: `execute_tool`. */
export function toolTrace(
  kit: TelemetryKit,
  { tool, call, run }: ToolRun,
  parent: OpenTelemetryContext,
): StreamObserver<ToolOutcome> {
  const dimensions = withoutUndefined({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool.name,
    "gen_ai.tool.type": "function",
    "gen_ai.agent.name": run.agent,
  });
  const operation = new Operation(kit, {
    name: `execute_tool ${tool.name}`,
    kind: spanKinds.internal,
    attributes: withoutUndefined({
      ...dimensions,
      "gen_ai.tool.call.id": boundedName(call.id),
      "gen_ai.tool.description": tool.description,
      "gen_ai.tool.call.arguments": kit.captureContent ? jsonText(call.args).text : undefined,
    }),
    parent,
    duration: kit.instruments.toolDuration,
    dimensions,
  });
  return {
    within: operation.within,
    onItem(outcome) {
      if (outcome.type === "error") operation.fail(outcome.error);
      else if (outcome.type === "paused") operation.set({ "millrace.paused": true });
      else if (outcome.type === "result" && kit.captureContent) {
        operation.set({ "gen_ai.tool.call.result": textOf(outcome.message) });
      }
    },
    onEnd(ending) {
      operation.end(ending, run.signal);
    },
  };
}
