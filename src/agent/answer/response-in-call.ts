import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { Arguments } from "../../messages/merge/arguments.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import { coerceValue } from "../../schema/coerce/coerce-value.js";
import { jsonText } from "../../text/json-text.js";
import type { Plan } from "./plan.js";
import { parserOptions, responseReports, type ResponseSource } from "./response-source.js";
import type { TargetSchema } from "./target.js";
import { unclearCall } from "./unclear-call.js";

/** The arguments of a call, as the structured response. */
export interface ResponseInCall extends ResponseSource {
  /** The calls that are structured responses, in their order. More than one is an error. */
  readonly calls: readonly FinishedCall[];
  /** The schemas of the response, by the names of their tools. */
  readonly targets: ReadonlyMap<string, TargetSchema>;
  /** The parser options for the arguments of a tool that is a structured response. */
  parserOptionsOf(name: string): JsonParserOptions | undefined;
  /** A call has more arguments. */
  grow(args: Arguments): void;
  /**
   * A call is complete. Called again if text follows the call.
   *
   * @returns whether the response came whole, without deltas
   */
  end(block: FinishedCall): boolean;
}

/** Reads the structured response in the arguments of a call. */
export function responseInCall(plan: Plan): ResponseInCall {
  const calls: FinishedCall[] = [];
  const targets = new Map(plan.kind === "tool" ? plan.targets.map((target) => [target.name, target]) : []);
  const { of, onCoerce, takeItems, changes } = responseReports(plan);
  /** The arguments of the first call. */
  let first: Pick<Arguments, "snapshot" | "takePatch"> | undefined;
  /** The arguments of a whole call as a guard would have read them while they streamed. */
  const coerced = ({ name, args }: ToolCallBlock): ReturnType<typeof coerceValue> => {
    const target = targets.get(name);
    return plan.failFast && target !== undefined ? coerceValue(args, target.schema, plan) : undefined;
  };
  return {
    failure: undefined,
    calls,
    targets,
    parserOptionsOf(name) {
      const target = targets.get(name);
      return target && of(parserOptions(plan, target));
    },
    grow(args) {
      first ??= args;
      if (first !== args) takeItems(); // of a second response, which is an error
    },
    end(block) {
      const index = calls.findIndex((call) => call.id === block.id);
      const whole = block.type === "tool_call" && first === undefined ? block : undefined;
      const found = whole && coerced(whole);
      const call = whole && found?.problem !== undefined ? unclearCall(whole, found.problem) : block;
      if (index < 0) calls.push(call);
      else calls[index] = call;
      if (call.type !== "tool_call" || first !== undefined) return false;
      found?.coercions?.forEach(onCoerce);
      const value = found?.value ?? call.args;
      const patch: JsonPatch[number][] = [{ op: "replace", path: "", value }];
      first = { snapshot: () => value, takePatch: () => patch.splice(0) };
      if (plan.items) new JsonParser(of({ maxDepth: Infinity })).write(jsonText(value).text);
      return true;
    },
    snapshot: () => first?.snapshot(),
    takePatch: () => first?.takePatch() ?? [],
    takeItems,
    changes() {
      const [call] = calls;
      return changes(call?.type === "tool_call" ? (call.repairs ?? []) : []);
    },
  };
}
