import { textOf } from "../../messages/blocks/read.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { mergeUsageUpdates, type UsageUpdate } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import type { Clock } from "../../stream/time/clock.js";
import { counted } from "../../text/counts.js";

/** Tokens and time of a model call. */
export class CallCounts {
  private readonly clock: Clock;
  private readonly start: number;
  private first: number | undefined;
  private update: UsageUpdate = {};

  constructor(clock: Clock) {
    this.clock = clock;
    this.start = clock.now();
  }

  readonly add = (chunk: MessageChunk): void => {
    if (this.first === undefined && textOf(chunk) !== "") this.first = this.clock.now();
    this.update = mergeUsageUpdates(this.update, chunk);
  };

  get hasText(): boolean {
    return this.first !== undefined;
  }

  /** One line, such as `12 input tokens, 34 output tokens, 2.1 s (first text after 0.4 s)`. */
  get summary(): string {
    const { inputTokens, outputTokens } = addUsage(this.update.usage, this.update.usageDelta) ?? {};
    const tokens = [
      ...(inputTokens === undefined ? [] : [counted(inputTokens, "input token")]),
      ...(outputTokens === undefined ? [] : [counted(outputTokens, "output token")]),
    ];
    const time = seconds(this.clock.now() - this.start);
    const first = this.first === undefined ? "" : ` (first text after ${seconds(this.first - this.start)})`;
    return [...tokens, time].join(", ") + first;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
