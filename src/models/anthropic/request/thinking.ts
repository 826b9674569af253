import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { CallOptions, ReasoningOptions } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { asRecord } from "../../loose.js";
import { takenBy } from "../profile.js";

export interface Thinking {
  readonly thinking?: JsonObject;
  readonly effort?: string;
}

/** Rejects options that exclude each other, as Anthropic's guides to thinking say. */
export function thinkingFor(model: string, call: CallOptions, maxTokens: number): Thinking {
  const takes = takenBy(model);
  const asked = call.reasoning === undefined ? {} : askedFor(model, call.reasoning, takes, maxTokens);
  // The field of `extra` replaces that of `reasoning`.
  const thinkingOn = isOn({ ...asked, ...call.extra }.thinking);
  const { temperature = 1, topP = 1, toolChoice = "auto" } = call;

  if (toolChoice !== "auto" && toolChoice !== "none") {
    if (thinkingOn)
      throw invalidRequest(
        `${model} does not support a forced tool call with thinking. Remove toolChoice, or turn off thinking.`,
      );
    if (!takes.has("forced"))
      throw invalidRequest(
        `${model} does not support forced tool calls. Set toolChoice to "auto" or "none".`,
      );
  }
  if (temperature !== 1) {
    if (thinkingOn) throw invalidRequest(`With thinking, ${model} supports only temperature 1.`);
    if (!takes.has("sampling")) throw invalidRequest(`${model} supports only temperature 1.`);
  }
  if (topP !== 1) {
    if (thinkingOn && topP < 0.95)
      throw invalidRequest(`With thinking, ${model} requires a topP of 0.95 or more.`);
    if (!takes.has("sampling")) throw invalidRequest(`${model} supports only topP 1.`);
  }
  return asked;
}

function isOn(thinking: JsonValue | undefined): boolean {
  const type = asRecord(thinking)["type"];
  return type === "enabled" || type === "adaptive";
}

function askedFor(
  model: string,
  { effort, maxTokens: budget }: ReasoningOptions,
  takes: ReadonlySet<string>,
  maxTokens: number,
): Thinking {
  if (effort === "none") return withoutThinking(model, budget, takes);
  if (effort === "minimal")
    throw invalidRequest(
      'Anthropic does not support reasoning.effort "minimal". The lowest effort is "low".',
    );
  if (effort !== undefined && !takes.has("effort")) {
    const instead = takes.has("budget") ? " Set reasoning.maxTokens instead." : "";
    throw invalidRequest(`${model} does not support reasoning.effort.${instead}`);
  }
  const level = effort === undefined ? undefined : { effort };
  if (budget === undefined) return level === undefined ? {} : { thinking: { type: "adaptive" }, ...level };

  if (!takes.has("budget")) {
    const instead = takes.has("effort") ? " Set reasoning.effort instead." : "";
    throw invalidRequest(`${model} does not support reasoning.maxTokens.${instead}`);
  }
  if (budget < 1_024)
    throw invalidRequest(`reasoning.maxTokens is ${budget}, but Anthropic requires at least 1,024.`);
  if (budget >= maxTokens) {
    throw invalidRequest(
      `reasoning.maxTokens is ${budget}, but must be less than maxTokens (${maxTokens}), which includes it.`,
    );
  }
  return { thinking: { type: "enabled", budget_tokens: budget }, ...level };
}

function withoutThinking(model: string, budget: number | undefined, takes: ReadonlySet<string>): Thinking {
  if (budget !== undefined)
    throw invalidRequest('reasoning.maxTokens and reasoning.effort "none" exclude each other.');
  if (takes.has("between")) return { thinking: { type: "between_tools" } };
  if (takes.has("off")) return { thinking: { type: "disabled" } };
  if (takes.has("effort")) throw invalidRequest(`${model} always thinks. The lowest effort is "low".`);
  return {};
}
