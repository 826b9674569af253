import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { kindName } from "../../text/kind-name.js";
import type { Middleware, ModelCall } from "./middleware.js";

/** The options of `selectTools()`. */
export interface SelectToolsOptions<Context = unknown> {
  /**
   * Returns the names of the tools to offer in this call, of those in `call.tools`. Other names are ignored, as a model
   * may have chosen them. A durable run records the names.
   */
  readonly select: (call: ModelCall<Context>) => readonly string[] | PromiseLike<readonly string[]>;
}

/**
 * Offers a part of the tools in each model call. Many tools cost tokens and make a model choose worse.
 *
 * A tool that `toolChoice` forces is always offered, and the structured response is not a tool here. If the model calls a
 * tool that is not offered, it gets a message about it. Without tools, `select` is not called.
 *
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { createAgent, textOf, tool } from "millrace";
 * import { selectTools } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const tools = ["weather", "pay", "refund"].map((name) => tool({ name, run: () => "" }));
 * const money = selectTools({
 *   select: ({ messages, tools }) =>
 *     tools.map(({ name }) => name).filter((name) => name !== "weather" || /rain/.test(textOf(messages[0]!))),
 * });
 * const model = scriptedModel(["OK."]);
 * await createAgent({ model, tools, middleware: [money] }).invoke("Give me my money back.");
 * console.log(model.calls[0]?.options.tools?.map(({ name }) => name)); // ["pay", "refund"]
 * ```
 */
export function selectTools<Context = unknown>(options: SelectToolsOptions<Context>): Middleware<Context> {
  checkOptions("selectTools()", options, { select: true } satisfies OptionNames<SelectToolsOptions>);
  const { select } = options;
  return {
    name: "selectTools",
    async *aroundModel(call, next) {
      const { tools, journal } = call;
      if (tools.length === 0) {
        yield* next(call);
        return;
      }
      const choose = async (): Promise<string[]> => {
        const chosen: unknown = await select(call);
        if (Array.isArray(chosen)) return [...(chosen as string[])];
        throw new TypeError(
          `select of selectTools() returns an array of names of tools, but got ${kindName(chosen)}.`,
        );
      };
      const names = new Set(await (journal === undefined ? choose() : journal.step("selectTools", choose)));
      const { toolChoice } = call.options;
      if (typeof toolChoice === "object") names.add(toolChoice.name);
      yield* next({ ...call, tools: tools.filter(({ name }) => names.has(name)) });
    },
  };
}
