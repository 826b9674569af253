import type { Message, ToolMessage } from "../../../messages/message.js";
import { wholeNumber } from "../../../text/check-number.js";
import { checkOptions, type OptionNames } from "../../../text/check-options.js";
import { textBlocks, toolCallsOf } from "../../../messages/blocks/read.js";
import type { ToolInvocation } from "../../../tools/run/runtime.js";
import { getOrInsert } from "../../../tree/made-once.js";
import type { Middleware } from "../middleware.js";
import { checkSelection } from "../tool-selection.js";
import { type CountTokens, tokensIn, tokenCounter } from "./count-tokens.js";

/** The options of `clearToolResults()`. */
export interface ClearToolResultsOptions {
  /** The number of latest results to keep. Results that the model has not seen are always kept. Default: 3. */
  readonly keep?: number;
  /** Clear only when the messages and the system prompt have more tokens than this. Default: 0. */
  readonly maxTokens?: number;
  /** Counts the tokens of a message. Default: one token for every four characters, without media. */
  readonly countTokens?: CountTokens;
  /** The names of the tools whose results may be cleared. Default: all. */
  readonly tools?: readonly string[];
  /** The text that is sent instead of a result. Default: `"[This result was removed to save space.]"`. */
  readonly note?: string | ((call: ToolInvocation) => string);
}

const optionNames = {
  keep: true,
  maxTokens: true,
  countTokens: true,
  tools: true,
  note: true,
} satisfies OptionNames<ClearToolResultsOptions>;

/**
 * Replaces old results of tools with a short note in model calls. The calls stay, so the model knows what it did, and
 * can call a tool again. Only the call changes: the state of the run keeps all results.
 *
 * @throws {RangeError} if `keep` or `maxTokens` is not a whole number of at least 0
 * @throws {TypeError} for an unknown option, or tools that are no names
 *
 * @example
 * ```ts
 * import { assistant, createAgent, textOf, toolMessage, user } from "millrace";
 * import { clearToolResults } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["It rains in both."]);
 * const agent = createAgent({ model, middleware: [clearToolResults({ keep: 1, note: "[old]" })] });
 * const asks = (id: string, city: string) =>
 *   assistant([{ type: "tool_call", id, name: "weather", args: { city } }]);
 * await agent.invoke([
 *   user("Weather?"),
 *   asks("1", "Oslo"),
 *   toolMessage("Rain in Oslo.", { toolCallId: "1" }),
 *   asks("2", "Bergen"),
 *   toolMessage("Rain in Bergen.", { toolCallId: "2" }),
 *   user("And together?"),
 * ]);
 * console.log(model.calls[0]?.messages.map(textOf).filter((text) => text !== "")); // ["Weather?", "[old]", "Rain in Bergen.", "And together?"]
 * ```
 */
export function clearToolResults(options: ClearToolResultsOptions = {}): Middleware {
  checkOptions("clearToolResults()", options, optionNames);
  const { keep = 3, maxTokens = 0, countTokens, tools, note = defaultNote } = options;
  checkSelection("tools of clearToolResults()", tools);
  wholeNumber("keep", keep, 0);
  wholeNumber("maxTokens", maxTokens, 0);
  const tokensOf = tokenCounter(countTokens);
  const noted = new WeakMap<ToolMessage, ToolMessage>();
  const cleared = (message: ToolMessage, call: ToolInvocation): ToolMessage => {
    const content = textBlocks(typeof note === "string" ? note : note(call));
    const short = getOrInsert(noted, message, () => ({ ...message, content }));
    return tokensOf(short) < tokensOf(message) ? short : message;
  };
  return {
    name: "clearToolResults",
    aroundModel: (call, next) => {
      const { system, messages } = call;
      const prompt = system === undefined ? [] : [system];
      if (maxTokens > 0 && tokensIn([...prompt, ...messages], tokensOf) <= maxTokens) return next(call);
      const calls = callsOf(messages);
      let left = keep;
      // From the end: what follows the last message of the model is new to it.
      const unseen = messages.findLastIndex(({ role }) => role === "assistant");
      const shown = [...messages];
      for (let at = messages.length - 1; at >= 0; at--) {
        const message = messages[at] as Message;
        if (message.role !== "tool" || left-- > 0 || at > unseen) continue;
        const made = calls.get(message.toolCallId);
        if (made !== undefined && (tools?.includes(made.name) ?? true)) shown[at] = cleared(message, made);
      }
      return next({ ...call, messages: shown });
    },
  };
}

const defaultNote = "[This result was removed to save space.]";

function callsOf(messages: readonly Message[]): Map<string, ToolInvocation> {
  return new Map(messages.flatMap(toolCallsOf).map((call) => [call.id, call]));
}
