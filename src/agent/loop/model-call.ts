import { system as systemMessage } from "../../messages/constructors.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { CallOptions, ChatModel, ToolDefinition } from "../../models/contract/chat-model.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import { invalidOptions } from "../errors.js";
import { streamForcedCall } from "./forced-call.js";
import type { ModelCall } from "../middleware/middleware.js";
import type { Plan } from "../answer/plan.js";
import type { TargetSchema } from "../answer/target.js";
import type * as textCalls from "./text-calls.js";

/** Calls the model and asks for the structured response as the plan says. */
export function callModel(call: ModelCall, plan: Plan | undefined): AsyncIterable<MessageChunk> {
  const { model, system, messages, tools, options, run } = call;
  const instructions = plan?.instructions === undefined ? [] : [systemMessage(plan.instructions)];
  const input = [...(system === undefined ? [] : [system]), ...instructions, ...messages];
  checkNames(plan, tools);
  const { toolChoice, ...asked } = requestOptions(model, tools, plan);
  const sent = { ...options, signal: run.signal, ...asked };
  // A call may choose another tool.
  const isForced = toolChoice !== undefined && !Object.hasOwn(options, "toolChoice");
  const { textToolCalls } = model.profile;
  if (textToolCalls !== undefined)
    return streamTextCalls(model, input, isForced ? { ...sent, toolChoice } : sent, textToolCalls);
  return isForced ? streamForcedCall(model, input, sent) : model.stream(input, sent);
}

/** Loads the dialects only for an agent that uses them: they have a tenth of the code of an agent. */
async function* streamTextCalls(
  ...call: Parameters<typeof textCalls.streamTextCalls>
): AsyncGenerator<MessageChunk, void, undefined> {
  const dialects = await import("./text-calls.js");
  yield* dialects.streamTextCalls(...call);
}

/** The options of a model call that decide how the model answers. */
export type RequestOptions = Pick<CallOptions, "tools" | "toolChoice" | "responseFormat">;

export function requestOptions(
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

function toDefinition({ name, description, parameters, strict, extras }: AnyTool): ToolDefinition {
  return { name, description, parameters, strict, metadata: extras };
}

function toResponseTool({ name, description, jsonSchema }: TargetSchema): ToolDefinition {
  return {
    name,
    description: description ?? "Returns the final answer in this format.",
    parameters: jsonSchema,
  };
}
