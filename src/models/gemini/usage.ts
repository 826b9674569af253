import type { Usage } from "../../messages/usage.js";
import { count, isRecord, type Loose, someOf } from "../loose.js";

/**
 * The `usageMetadata` of a response: the count so far. Gemini counts the thoughts apart from the answer, and what its own
 * tools gave the model apart from the prompt; here both are part of the output and the input. `undefined` if there are no
 * counts in it.
 */
export function usageOf(usage: Loose): Usage | undefined {
  const reasoningTokens = count(usage["thoughtsTokenCount"]);
  return someOf({
    inputTokens: sum(count(usage["promptTokenCount"]), count(usage["toolUsePromptTokenCount"])),
    outputTokens: sum(count(usage["candidatesTokenCount"]), reasoningTokens),
    totalTokens: count(usage["totalTokenCount"]),
    details: someOf({
      cacheReadTokens: count(usage["cachedContentTokenCount"]),
      reasoningTokens,
      inputAudioTokens: ofModality(usage["promptTokensDetails"], "AUDIO"),
      outputAudioTokens: ofModality(usage["candidatesTokensDetails"], "AUDIO"),
    }),
  });
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a + b;
}

function ofModality(details: unknown, modality: string): number | undefined {
  if (!Array.isArray(details)) return undefined;
  const entry: unknown = details.find(
    (detail: unknown) => isRecord(detail) && detail["modality"] === modality,
  );
  return isRecord(entry) ? count(entry["tokenCount"]) : undefined;
}
