import type { Message } from "../../messages/message.js";
import { wholeNumber } from "../../stream/numbers.js";
import { AgentError } from "../errors.js";
import type { Middleware } from "./middleware.js";

/** The options of `trimMessages()`. One limit at least; of two, both hold. */
export interface TrimMessagesOptions {
  /** The most tokens of a call: of its messages and the system prompt, not of the tools. */
  readonly maxTokens?: number;
  /** The most messages of a call, without the system prompt. */
  readonly maxMessages?: number;
  /**
   * How many tokens a message has. It is asked once for each message. Default: a rough count, a token for every four
   * characters of its content as JSON, without the data of images and other media.
   */
  readonly countTokens?: (message: Message) => number;
  /** Messages that are always kept, besides those that are in any case. */
  readonly keep?: (message: Message, index: number) => boolean;
}

/**
 * Leaves out the oldest messages of a call that is too long for the model. For the call only: the state of the run keeps all
 * of them, and each call is trimmed anew.
 *
 * Kept in any case are system messages, the last message of a person, and the end of the conversation, even where they are
 * over the limit by themselves. The calls of tools and their results stay together or go together, and what is left does
 * not begin in the middle of an answer: behind the system messages comes one of a person, unless `keep` has others there.
 *
 * @throws {AgentError} `invalid_options` if there is no limit
 * @throws {RangeError} if a limit is not a whole number of at least 1
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
  const { maxTokens = Infinity, maxMessages = Infinity, countTokens = roughCount, keep } = options;
  wholeNumber("maxTokens", maxTokens, 1);
  wholeNumber("maxMessages", maxMessages, 1);
  if (maxTokens === Infinity && maxMessages === Infinity) {
    throw new AgentError("invalid_options", "trimMessages() needs a limit: maxTokens, or maxMessages.");
  }
  const counts = new WeakMap<Message, number>();
  const tokensOf = (message: Message): number => {
    const count = counts.get(message) ?? countTokens(message);
    counts.set(message, count);
    return count;
  };
  return {
    name: "trimMessages",
    aroundModel: (call, next) => {
      const { messages, systemPrompt } = call;
      const prompt = systemPrompt === undefined ? 0 : tokensOf(systemPrompt);
      const sizeOf = (unit: Unit): Size => ({
        messages: unit.messages.length,
        tokens: maxTokens === Infinity ? 0 : unit.messages.reduce((sum, it) => sum + tokensOf(it), 0),
      });
      const room: Size = { messages: maxMessages, tokens: maxTokens - prompt };
      const kept = trim(unitsOf(messages, keep), room, sizeOf);
      return next(kept.length === messages.length ? call : { ...call, messages: kept });
    },
  };
}

interface Size {
  readonly messages: number;
  readonly tokens: number;
}

/** Messages that are kept or left out together. */
interface Unit {
  readonly messages: Message[];
  /** Kept in any case. */
  fixed: boolean;
}

/** An answer with its calls and their results is one unit; any other message is one by itself. */
function unitsOf(messages: readonly Message[], keep: TrimMessagesOptions["keep"]): Unit[] {
  const lastHuman = messages.findLastIndex(({ role }) => role === "user");
  const units: Unit[] = [];
  for (const [index, message] of messages.entries()) {
    const fixed = message.role === "system" || index === lastHuman || (keep?.(message, index) ?? false);
    const last = units.at(-1);
    if (message.role === "tool" && last?.messages[0]?.role === "assistant") {
      last.messages.push(message);
      last.fixed ||= fixed;
    } else units.push({ messages: [message], fixed });
  }
  const end = units.findLast((unit) => !isSystem(unit));
  if (end !== undefined) end.fixed = true;
  return units;
}

/** What is fixed, and of the others as many of the latest as there is room for. */
function trim(units: readonly Unit[], room: Size, sizeOf: (unit: Unit) => Size): Message[] {
  let { messages, tokens } = room;
  const take = (unit: Unit): void => {
    const size = sizeOf(unit);
    messages -= size.messages;
    tokens -= size.tokens;
  };
  units.filter(({ fixed }) => fixed).forEach(take);
  let from = units.length;
  while (from > 0) {
    const unit = units[from - 1] as Unit;
    if (!unit.fixed) {
      const size = sizeOf(unit);
      if (size.messages > messages || size.tokens > tokens) break;
      take(unit);
    }
    from--;
  }
  const begun = units.slice(0, from).some((unit) => unit.fixed && !isSystem(unit));
  if (from > 0 && !begun) while (!mayBegin(units[from] as Unit)) from++;
  return units.filter(({ fixed }, index) => fixed || index >= from).flatMap((unit) => unit.messages);
}

/** The last one may in any case, as it is fixed. */
function mayBegin(unit: Unit): boolean {
  return unit.messages[0]?.role === "user" || (unit.fixed && !isSystem(unit));
}

function isSystem({ messages }: Unit): boolean {
  return messages[0]?.role === "system";
}

function roughCount({ content }: Message): number {
  return Math.ceil(JSON.stringify(content, withoutMedia).length / 4);
}

function withoutMedia(key: string, value: unknown): unknown {
  return key === "data" || (key === "url" && String(value).startsWith("data:")) ? undefined : value;
}
