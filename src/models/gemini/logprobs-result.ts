import type { JsonObject, JsonValue } from "../../json/value.js";
import { isRecord } from "../loose.js";

/**
 * The likelihoods of the tokens, in Gemini's own form. A chunk has those of its own tokens; the one with the finish reason
 * has all of them, so that the merged message has them too.
 */
export class LogprobsResult {
  private readonly all: Record<string, JsonValue[]> = {};

  /** @param ends the candidate has its finish reason */
  read(result: unknown, ends: boolean): JsonObject | undefined {
    const own: JsonObject = {};
    if (isRecord(result)) {
      for (const [kind, value] of Object.entries(result)) {
        own[kind] = value as JsonValue;
        if (Array.isArray(value)) (this.all[kind] ??= []).push(...(value as JsonValue[]));
      }
    }
    const told = ends ? { ...own, ...this.all } : own;
    return Object.keys(told).length === 0 ? undefined : told;
  }
}
