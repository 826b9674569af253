import type { JsonValue } from "../../json/value.js";
import type { OptionNames } from "../../text/check-options.js";
import { readersWith } from "../http/places/readers.js";
import { refusalInWords } from "../http/refusal.js";
import type { Message } from "../../messages/message.js";
import { openCalls } from "../../messages/open-calls.js";
import { isCorrection } from "../run/page-messages.js";
import { boundedRuns, type InfoArgument, type RequestBounds } from "../http/bounded-handler.js";
import {
  answerPage,
  handlerNames,
  type HandlerOptions,
  idOfMessage,
  isThread,
  type RunnerOf,
  type StreamingThread,
} from "../run/conversation.js";
import { readUiInput, type UiInput } from "./from-ui-messages.js";
import {
  continuedUiMessage,
  toUiMessageStream,
  type UiMessageStreamOptions,
} from "./to-ui-message-stream.js";
import { idOfAnswer, answerMetadata, toUiMessages } from "./to-ui-messages.js";
import type { UiPart } from "./ui-messages.js";

/** The options of `uiMessageHandler()`. */
export interface UiMessageHandlerOptions<Context = unknown, Info = unknown>
  extends
    Omit<RequestBounds<Info>, "onError">,
    Omit<UiMessageStreamOptions, "messageId" | "sendOpenCalls" | "usageBefore">,
    HandlerOptions<UiInput, Context, Info> {}

const optionNames = {
  ...handlerNames,
  partials: true,
  resetStep: true,
  createId: true,
  messageMetadata: true,
} satisfies OptionNames<UiMessageHandlerOptions>;

/**
 * Serves an agent or a thread to `useChat` of the AI SDK. Streams the answer as `toUiMessageStream()`. A disconnecting
 * client ends the run. The limits are those of `boundedHandler()`, but a refused request receives the message alone, as
 * text: `useChat` shows it.
 *
 * - **With a thread** the server owns the conversation. Of the request, only what the thread does not know counts: new
 *   messages of the user, decisions about calls that wait, and results of calls that the page has run. If the thread has
 *   a message that the page does not show, the answer is the error of a `conflict`. Load the page with `toUiMessages()`.
 * - **With an agent** the client owns it. Treat all messages as client input, including those with the role assistant.
 *
 * The decisions of `addToolApprovalResponse()` reach `humanApproval()`.
 *
 * @param runner the agent, or a function that returns an agent or a thread for a request. The function may throw a
 *   `RequestError` to refuse the request.
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { uiMessageHandler } from "millrace/serve";
 * import { memoryThreads, thread } from "millrace/thread";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const store = memoryThreads();
 * const handle = uiMessageHandler(({ id }) => thread(agent, { store, id }));
 * const request = new Request("http://localhost/api/chat", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ id: "1", messages: [{ id: "a", role: "user", parts: [{ type: "text", text: "Hi" }] }] }),
 * });
 * const text = await (await handle(request)).text();
 * console.log(text.includes('"delta":"Hello."'), (await thread(agent, { store, id: "1" })).messages.length); // true 2
 * ```
 */
export function uiMessageHandler<Context = unknown, Info = unknown>(
  runner: RunnerOf<UiInput, Context, Info>,
  options: UiMessageHandlerOptions<Context, Info> = {},
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const read = readersWith("uiMessageHandler()", options, optionNames);
  const answer = async (_slot: unknown, body: JsonValue, request: Request, info: Info): Promise<Response> => {
    const input = readUiInput(body);
    const { chat, events } = await answerPage(runner, input, options, request, info);
    if (!isThread(chat)) return toUiMessageStream(events, options);
    const { before, ...place } = placeOf(chat, input);
    return continuedUiMessage(events, { ...options, ...place }, before);
  };
  return boundedRuns<Info>(answer, options, read, refusalInWords);
}

/** The id of the message, what it has used before, and what the page has lost of it. */
function placeOf(
  { messages, status, responseCalls }: StreamingThread,
  { messages: shown, continues }: UiInput,
): Pick<UiMessageStreamOptions, "messageId" | "sendOpenCalls" | "usageBefore"> & {
  readonly before: readonly UiPart[];
} {
  const asked = messages.findLastIndex((message) => message.role === "user" && !isCorrection(message));
  const answer = messages.slice(asked + 1);
  if (continues !== undefined) return { messageId: continues, ...usageOf(answer), before: [] };
  const question = shown.findLast(({ role }) => role === "user") as Pick<Message, "id"> | undefined;
  const place = { messageId: idOfAnswer(question?.id), sendOpenCalls: true };
  if (asked < 0 || question?.id !== idOfMessage(messages[asked] as Message, asked))
    return { ...place, before: [] };
  // The model repeats what follows the last result, unless calls wait or the answer is complete.
  const isKept = status === "idle" || openCalls(messages).length > 0;
  const kept = isKept ? answer : answer.slice(0, answer.findLastIndex(({ role }) => role === "tool") + 1);
  return {
    ...place,
    ...usageOf(kept),
    before: toUiMessages({ ...finished, messages: kept, responseCalls })[0]?.parts ?? [],
  };
}

const finished = { status: "finished", record: undefined };

function usageOf(answer: readonly Message[]): Pick<UiMessageStreamOptions, "usageBefore"> {
  const { usage } = answerMetadata(answer);
  return usage === undefined ? {} : { usageBefore: usage };
}
