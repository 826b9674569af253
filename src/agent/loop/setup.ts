import type { SystemMessage } from "../../messages/message.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import type { Schema } from "../../schema/schema.js";
import type { AnyTool } from "../../tools/define/any-tool.js";
import type { AgentCallOptions, Middleware, NextToolRun } from "../middleware/middleware.js";
import type { Planner } from "./plan.js";
import type { AgentResponseFormat } from "../response/response-format.js";

/** An agent as its runs see it: its options, with the defaults in place. */
export interface Setup {
  readonly name: string | undefined;
  readonly model: ChatModel;
  readonly tools: readonly AnyTool[];
  readonly responseFormat: AgentResponseFormat | undefined;
  readonly systemPrompt: SystemMessage | undefined;
  readonly middleware: readonly Middleware[];
  readonly callOptions: AgentCallOptions;
  readonly maxSteps: number;
  readonly maxRetries: number;
  readonly contextSchema: Schema<unknown> | undefined;
  readonly store: unknown;
  readonly planner: Planner;
  /** Runs a tool, with all that is around it. */
  readonly runTool: NextToolRun;
}
