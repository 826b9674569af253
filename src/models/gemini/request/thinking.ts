import type { JsonObject } from "../../../json/value.js";
import type { ReasoningOptions } from "../../contract/chat-model.js";
import { invalidRequest } from "../../contract/errors.js";
import { modelName } from "../profile.js";

/**
 * Builds the thinking settings and requests visible thoughts. Gemini 2.5 accepts a number of tokens, later models a
 * level or a number. The numbers for levels are those of Google's OpenAI-compatible API ("OpenAI compatibility",
 * Thinking).
 *
 * @throws {ModelError} `invalid_request` for both an effort and a number, or if the model cannot turn off thinking
 */
export function thinkingConfigOf(
  model: string,
  reasoning: ReasoningOptions | undefined,
): JsonObject | undefined {
  const { effort, maxTokens } = reasoning ?? {};
  if (effort !== undefined && maxTokens !== undefined) {
    throw invalidRequest("Gemini accepts reasoning.effort or reasoning.maxTokens, not both.");
  }
  if (maxTokens !== undefined) return { thinkingBudget: maxTokens, includeThoughts: maxTokens !== 0 };
  if (effort === undefined) return undefined;
  const name = modelName(model);
  if (effort !== "none") {
    return name.startsWith("gemini-2.5")
      ? { thinkingBudget: budgets[effort], includeThoughts: true }
      : { thinkingLevel: effort, includeThoughts: true };
  }
  if (name.startsWith("gemini-2.5-flash")) return { thinkingBudget: 0 };
  throw invalidRequest(`${model} always thinks. Its lowest effort is "minimal" or "low".`);
}

const budgets = { minimal: 1_024, low: 1_024, medium: 8_192, high: 24_576 } as const;
