import { middlewareOf } from "../../agent/agent-options.js";
import type { Agent } from "../../agent/agent.js";
import type { Middleware, ModelCall } from "../../agent/middleware/middleware.js";
import { textOf } from "../../messages/blocks/read.js";
import { mergeUsageUpdates, type UsageUpdate } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { objectAgent } from "../stream-object.js";
import { isRateLimit } from "./failure.js";
import type { RateLimiter } from "./rate-limiter.js";

/** An agent whose requests pass a limiter, also those that are sent again. So its model does not retry by itself. */
export function limitedAgent(options: Parameters<typeof objectAgent>[0], limiter: RateLimiter): Agent {
  return objectAgent({
    ...options,
    callOptions: { ...options.callOptions, maxRetries: 0 },
    middleware: [...middlewareOf(options), limited(limiter)],
  }).agent;
}

/** Lets each model call wait for the limiter. It must be the innermost middleware, so that it counts every request. */
function limited(limiter: RateLimiter): Middleware {
  const estimate = new TokenEstimate();
  return {
    name: "limited",
    async *aroundModel(call, next) {
      const length = lengthOf(call);
      const permit = await limiter.take(estimate.of(length), call.run.signal);
      let update: UsageUpdate = {};
      try {
        for await (const chunk of next(call)) {
          update = mergeUsageUpdates(update, chunk);
          yield chunk;
        }
      } catch (error) {
        if (isRateLimit(error)) limiter.refused(permit, error.retryAfter);
        throw error;
      }
      const { inputTokens, outputTokens } = addUsage(update.usage, update.usageDelta) ?? {};
      if (inputTokens === undefined) limiter.answered(permit, undefined);
      else {
        estimate.learn(length, inputTokens, outputTokens ?? 0);
        limiter.answered(permit, inputTokens + (outputTokens ?? 0));
      }
    },
  };
}

function lengthOf({ system, messages }: ModelCall): number {
  return [...(system === undefined ? [] : [system]), ...messages].reduce(
    (length, message) => length + textOf(message).length,
    0,
  );
}

/** Estimates the tokens of a call from the length of its messages, and from the calls before it. */
class TokenEstimate {
  private perCharacter = 0.3;
  private output = 300;

  of(length: number): number {
    return Math.ceil(length * this.perCharacter + this.output);
  }

  learn(length: number, input: number, output: number): void {
    if (length > 0) this.perCharacter += (input / length - this.perCharacter) * newest;
    this.output += (output - this.output) * newest;
  }
}

/** The weight of the newest call. */
const newest = 0.1;
