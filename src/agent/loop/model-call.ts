import type { MessageChunk } from "../../messages/chunk.js";
import type { ToolDefinition } from "../../models/contract/chat-model.js";
import type { AnyTool } from "../../tools/define/any-tool.js";
import { AgentError } from "../errors.js";
import type { ModelCall } from "../middleware/middleware.js";
import type { Plan, Target } from "./plan.js";

/** Asks the model, with the structured response in the form that the plan says. */
export function askModel(call: ModelCall, plan: Plan | undefined): AsyncIterable<MessageChunk> {
  const { model, systemPrompt, messages, tools, options, run } = call;
  const definitions = tools.map(toDefinition);
  const common = { ...options, signal: run.signal };
  const input = systemPrompt === undefined ? messages : [systemPrompt, ...messages];
  if (plan?.kind !== "tool") {
    const [target] = plan?.targets ?? [];
    return model.stream(input, {
      ...common,
      ...(definitions.length === 0 ? undefined : { tools: definitions }),
      ...(target === undefined
        ? undefined
        : { responseFormat: { name: target.name, schema: target.jsonSchema, strict: plan?.strict } }),
    });
  }
  checkNames(plan, tools);
  const canBeMade = model.profile.forcedToolChoice !== false;
  return model.stream(input, {
    ...(canBeMade ? { toolChoice: "required" } : undefined),
    ...common,
    tools: [...definitions, ...plan.targets.map(toResponseTool)],
  });
}

/**
 * The schemas of a response are tools beside those of the agent.
 *
 * @throws {AgentError} `invalid_options` if two have the same name
 */
export function checkNames(plan: Plan | undefined, tools: readonly AnyTool[]): void {
  const names = [...tools, ...(plan?.kind === "tool" ? plan.targets : [])].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return;
  throw new AgentError(
    "invalid_options",
    `Two tools, or a tool and a schema of the response format, are called "${twice}": give one of them another name.`,
  );
}

function toDefinition({ name, description, parameters, strict, extras }: AnyTool): ToolDefinition {
  return { name, description, parameters, strict, metadata: extras };
}

function toResponseTool({ name, description, jsonSchema }: Target): ToolDefinition {
  return {
    name,
    description: description ?? "Gives the final answer, in this form.",
    parameters: jsonSchema,
  };
}
