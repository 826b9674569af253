import type { JsonObject, JsonValue } from "../../json/value.js";
import { isRecord } from "../loose.js";

/**
 * The likelihoods of the tokens, in OpenAI's own form: `{content: [...], refusal: [...]}`. A chunk has those of its own
 * tokens; the one with the finish reason has all of them, so that the merged message has them too.
 */
export class Logprobs {
  private readonly all: Record<string, JsonValue[]> = {};

  /** @param ends the choice has its finish reason */
  read(logprobs: unknown, ends: boolean): JsonObject | undefined {
    const own: Record<string, JsonValue[]> = {};
    if (isRecord(logprobs)) {
      for (const [kind, tokens] of Object.entries(logprobs)) {
        if (!Array.isArray(tokens) || tokens.length === 0) continue;
        own[kind] = tokens as JsonValue[];
        (this.all[kind] ??= []).push(...(tokens as JsonValue[]));
      }
    }
    const told = ends ? this.all : own;
    return Object.keys(told).length === 0 ? undefined : { ...told };
  }
}
