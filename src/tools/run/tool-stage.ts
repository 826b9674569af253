import type { JsonObject } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import { concatMap } from "../../stream/operators/concat-map.js";
import type { AnyTool } from "./any-tool.js";
import type { ToolEvent } from "./events.js";
import { runTool } from "./run-tool.js";
import type { ToolRunOptions } from "./runtime.js";

/**
 * Runs a tool as an operator: yields the result for each input, one run after another. Errors are thrown, and progress
 * is dropped.
 */
export function toolStage(
  tool: AnyTool,
  source: AsyncIterable<unknown>,
  options?: ToolRunOptions,
): AsyncIterable<unknown> {
  const strict = { ...tool, onError: false, onInvalidInput: false };
  const run = concatMap((input: unknown) => {
    const args = (typeof input === "string" ? { input } : input) as JsonObject;
    return results(runTool(strict, { id: "", name: tool.name, args }, options));
  });
  return run(source);
}

const results = stage<ToolEvent, unknown>((emit) => ({
  next: (event) => {
    if (event.type === "result") emit(event.value);
  },
}));
