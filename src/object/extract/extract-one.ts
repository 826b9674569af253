import type { Agent } from "../../agent/agent.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import { addUsage, type Usage } from "../../messages/usage.js";
import { ModelError } from "../../models/contract/errors.js";
import type { Clock } from "../../stream/time/clock.js";
import { backoff, sleep } from "../../stream/time/sleep.js";
import { isInstance } from "../../text/thrown.js";
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
  for (let retry = 0; ; retry++) {
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
      if (retry >= maxRequestRetries || !isTransient(error)) {
        return { ok: false, input, index, attempts, usage: spent, failure: failureOf(error), error };
      }
      onRetry?.({ input, index, failure: failureOf(error), error });
      // After a status 429, all requests wait in the limiter.
      if (!isRateLimit(error)) await sleep(delayAfter(error, retry, random), clock, signal);
    }
  }
}

function delayAfter(error: unknown, retry: number, random: () => number): number {
  const retryAfter = isInstance(error, ModelError) ? error.retryAfter : undefined;
  return retryAfter ?? backoff(retry, random);
}
