import type { ChatModel } from "../../models/contract/chat-model.js";
import { modelLoader } from "../../models/init-model.js";
import { systemClock } from "../../stream/time/clock.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { runAttempts } from "./retry.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Calls the next model when one fails before its first chunk. Each call starts with the agent's own model. If all fail,
 * the run ends with the error of the last. Each call asks for the structured response in the way that the profile of
 * its model supports.
 *
 * @param models the fallbacks in their order, without the agent's own model; a string is a name as for `initModel()`
 * @throws {ModelError} `unknown_provider` for a name that does not show its provider
 *
 * @example
 * ```ts
 * import { createAgent, ModelError, textOf } from "millrace";
 * import { modelFallback } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const first = scriptedModel(() => {
 *   throw new ModelError("http", "Overloaded.", { status: 529 });
 * });
 * const agent = createAgent({ model: first, middleware: [modelFallback(scriptedModel(["Hello."]))] });
 * const { messages } = await agent.invoke("Hi");
 * console.log(messages.map(textOf).join(" ")); // "Hi Hello."
 * ```
 */
export function modelFallback(...models: readonly (ChatModel | string)[]): Middleware {
  const loaders = models.map(modelLoader);
  return {
    name: "modelFallback",
    aroundModel: (call, next) =>
      runAttempts({
        open: async (failed) => {
          const load = loaders[failed - 1];
          return next(load === undefined ? call : { ...call, model: await load() });
        },
        // An AgentError, such as a limit, applies to all models.
        delay: (error, failed, begun) =>
          begun || failed >= models.length || isInstance(error, AgentError) ? undefined : 0,
        clock: systemClock,
        signal: call.run.signal,
      }),
  };
}
