import { textOf } from "../../messages/blocks/read.js";
import { jsonText } from "../../text/json-text.js";
import type { ToolOutcome, ToolRun } from "../middleware/middleware.js";
import type { StreamEnding, StreamObserver } from "../middleware/observe.js";
import { boundedName } from "./attributes.js";
import type { OpenTelemetryContext } from "./api.js";
import { type TelemetryKit, spanKinds, Operation } from "./operation.js";
import { withoutUndefined } from "../../json/value.js";

/** The span of a tool run: `execute_tool`. */
export class ToolTrace implements StreamObserver<ToolOutcome> {
  private readonly kit: TelemetryKit;
  private readonly run: ToolRun;
  private readonly operation: Operation;

  constructor(kit: TelemetryKit, run: ToolRun, parent: OpenTelemetryContext) {
    const { tool, call } = run;
    const dimensions = withoutUndefined({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool.name,
      "gen_ai.tool.type": "function",
      "gen_ai.agent.name": run.run.agent,
    });
    this.kit = kit;
    this.run = run;
    this.operation = new Operation(kit, {
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
  }

  within<R>(work: () => R): R {
    return this.operation.within(work);
  }

  onItem(outcome: ToolOutcome): void {
    if (outcome.type === "error") this.operation.fail(outcome.error);
    else if (outcome.type === "paused") this.operation.set({ "millrace.paused": true });
    else if (outcome.type === "result" && this.kit.captureContent) {
      this.operation.set({ "gen_ai.tool.call.result": textOf(outcome.message) });
    }
  }

  onEnd(ending: StreamEnding): void {
    this.operation.end(ending, this.run.run.signal);
  }
}
