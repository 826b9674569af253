import { abortable } from "../../stream/operators/abortable.js";
import { from } from "../../stream/sources/from.js";
import type { Operator } from "../../stream/operator.js";
import type { SchemaInput } from "../../schema/schema-of.js";
import { tool, type ToolOf, type ToolOptions } from "./tool.js";
import type { RunArgs } from "./tool-types.js";

/**
 * A tool whose work is done by an operator, such as a pipeline with a model in it: it is given the arguments as its one
 * item. Each of its outputs is progress, as soon as it is there, and the last one is the result.
 *
 * @param options as for `tool()`, but for `run`
 *
 * @example
 * ```ts
 * import { collect, compose, jsonParser, map, mapAsync, toolFromOperator } from "millrace";
 * import { runTool } from "millrace/agent";
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
  }) as never; // while its types are open, the compiler does not see what the iterable returns
}
