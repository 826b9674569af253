import type { Message } from "../../../messages/message.js";
import { wholeNumber } from "../../../text/check-number.js";
import { atOnce, checkOptions, type OptionNames } from "../../../text/check-options.js";
import { invalidOptions } from "../../errors.js";
import type { Middleware } from "../middleware.js";
import { type CountTokens, tokensIn, tokenCounter } from "./count-tokens.js";
import { unitsOf } from "./units.js";

/** The options of `trimMessages()`. At least one limit is required. */
export interface TrimMessagesOptions {
  /** The maximum number of tokens in a call: those of the messages and the system prompt, without the tools. */
  readonly maxTokens?: number;
  /** The maximum number of messages in a call, without the system prompt. */
  readonly maxMessages?: number;
  /**
   * Counts the tokens of a message. Called once for each message. Default: an estimate of one token for every four
   * characters of the content as JSON, without the data of images and other media.
   */
  readonly countTokens?: CountTokens;
  /** Selects further messages to keep always. */
  readonly keep?: (message: Message, index: number) => boolean;
}

const optionNames = {
  maxTokens: true,
  maxMessages: true,
  countTokens: true,
  keep: true,
} satisfies OptionNames<TrimMessagesOptions>;

/**
 * Removes the oldest messages from model calls that are too long. Only the call changes: the state of the run keeps all
 * messages, and each call is trimmed separately.
 *
 * System messages, the last user message and the end of the conversation are always kept, even if they exceed the
 * limit. Tool calls are kept or removed together with their results. After the system messages, the remaining
 * conversation begins with a user message, or with a message that `keep` selects.
 *
 * @throws {AgentError} `invalid_options` without a limit
 * @throws {RangeError} if a limit is not a whole number of at least 1
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { assistant, createAgent, user } from "millrace";
 * import { trimMessages } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(["Grace."]);
 * const agent = createAgent({ model, middleware: [trimMessages({ maxMessages: 1 })] });
 * const { messages } = await agent.invoke([user("Hi, I am Grace."), assistant("Hi."), user("Who am I?")]);
 * console.log(model.calls[0]?.messages.length, messages.length); // 1 4
 * ```
 */
export function trimMessages(options: TrimMessagesOptions): Middleware {
  checkOptions("trimMessages()", options, optionNames);
  const { maxTokens = Infinity, maxMessages = Infinity, countTokens, keep } = options;
  wholeNumber("maxTokens", maxTokens, 1);
  wholeNumber("maxMessages", maxMessages, 1);
  if (maxTokens === Infinity && maxMessages === Infinity) {
    throw invalidOptions("trimMessages() needs maxTokens or maxMessages.");
  }
  const tokensOf = tokenCounter(countTokens);
  return {
    name: "trimMessages",
    aroundModel: (call, next) => {
      const { messages, system } = call;
      const prompt = system === undefined ? 0 : tokensOf(system);
      const tokensOfUnit = (unit: Unit): number =>
        maxTokens === Infinity ? 0 : tokensIn(unit.messages, tokensOf);
      const kept = trim(trimmableUnits(messages, keep), maxMessages, maxTokens - prompt, tokensOfUnit);
      return next(kept.length === messages.length ? call : { ...call, messages: kept });
    },
  };
}

/** Messages that are kept or removed together. */
interface Unit {
  readonly messages: readonly Message[];
  /** Always kept. */
  readonly fixed: boolean;
}

function trimmableUnits(messages: readonly Message[], keep: TrimMessagesOptions["keep"]): Unit[] {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const units = unitsOf(messages);
  const end = units.findLastIndex((unit) => unit[0]?.role !== "system");
  let index = 0;
  return units.map((unit, at) => {
    const fixed = unit.map((message) => {
      const isFixed =
        message.role === "system" ||
        index === lastUser ||
        (keep !== undefined && atOnce("keep of trimMessages()", keep(message, index)));
      index++;
      return isFixed;
    });
    return { messages: unit, fixed: at === end || fixed.includes(true) };
  });
}

/** Keeps the fixed units, and as many of the latest others as fit. */
function trim(
  units: readonly Unit[],
  maxMessages: number,
  maxTokens: number,
  tokensOf: (unit: Unit) => number,
): Message[] {
  let messages = maxMessages;
  let tokens = maxTokens;
  const take = (unit: Unit): void => {
    messages -= unit.messages.length;
    tokens -= tokensOf(unit);
  };
  units.filter(({ fixed }) => fixed).forEach(take);
  let from = units.length;
  for (; from > 0; from--) {
    const unit = units[from - 1] as Unit;
    if (unit.fixed) continue;
    if (unit.messages.length > messages || tokensOf(unit) > tokens) break;
    take(unit);
  }
  const begun = units.slice(0, from).some((unit) => unit.fixed && !isSystem(unit));
  if (from > 0 && !begun) while (!mayBegin(units[from] as Unit)) from++;
  return units.filter(({ fixed }, index) => fixed || index >= from).flatMap((unit) => unit.messages);
}

/** Whether the conversation may begin with the unit. True for the last unit, which is fixed. */
function mayBegin(unit: Unit): boolean {
  return unit.messages[0]?.role === "user" || (unit.fixed && !isSystem(unit));
}

function isSystem({ messages }: Unit): boolean {
  return messages[0]?.role === "system";
}
