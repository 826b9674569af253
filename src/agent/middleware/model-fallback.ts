import type { ChatModel } from "../../models/contract/chat-model.js";
import { systemClock } from "../../stream/time/clock.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";
import { attempts } from "./attempts.js";

/**
 * Asks the next model when one fails before its first chunk. Each call begins with the agent's own model; the error of the
 * last is the one that ends the run. The structured response is asked for anew, in the way that fits each model.
 *
 * @param models in the order in which they are asked, after the agent's own
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
export function modelFallback(...models: readonly ChatModel[]): Middleware {
  return {
    name: "modelFallback",
    aroundModel: (call, next) =>
      attempts({
        open: (attempt) => next(attempt === 0 ? call : { ...call, model: models[attempt - 1] as ChatModel }),
        // What this agent does not allow, it allows no other model.
        delay: (error, attempt, begun) =>
          begun || attempt >= models.length || error instanceof AgentError ? undefined : 0,
        clock: systemClock,
        signal: call.run.signal,
      }),
  };
}
