import { isRetryable } from "../../models/http/retry.js";
import type { Middleware } from "./middleware.js";
import { attempts } from "./attempts.js";
import { type RetryOptions, retryRule } from "./retry-options.js";

/**
 * Asks the model again when a call fails before its first chunk. After it, never: what was written has been shown.
 *
 * It waits as a provider's own model does: for as long as the server asks for, or else half a second, doubled each time up
 * to eight seconds, with jitter. By default it does so for a `ModelError` that is `retryable`. The models of this package
 * have tried twice by then themselves (`retries`): this is for those that do not, and for other errors (`retryOn`).
 *
 * @throws {RangeError} if `times` is not a whole number of at least 1
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
 * const agent = createAgent({ model, middleware: [modelRetry({ times: 3 })] });
 * await agent.invoke("Hi");
 * console.log(model.calls.length); // 2
 * ```
 */
export function modelRetry(options: RetryOptions = {}): Middleware {
  const { clock, delay } = retryRule(options, isRetryable);
  return {
    name: "modelRetry",
    aroundModel: (call, next) =>
      attempts({
        open: () => next(call),
        delay: (error, attempt, begun) => (begun ? undefined : delay(error, attempt)),
        clock,
        signal: call.run.signal,
      }),
  };
}
