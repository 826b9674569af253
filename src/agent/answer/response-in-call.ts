import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { Arguments } from "../../messages/merge/arguments.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import { coerceValue } from "../../schema/coerce/coerce-value.js";
import { jsonText } from "../../text/json-text.js";
import type { StructuredItemEvent } from "../events.js";
import type { Plan } from "./plan.js";
import { ResponseReports, type ResponseSource } from "./response-source.js";
import type { TargetSchema } from "./target.js";

/** Reads the structured response in the arguments of a call. */
export class ResponseInCall implements ResponseSource {
  /** The calls that are structured responses, in their order. More than one is an error. */
  readonly calls: FinishedCall[] = [];
  failure: ResponseSource["failure"];
  private readonly plan: Plan;
  /** The schemas of the response, by the names of their tools. */
  readonly targets: ReadonlyMap<string, TargetSchema>;
  private readonly reports: ResponseReports;
  /** The arguments of the first call. */
  private args: Pick<Arguments, "snapshot" | "takePatch"> | undefined;

  constructor(plan: Plan) {
    this.plan = plan;
    this.targets = new Map(plan.kind === "tool" ? plan.targets.map((target) => [target.name, target]) : []);
    this.reports = new ResponseReports(plan);
  }

  /** The parser options for the arguments of a tool that is a structured response. */
  parserOptionsOf(name: string): JsonParserOptions | undefined {
    const target = this.targets.get(name);
    return target && this.reports.of(target.parserOptions);
  }

  /** A call has more arguments. */
  grow(args: Arguments): void {
    this.args ??= args;
    if (this.args !== args) this.reports.takeItems(); // of a second response, which is an error
  }

  /**
   * A call is complete. Called again if text follows the call.
   *
   * @returns whether the response came whole, without deltas
   */
  end(block: FinishedCall): boolean {
    const index = this.calls.findIndex((call) => call.id === block.id);
    if (index < 0) this.calls.push(block);
    else this.calls[index] = block;
    if (block.type !== "tool_call" || this.args !== undefined) return false;
    const value = this.coerced(block);
    const patch: JsonPatch[number][] = [{ op: "replace", path: "", value }];
    this.args = { snapshot: () => value, takePatch: () => patch.splice(0) };
    if (this.plan.items) new JsonParser(this.reports.of({ maxDepth: Infinity })).write(jsonText(value).text);
    return true;
  }

  snapshot(): JsonValue | undefined {
    return this.args?.snapshot();
  }

  takePatch(): JsonPatch {
    return this.args?.takePatch() ?? [];
  }

  takeItems(): readonly StructuredItemEvent[] {
    return this.reports.takeItems();
  }

  get changes(): ResponseSource["changes"] {
    const [call] = this.calls;
    return this.reports.changes(call?.type === "tool_call" ? (call.repairs ?? []) : []);
  }

  /** The arguments of a whole call as a guard would have read them while they streamed. */
  private coerced({ name, args }: ToolCallBlock): JsonValue {
    const target = this.targets.get(name);
    if (!this.plan.failFast || target === undefined) return args;
    return coerceValue(args, target.schema, this.plan)?.value ?? args;
  }
}
