import type { FinishReason } from "../../messages/finish-reason.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { Schema } from "../../schema/schema.js";
import { check } from "../check.js";
import { OutputParserError, type OutputParserErrorCode } from "../errors.js";
import { partOf, selectedCalls, type CallBlock, type Selection } from "./tool-call-parts.js";

/** The schema of the arguments of each tool, by its name; `undefined` where there is none. */
export type ToolTable = ReadonlyMap<string, Schema<unknown> | undefined>;

/** A call that has passed. */
export interface CheckedCall {
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

type Outcome = { readonly call: CheckedCall } | { readonly error: OutputParserError };

/** The checks of the calls of one output: each call once. */
export class CallChecks {
  private readonly tools: ToolTable | undefined;
  private readonly selection: Selection;
  private readonly outcomes = new Map<CallBlock, Outcome | Promise<Outcome>>();

  constructor(tools: ToolTable | undefined, selection: Selection) {
    this.tools = tools;
    this.selection = selection;
  }

  /** All calls of a message that has ended. Throws what is wrong with them, or what the promise rejects with. */
  all(message: AssistantMessage): CheckedCall[] | Promise<CheckedCall[]> {
    const blocks = selectedCalls(message, this.selection);
    const outcomes = blocks.map((block) => this.outcome(block, message.finishReason));
    const value = blocks.map((block) => partOf(block, this.selection));
    return outcomes.some((it) => it instanceof Promise)
      ? Promise.all(outcomes.map((it) => Promise.resolve(it))).then((settled) =>
          callsIn(settled, value, message.finishReason),
        )
      : callsIn(outcomes as Outcome[], value, message.finishReason);
  }

  /** One call that has ended. */
  outcome(block: CallBlock, finishReason?: FinishReason): Outcome | Promise<Outcome> {
    const known = this.outcomes.get(block);
    if (known !== undefined) return known;
    const outcome = this.check(block, finishReason);
    this.outcomes.set(block, outcome);
    return outcome;
  }

  private check(block: CallBlock, finishReason: FinishReason | undefined): Outcome | Promise<Outcome> {
    const { selection, tools } = this;
    const { name = "" } = block;
    const fail = (code: OutputParserErrorCode, message: string): Outcome => ({
      error: new OutputParserError(code, message, { value: partOf(block, selection), finishReason }),
    });
    if (name !== "" && tools?.has(name) === false) return fail("unknown_tool", unknownTool(name, tools));
    if (block.type === "tool_call_chunk") return fail("truncated", `The call of "${name}" has not ended.`);
    if (block.type === "invalid_tool_call") {
      if (finishReason === "length") return fail("truncated", atTokenLimit(name));
      return fail(
        "invalid",
        name === "" ? block.error : `The call of "${name}" cannot be read. ${block.error}`,
      );
    }
    const passed = (args: unknown): Outcome => ({
      call: { ...(selection.returnId ? { id: block.id } : undefined), name, args },
    });
    const failed = (error: unknown): Outcome => {
      if (error instanceof OutputParserError) return { error };
      throw error;
    };
    try {
      const args = check(tools?.get(name), block.args, finishReason, `The arguments of "${name}" do`);
      return args instanceof Promise ? args.then(passed, failed) : passed(args);
    } catch (error) {
      return failed(error);
    }
  }
}

function callsIn(
  outcomes: readonly Outcome[],
  value: unknown,
  finishReason: FinishReason | undefined,
): CheckedCall[] {
  const errors = outcomes.flatMap((it) => ("error" in it ? [it.error] : []));
  const [first] = errors;
  if (first === undefined) return outcomes.flatMap((it) => ("call" in it ? [it.call] : []));
  if (errors.length > 1) {
    const message = `${errors.length} calls are wrong. ${errors.map((error) => error.message).join(" ")}`;
    throw new OutputParserError("several", message, { value, finishReason, errors });
  }
  const { code, message, issues } = first;
  throw new OutputParserError(code, message, { value, finishReason, issues, cause: first });
}

function unknownTool(name: string, tools: ToolTable): string {
  return `The model called "${name}", but ${knownTools([...tools.keys()])}.`;
}

/** Which tools there are, as the end of a sentence. */
export function knownTools(names: readonly string[]): string {
  return names.length === 0
    ? "there are no tools"
    : `the tools are ${names.map((it) => `"${it}"`).join(", ")}`;
}

function atTokenLimit(name: string): string {
  const call = name === "" ? "A call" : `The call of "${name}"`;
  return `${call} is cut: the model had reached its token limit. Allow it more tokens (maxTokens), or ask for less.`;
}
