import { textOf } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import type { TokenPrices } from "../../messages/prices.js";
import type { CallOptions, ChatModel, ToolDefinition } from "../../models/contract/chat-model.js";
import type { ModelError } from "../../models/contract/errors.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import { invalidOptions } from "../errors.js";
import type { Plan, PlannedCall, Planner } from "./plan.js";
import type { TargetSchema } from "./target.js";

/** What a model call asks for, and so how its answer is read. */
export interface AnswerRequest {
  readonly tools: readonly AnyTool[];
  readonly plan: Plan | undefined;
  /** Whether the text of the model begins in a `<think>` that the prompt has opened. */
  readonly openThinking: boolean;
  /** The text of the turn before the model paused it. */
  readonly begun: string;
  /** Why the provider does not enforce the schema, as another request asked. */
  readonly refusal?: ModelError;
  /** The name of the model at its provider. */
  readonly model: string;
  /** For the usage of the answer. */
  readonly prices: TokenPrices;
  /** The options that ask for it. */
  readonly callOptions: RequestOptions;
}

/** The options of a model call that decide how the model answers. */
export type RequestOptions = Pick<CallOptions, "tools" | "toolChoice" | "responseFormat">;

interface RequestedCall extends PlannedCall {
  readonly model: ChatModel;
  readonly prices?: TokenPrices;
  readonly messages?: readonly Message[];
}

/** @throws {AgentError} `invalid_options` as `Planner.plan()`, and if two tools have the same name */
export function answerRequest(
  planner: Planner,
  { model, tools, responseFormat, prices = {}, messages = [] }: RequestedCall,
  refused?: ModelError,
): AnswerRequest {
  const refusal = refused ?? planner.obstacle({ model, tools, responseFormat });
  const plan = planner.plan({ model, tools, responseFormat, unenforced: refusal !== undefined });
  checkNames(plan, tools);
  const { openThinking = false } = model.profile;
  const callOptions = requestOptions(model, tools, plan);
  return {
    ...{ model: model.model, prices, tools, plan, openThinking, callOptions },
    begun: pausedText(messages),
    ...(refusal !== undefined && { refusal }),
  };
}

/** The text of the messages at the end in which the model has paused. */
function pausedText(messages: readonly Message[]): string {
  const before = messages.findLastIndex((it) => it.role !== "assistant" || it.finishReason !== "pause");
  return messages
    .slice(before + 1)
    .map(textOf)
    .join("");
}

/**
 * Checks that all tools, and the schemas that are sent as tools, have different names.
 *
 * @throws {AgentError} `invalid_options` if two have the same name
 */
export function checkNames(plan: Plan | undefined, tools: readonly AnyTool[]): void {
  const names = [...tools, ...(plan?.kind === "tool" ? plan.targets : [])].map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate === undefined) return;
  throw invalidOptions(
    `Two tools, or a tool and a schema of responseFormat, have the name "${duplicate}". Rename one of them.`,
  );
}

function requestOptions(
  { profile }: ChatModel,
  tools: readonly AnyTool[],
  plan: Plan | undefined,
): RequestOptions {
  const definitions = tools.map(toDefinition);
  if (plan?.kind === "tool") {
    const canForce = profile.forcedToolChoice !== false;
    return {
      ...(canForce ? { toolChoice: "required" } : undefined),
      tools: [...definitions, ...plan.targets.map(toResponseTool)],
    };
  }
  const target = plan?.kind === "provider" ? plan.targets[0] : undefined;
  return {
    ...(definitions.length === 0 ? undefined : { tools: definitions }),
    ...(target === undefined
      ? undefined
      : { responseFormat: { name: target.name, schema: target.jsonSchema, strict: plan?.strict } }),
  };
}

function toDefinition({ name, description, parameters, strict, extras, forms }: AnyTool): ToolDefinition {
  return { name, description, parameters, strict, metadata: extras, ...(forms !== undefined && { forms }) };
}

function toResponseTool({ name, description, jsonSchema }: TargetSchema): ToolDefinition {
  return {
    name,
    description: description ?? "Returns the final answer in this format.",
    parameters: jsonSchema,
  };
}
