import type { JsonObject } from "../../../json/value.js";
import type { CallOptions, ReasoningOptions } from "../../contract/chat-model.js";
import { ModelError } from "../../contract/errors.js";
import { takenBy } from "../profile.js";

export interface Thinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/**
 * Builds the thinking settings and rejects options that exclude each other ("Extended thinking", "Adaptive thinking"
 * and the migration guides in Anthropic's documentation).
 *
 * @throws {ModelError} `invalid_request` for an option that the model does not accept
 */
export function thinkingFor(model: string, call: CallOptions, maxTokens: number): Thinking {
  const takes = takenBy(model);
  const asked = call.reasoning === undefined ? {} : askedFor(model, call.reasoning, takes, maxTokens);
  const thinks = asked.thinking?.["type"] === "enabled" || asked.thinking?.["type"] === "adaptive";
  const { temperature = 1, topP = 1, toolChoice = "auto" } = call;

  if (toolChoice !== "auto" && toolChoice !== "none") {
    if (thinks)
      throw refusal(
        `${model} cannot be made to call a tool while it thinks: leave out toolChoice or reasoning.`,
      );
    if (!takes.has("forced"))
      throw refusal(`${model} cannot be made to call a tool: toolChoice is "auto" or "none".`);
  }
  if (temperature !== 1) {
    if (thinks) throw refusal(`${model} takes no temperature but 1 while it thinks.`);
    if (!takes.has("sampling")) throw refusal(`${model} takes no temperature but 1.`);
  }
  if (topP !== 1) {
    if (thinks && topP < 0.95) throw refusal(`${model} takes no topP below 0.95 while it thinks.`);
    if (!takes.has("sampling")) throw refusal(`${model} takes no topP but 1.`);
  }
  return asked;
}

function askedFor(
  model: string,
  { effort, maxTokens: budget }: ReasoningOptions,
  takes: ReadonlySet<string>,
  maxTokens: number,
): Thinking {
  if (effort === "none") return withoutThinking(model, budget, takes);
  if (effort === "minimal") throw refusal("Anthropic knows no minimal effort; the least is low.");
  if (effort !== undefined && !takes.has("effort")) {
    const instead = takes.has("budget") ? ": reasoning.maxTokens says how much it may think" : "";
    throw refusal(`${model} takes no effort of reasoning${instead}.`);
  }
  const level = effort === undefined ? undefined : { effort };
  if (budget === undefined) return level === undefined ? {} : { thinking: { type: "adaptive" }, ...level };

  if (!takes.has("budget")) {
    const instead = takes.has("effort") ? ": reasoning.effort says how much it thinks" : "";
    throw refusal(`${model} takes no number of tokens to think${instead}.`);
  }
  if (budget < 1_024)
    throw refusal(`reasoning.maxTokens is ${budget}, but Anthropic takes no less than 1,024.`);
  if (budget >= maxTokens) {
    throw refusal(
      `reasoning.maxTokens is ${budget}, but must be less than maxTokens, ${maxTokens}, of which it is a part.`,
    );
  }
  return { thinking: { type: "enabled", budget_tokens: budget }, ...level };
}

function withoutThinking(model: string, budget: number | undefined, takes: ReadonlySet<string>): Thinking {
  if (budget !== undefined) throw refusal('reasoning.maxTokens goes with no effort "none".');
  if (takes.has("between")) return { thinking: { type: "between_tools" } };
  if (takes.has("off")) return { thinking: { type: "disabled" } };
  if (takes.has("effort")) throw refusal(`${model} always thinks; the least effort is low.`);
  return {};
}

function refusal(problem: string): ModelError {
  return new ModelError("invalid_request", problem);
}
