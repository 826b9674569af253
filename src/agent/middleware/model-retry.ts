import { isRetryable } from "../../models/http/retry-delay.js";
import { checkOptions } from "../../text/check-options.js";
import type { Middleware } from "./middleware.js";
import { retryNames, type RetryOptions, retryRule, runAttempts } from "./retry.js";

/**
 * Calls the model again when a call fails before its first chunk. After the first chunk it never retries, because
 * consumers have already seen the output.
 *
 * The delay is the one that the server asks for, or else half a second, doubled each time up to eight seconds, with
 * jitter. By default, it retries a `ModelError` that is `retryable`. The models of this package retry such errors
 * themselves (`maxRetries`, 2 by default). Use this middleware for other models, and for other errors (`retryOn`).
 *
 * @throws {RangeError} if `maxRetries` is not a whole number of at least 1
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { createAgent, ModelError } from "millrace";
 * import { modelRetry } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(({ index }) => {
 *   if (index === 0) throw new ModelError("network", "No answer.", { retryable: true });
 *   return ["Hello."];
 * });
 * const agent = createAgent({ model, middleware: [modelRetry({ maxRetries: 3 })] });
 * await agent.invoke("Hi");
 * console.log(model.calls.length); // 2
 * ```
 */
export function modelRetry(options: RetryOptions = {}): Middleware {
  checkOptions("modelRetry()", options, retryNames);
  const { clock, delay } = retryRule(options, isRetryable);
  return {
    name: "modelRetry",
    aroundModel: (call, next) =>
      runAttempts({
        open: () => next(call),
        delay: (error, failed, begun) => (begun ? undefined : delay(error, failed)),
        clock,
        signal: call.run.signal,
        journal: call.journal,
      }),
  };
}
