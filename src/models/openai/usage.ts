import type { Usage, UsageDetails } from "../../messages/usage.js";
import { isRecord, type Loose } from "./chat-payload.js";

/** The `usage` of a chat completion. `undefined` if there are no counts in it. */
export function usageOf(usage: Loose): Usage | undefined {
  const inputTokens = count(usage["prompt_tokens"]);
  const outputTokens = count(usage["completion_tokens"]);
  const sum =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const totalTokens = count(usage["total_tokens"]) ?? sum;
  const details = detailsOf(usage);
  const found = known({ inputTokens, outputTokens, totalTokens, details });
  return Object.keys(found).length === 0 ? undefined : found;
}

function detailsOf(usage: Loose): UsageDetails | undefined {
  const input = record(usage["prompt_tokens_details"]);
  const output = record(usage["completion_tokens_details"]);
  const found = known({
    cacheReadTokens: count(input["cached_tokens"]) ?? count(usage["prompt_cache_hit_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    inputAudioTokens: count(input["audio_tokens"]),
    outputAudioTokens: count(output["audio_tokens"]),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

type Known<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

function known<T extends object>(values: T): Known<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<T>;
}

function record(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
