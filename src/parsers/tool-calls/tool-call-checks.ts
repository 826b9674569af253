import type { FinishReason } from "../../messages/finish-reason.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { CallBlock } from "../../messages/blocks/read.js";
import type { AssistantMessage } from "../../messages/message.js";
import { coerceValue, type CoerceOptions } from "../../schema/coerce/coerce-value.js";
import { allOrNow, type Schema } from "../../schema/schema.js";
import { quoted } from "../../text/cut.js";
import { check } from "../check.js";
import { OutputParserError, type OutputParserErrorCode } from "../errors.js";
import { withTokenLimit } from "../truncation.js";
import {
  toolCallPart,
  selectedCalls,
  type OnCallCoercion,
  type OnCallRepair,
  type Selection,
} from "./tool-call-parts.js";
import { isInstance } from "../../text/thrown.js";

/** The schema of the arguments of each tool by name; `undefined` for a tool without a schema. */
export type ToolTable = ReadonlyMap<string, Schema<unknown> | undefined>;

/** A call whose arguments passed the check. */
export interface CheckedCall {
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

/** How the arguments of complete calls are read. */
export interface CallReading extends CoerceOptions {
  readonly onCoerce?: OnCallCoercion | undefined;
  readonly onRepair?: OnCallRepair | undefined;
}

type CheckOutcome = { readonly call: CheckedCall } | { readonly error: OutputParserError };

/** Checks the calls of one output, each call once. */
export class CallChecks {
  private readonly tools: ToolTable | undefined;
  private readonly selection: Selection;
  private readonly reading: CallReading;
  private readonly outcomes = new Map<CallBlock, CheckOutcome | Promise<CheckOutcome>>();

  constructor(tools: ToolTable | undefined, selection: Selection, reading: CallReading = {}) {
    this.tools = tools;
    this.selection = selection;
    this.reading = reading;
  }

  /** Checks all calls of a message that has ended. Throws, or rejects, with the errors of the calls. */
  all(message: AssistantMessage): CheckedCall[] | Promise<CheckedCall[]> {
    const blocks = selectedCalls(message, this.selection);
    const outcomes = blocks.map((block) => this.outcome(block, message.finishReason));
    const value = blocks.map((block) => toolCallPart(block, this.selection));
    return allOrNow(outcomes, (settled) => callsIn(settled, value, message.finishReason));
  }

  /** Checks one call that has ended. */
  outcome(block: CallBlock, finishReason?: FinishReason): CheckOutcome | Promise<CheckOutcome> {
    const known = this.outcomes.get(block);
    if (known !== undefined) return known;
    const outcome = this.check(block, finishReason);
    this.outcomes.set(block, outcome);
    return outcome;
  }

  private check(
    block: CallBlock,
    finishReason: FinishReason | undefined,
  ): CheckOutcome | Promise<CheckOutcome> {
    const { selection, tools } = this;
    const { name = "" } = block;
    const refused = (code: OutputParserErrorCode, message: string): CheckOutcome => ({
      error: new OutputParserError(code, message, { value: toolCallPart(block, selection), finishReason }),
    });
    if (block.type !== "tool_call" || (name !== "" && tools?.has(name) === false))
      return refused(...refusalOf(block, tools, finishReason));
    const passed = (args: unknown): CheckOutcome => ({
      call: { ...(selection.returnId ? { id: block.id } : undefined), name, args },
    });
    const failed = (error: unknown): CheckOutcome => {
      if (isInstance(error, OutputParserError)) return { error };
      throw error;
    };
    const schema = tools?.get(name);
    const coerced = schema && coerceValue(block.args, schema, this.reading);
    this.report(block, coerced);
    if (coerced?.problem !== undefined) {
      return refused(
        "schema",
        `The arguments of ${quoted(name)} can be read in two ways: ${coerced.problem}`,
      );
    }
    try {
      const args = check(
        schema,
        coerced?.value ?? block.args,
        finishReason,
        `The arguments of ${quoted(name)} do`,
      );
      return args instanceof Promise ? args.then(passed, failed) : passed(args);
    } catch (error) {
      return failed(error);
    }
  }

  private report({ id, name, repairs = [] }: ToolCallBlock, coerced: ReturnType<typeof coerceValue>): void {
    const { onCoerce, onRepair } = this.reading;
    for (const repair of repairs) onRepair?.(repair, { id, name });
    for (const coercion of coerced?.coercions ?? []) onCoerce?.(coercion, { id, name });
  }
}

/** Why a call has no arguments that could be checked, or no tool. */
function refusalOf(
  block: CallBlock,
  tools: ToolTable | undefined,
  finishReason: FinishReason | undefined,
): readonly [code: OutputParserErrorCode, message: string] {
  const { name = "" } = block;
  if (name !== "" && tools?.has(name) === false) return ["unknown_tool", unknownTool(name, tools)];
  if (block.type !== "invalid_tool_call")
    return [
      "truncated",
      `Expected the end of the arguments of ${quoted(name)}, but the output ended before it.`,
    ];
  if (finishReason === "length") return ["truncated", atTokenLimit(name)];
  return [
    "invalid",
    name === "" ? block.error : `The call of ${quoted(name)} cannot be parsed. ${block.error}`,
  ];
}

function callsIn(
  outcomes: readonly CheckOutcome[],
  value: unknown,
  finishReason: FinishReason | undefined,
): CheckedCall[] {
  const errors = outcomes.flatMap((it) => ("error" in it ? [it.error] : []));
  const [first] = errors;
  if (first === undefined) return outcomes.flatMap((it) => ("call" in it ? [it.call] : []));
  if (errors.length > 1) {
    const message = `${errors.length} calls have errors. ${errors.map((error) => error.message).join(" ")}`;
    throw new OutputParserError("several", message, { value, finishReason, errors });
  }
  const { code, issues } = first;
  // A call may be checked before the finish reason is known.
  const isEarly = code === "schema" && first.finishReason === undefined;
  const message = isEarly ? withTokenLimit(first.message, finishReason) : first.message;
  throw new OutputParserError(code, message, { value, finishReason, issues, cause: first });
}

function unknownTool(name: string, tools: ToolTable): string {
  return `The model called the unknown tool ${quoted(name)}: ${knownTools([...tools.keys()])}.`;
}

/** A clause that lists the tools: `the tools are "a", "b"`. */
export function knownTools(names: readonly string[]): string {
  return names.length === 0
    ? "there are no tools"
    : `the tools are ${names.map((it) => quoted(it)).join(", ")}`;
}

function atTokenLimit(name: string): string {
  const call = name === "" ? "A call" : `The call of ${quoted(name)}`;
  return `${call} is truncated because the model reached its token limit. Raise maxTokens, or ask for less.`;
}
