import { checkListOf } from "../../text/check-options.js";
import type { Middleware, ModelCall, ToolPause } from "../../agent/middleware/middleware.js";
import type { AgUiTool } from "./ag-ui-input.js";

/**
 * Middleware for tools that the client declares and runs, beside those that the agent has from `clientTool()`. The model can call them; the run then ends after that step, and the client
 * answers in the messages of its next run.
 *
 * A tool of the agent with the same name takes precedence.
 *
 * @param tools the tools of the client: `input.tools`
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { agUiHandler, clientTools } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Hello."]);
 * const handle = agUiHandler((input) => createAgent({ model, middleware: [clientTools(input.tools)] }));
 * console.log((await handle(new Request("http://localhost/agent"))).status); // 405
 * ```
 */
export function clientTools(tools: readonly AgUiTool[]): Middleware {
  checkListOf("clientTools()", "tools", tools);
  const clientTools = tools.map(toTool);
  return {
    name: "clientTools",
    aroundModel: (call, next) => {
      const own = new Set(call.tools.map(({ name }) => name));
      return next({
        ...call,
        tools: [...call.tools, ...clientTools.filter(({ name }) => !own.has(name))],
      });
    },
  };
}

type ModelTool = ModelCall["tools"][number];

function toTool({ name, description, parameters }: AgUiTool): ModelTool {
  return {
    name,
    ...(description === "" ? undefined : { description }),
    parameters,
    returnDirect: false,
    output: "content",
    onError: true,
    onInvalidInput: true,
    inject: {},
    check: (args) => args,
    run: () => undefined,
    outcomes: waiting,
  };
}

async function* waiting(): AsyncGenerator<ToolPause, undefined, undefined> {
  yield { type: "paused", waitsFor: "client" };
}
