import { abortable } from "../../stream/operators/abortable.js";
import { from } from "../../stream/sources/from.js";
import type { Operator } from "../../stream/operator.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import { tool, type ToolOf, type ToolOptions } from "./tool.js";
import type { RunArgs } from "./tool-types.js";

/**
 * Makes a tool of an operator, such as a pipeline that calls a model. The operator gets the arguments as its only item.
 * Each output is progress as soon as it arrives, and the last output is the result.
 *
 * @param options the options of `tool()` without `run`
 *
 * @example
 * ```ts
 * import { collect, compose, jsonParser, map, mapAsync } from "millrace";
 * import { toolFromOperator, runTool } from "millrace/agent";
 *
 * const draft = mapAsync((topic: string) => Promise.resolve(`{"title": "On ${topic}"}`));
 * const outline = toolFromOperator(compose(draft, jsonParser().stream), { name: "outline" });
 * const call = { id: "1", name: "outline", args: { input: "mills" } };
 * console.log((await collect(runTool(outline, call))).at(-1));
 * ```
 */
export function toolFromOperator<
  const Name extends string,
  const S extends SchemaInput | undefined = undefined,
  const Inject = unknown,
  Context = unknown,
  Out = unknown,
>(
  operator: Operator<RunArgs<S, Inject>, Out>,
  options: Omit<ToolOptions<Name, S, Inject, Context, unknown>, "run">,
): ToolOf<Name, S, Inject, Out | undefined, Context> {
  return tool({
    ...options,
    async *run(args, { signal }) {
      let last: Out | undefined;
      for await (const output of abortable<Out>(signal)(operator(from([args])))) {
        last = output;
        yield output;
      }
      return last;
    },
  }) as never; // with open type parameters, the compiler cannot infer what the iterable returns
}
