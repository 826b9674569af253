import type { SystemMessage } from "../../messages/message.js";
import type { TokenPrices } from "../../messages/prices.js";
import type { ChatModel } from "../../models/contract/chat-model.js";
import type { Schema } from "../../schema/schema.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { AgentCallOptions, Middleware, RunInfo } from "../middleware/middleware.js";
import type { Planner } from "../answer/plan.js";
import type { AgentResponseFormat } from "../answer/response-format.js";

/** The options of an agent with the defaults applied, and its model. All runs of the agent share it. */
export interface RunSetup extends Required<Pick<RunInfo, "coercion">> {
  readonly name: string | undefined;
  readonly model: ChatModel;
  readonly tools: readonly AnyTool[];
  readonly responseFormat: AgentResponseFormat | undefined;
  readonly system: SystemMessage | undefined;
  readonly middleware: readonly Middleware[];
  readonly callOptions: AgentCallOptions;
  readonly maxSteps: number;
  readonly maxRetries: number;
  readonly contextSchema: Schema<unknown> | undefined;
  readonly stateSchema: Schema<unknown> | undefined;
  readonly store: unknown;
  readonly planner: Planner;
  readonly prices: TokenPrices;
}

/** The same before a run. The first run loads the model if `model` is its name. */
export interface AgentSetup extends Omit<RunSetup, "model"> {
  readonly loadModel: () => ChatModel | Promise<ChatModel>;
}
