import type { Agent } from "../../agent/agent.js";
import { withoutUndefined } from "../../json/value.js";
import type { MessagesInput } from "../../messages/to-messages.js";
import type { Usage } from "../../messages/usage.js";
import { addUsage } from "../../text/add-usage.js";
import { retryAfter, whileLoading } from "../../models/http/retry-delay.js";
import { Attempts, usualDelay } from "../../stream/time/attempts.js";
import type { Clock } from "../../stream/time/clock.js";
import type { Extraction, ExtractionChanges, ExtractionRetry } from "./extraction.js";
import { concernsAll, failureOf, isTransient } from "./failure.js";

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
  const counted = (error: unknown, failed: number): number | undefined => usualDelay(error, failed, rule);
  const waiting = maxRequestRetries > 0 ? whileLoading(counted, random) : counted;
  const end = clock.now() + longestLoad;
  const requests = new Attempts({
    delay: (error, failed) => (clock.now() < end ? waiting : counted)(error, failed),
    clock,
    signal,
  });
  for (;;) {
    signal.throwIfAborted();
    let usage: Usage | undefined;
    let found: (ExtractionChanges & { readonly object: T }) | undefined;
    try {
      for await (const event of agent.stream(messages, { signal })) {
        if (event.type === "step") attempts++;
        else if (event.type === "usage") usage = event.total;
        else if (event.type === "structured") found = { object: event.value as T, ...changesOf(event) };
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
      await requests.wait(delay);
    }
  }
}

/** The changes to an answer, without the fields that are absent. */
export function changesOf({ repairs, coercions }: ExtractionChanges): ExtractionChanges {
  return withoutUndefined({ repairs, coercions });
}

/** How long an input waits for a server that loads its model: as long as a model call waits for its first token. */
const longestLoad = 600_000;
