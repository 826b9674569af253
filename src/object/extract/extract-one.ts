import type { Agent } from "../../agent/agent.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import { addUsage, type Usage } from "../../messages/usage.js";
import { retryAfter } from "../../models/http/retry-delay.js";
import { Attempts, delayAfter } from "../../stream/time/attempts.js";
import type { Clock } from "../../stream/time/clock.js";
import type { Extraction, ExtractionRetry } from "./extraction.js";
import { concernsAll, failureOf, isRateLimit, isTransient } from "./failure.js";

export interface ExtractOneOptions<In> {
  readonly agent: Agent;
  readonly prompt: (input: In, index: number) => MessagesInput | PromiseLike<MessagesInput>;
  readonly maxRequestRetries: number;
  readonly onRetry: ((retry: ExtractionRetry<In>) => void) | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Asks the model about one input, again after a failure that may pass.
 *
 * Rejects with an error that concerns all inputs, and with the signal's reason.
 */
export async function extractOne<T, In>(
  input: In,
  index: number,
  signal: AbortSignal,
  { agent, prompt, maxRequestRetries, onRetry, clock, random }: ExtractOneOptions<In>,
): Promise<Extraction<T, In>> {
  let messages: MessagesInput;
  try {
    messages = await prompt(input, index);
  } catch (error) {
    return { ok: false, input, index, attempts: 0, usage: undefined, failure: "input", error };
  }
  let attempts = 0;
  let spent: Usage | undefined;
  const rule = { maxRetries: maxRequestRetries, retryOn: isTransient, retryAfter, random };
  const requests = new Attempts({
    delay: (error, failed) => delayAfter(error, failed, rule),
    clock,
    signal,
  });
  for (;;) {
    signal.throwIfAborted();
    let usage: Usage | undefined;
    let found: { readonly object: T } | undefined;
    try {
      for await (const event of agent.stream(messages, { signal })) {
        if (event.type === "step") attempts++;
        else if (event.type === "usage") usage = event.total;
        else if (event.type === "structured") found = { object: event.value as T };
      }
      if (found !== undefined)
        return { ok: true, input, index, attempts, usage: addUsage(spent, usage), ...found };
      throw new Error("The run of the agent ended without an object. A middleware must yield all events.");
    } catch (error) {
      signal.throwIfAborted();
      spent = addUsage(spent, usage);
      if (concernsAll(error)) throw error;
      const failure = failureOf(error);
      const delay = requests.delayAfter(error);
      if (delay === undefined) return { ok: false, input, index, attempts, usage: spent, failure, error };
      onRetry?.({ input, index, failure, error });
      // After a status 429, all requests wait in the limiter.
      await requests.wait(isRateLimit(error) ? 0 : delay);
    }
  }
}
