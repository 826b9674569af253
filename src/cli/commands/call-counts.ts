import { textOf } from "../../messages/blocks/read.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { mergeUsageUpdates, type UsageUpdate } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import type { Clock } from "../../stream/time/clock.js";
import { counted } from "../../text/counts.js";

/** Tokens and time of a model call. */
export interface CallCounts {
  readonly add: (chunk: MessageChunk) => void;
  /** One line, such as `12 input tokens, 34 output tokens, 2.1 s (first text after 0.4 s)`. `undefined` without text. */
  readonly summary: () => string | undefined;
}

export function callCounts(clock: Clock): CallCounts {
  const start = clock.now();
  let first: number | undefined;
  let update: UsageUpdate = {};
  const secondsUntil = (time: number): string => `${((time - start) / 1000).toFixed(1)} s`;
  return {
    add(chunk) {
      if (first === undefined && textOf(chunk) !== "") first = clock.now();
      update = mergeUsageUpdates(update, chunk);
    },
    summary() {
      if (first === undefined) return undefined;
      const { inputTokens, outputTokens } = addUsage(update.usage, update.usageDelta) ?? {};
      const parts = [
        ...(inputTokens === undefined ? [] : [counted(inputTokens, "input token")]),
        ...(outputTokens === undefined ? [] : [counted(outputTokens, "output token")]),
        secondsUntil(clock.now()),
      ];
      return `${parts.join(", ")} (first text after ${secondsUntil(first)})`;
    },
  };
}
