import type { Mutable } from "../../../messages/merge/mutable.js";
import type { Usage, UsageDetails } from "../../../messages/usage.js";
import { asNumber, isRecord, type Loose, sumOf } from "../../loose.js";

/**
 * Converts the `usageMetadata` of a response: the count so far. Gemini counts thoughts apart from the answer, and
 * results of its own tools apart from the prompt. Here they are part of output and input. Returns `undefined` without
 * counts.
 */
export function mapGeminiUsage(usage: Loose): Usage | undefined {
  const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = usage;
  const inputTokens = sumOf(asNumber(promptTokenCount), asNumber(toolUsePromptTokenCount));
  const outputTokens = sumOf(asNumber(candidatesTokenCount), asNumber(thoughtsTokenCount));
  const totalTokens = asNumber(usage["totalTokenCount"]);
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return undefined;
  // Field by field for speed: each response of a stream has counts.
  const found: Mutable<Usage> = {};
  if (inputTokens !== undefined) found.inputTokens = inputTokens;
  if (outputTokens !== undefined) found.outputTokens = outputTokens;
  if (totalTokens !== undefined) found.totalTokens = totalTokens;
  const details = detailsOf(usage);
  if (details !== undefined) found.details = details;
  return found;
}

function detailsOf(usage: Loose): UsageDetails | undefined {
  const cached = asNumber(usage["cachedContentTokenCount"]);
  const thoughts = asNumber(usage["thoughtsTokenCount"]);
  const inputAudio = audioTokens(usage["promptTokensDetails"]);
  const outputAudio = audioTokens(usage["candidatesTokensDetails"]);
  const counts = [cached, thoughts, inputAudio, outputAudio];
  if (counts.every((value) => value === undefined)) return undefined;
  const found: Mutable<UsageDetails> = {};
  if (cached !== undefined) found.cacheReadTokens = cached;
  if (thoughts !== undefined) found.reasoningTokens = thoughts;
  if (inputAudio !== undefined) found.inputAudioTokens = inputAudio;
  if (outputAudio !== undefined) found.outputAudioTokens = outputAudio;
  return found;
}

function audioTokens(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const entry: unknown = details.find((detail) => isRecord(detail) && detail["modality"] === "AUDIO");
  return isRecord(entry) ? asNumber(entry["tokenCount"]) : undefined;
}
