import { Inlet } from "../../stream/core/inlet.js";
import { type Ending, ending, outlet, wait } from "../../stream/core/outlet.js";
import type { JsonObject } from "../../json/value.js";
import type { AnyTool } from "./any-tool.js";
import type { ToolEvent } from "./events.js";
import { runTool } from "./run-tool.js";
import type { ToolRunOptions } from "./runtime.js";

/**
 * Runs a tool as an operator: yields the result for each input, one run after another. Errors are thrown, and progress
 * is dropped.
 */
export function toolStage<Args, Result>(
  tool: AnyTool,
  source: AsyncIterable<Args>,
  options?: ToolRunOptions,
): AsyncIterable<Result> {
  const strict = { ...tool, onError: false, onInvalidInput: false };
  return outlet((wake) => {
    let result: { readonly value: Result } | undefined;
    let over: Ending | undefined;
    /** The run for the latest input. */
    let run: Inlet<ToolEvent> | undefined;
    const inputs = new Inlet<Args>(
      source,
      (input) => {
        const args = (typeof input === "string" ? { input } : input) as JsonObject;
        run = new Inlet<ToolEvent>(
          runTool(strict, { id: "", name: tool.name, args }, options),
          onEvent,
          (failure) => {
            run = undefined;
            if (failure !== undefined) over = { failure };
            wake();
          },
        );
        wake();
      },
      (failure) => {
        over = { failure };
        wake();
      },
    );
    const onEvent = (event: ToolEvent): void => {
      if (event.type === "result") result = { value: event.value as Result };
      wake();
    };
    return {
      poll() {
        if (result !== undefined) {
          const { value } = result;
          result = undefined;
          return value;
        }
        if (over !== undefined) return ending(over);
        (run ?? inputs).pull();
        return wait;
      },
      async close() {
        await run?.close(); // cannot reject: the run is still working, or it has its result
        await inputs.close();
      },
    };
  });
}
