import type { JsonValue } from "../../json/value.js";
import type { OptionNames } from "../../text/check-options.js";
import { readersWith } from "../http/places/readers.js";
import { boundedRuns, type InfoArgument, type RequestBounds } from "../http/bounded-handler.js";
import { answerPage, handlerNames, type HandlerOptions, type RunnerOf } from "../run/conversation.js";
import { eventResponse, type TextResponseOptions } from "../http/text-response.js";
import { type AgUiInput, readAgUiInput } from "./ag-ui-input.js";
import { runError, toAgUi } from "./to-ag-ui.js";

/** The options of `agUiHandler()`. */
export interface AgUiHandlerOptions<Context = unknown, Info = unknown>
  extends
    Omit<RequestBounds<Info>, "onError">,
    TextResponseOptions,
    HandlerOptions<AgUiInput, Context, Info> {
  /** The member of the client's state that holds the structured response. Default: the whole state. */
  readonly stateKey?: string;
  /** Shows the structured response as an activity message of this type, not as state. Default: it is state. */
  readonly activity?: string;
  /** Creates the ids of messages. Default: random. */
  readonly createId?: () => string;
}

const optionNames = {
  ...handlerNames,
  stateKey: true,
  activity: true,
  createId: true,
} satisfies OptionNames<AgUiHandlerOptions>;

/**
 * Serves an agent as an HTTP endpoint of AG-UI 1.0. Reads a `RunAgentInput` and streams the events of the run. A
 * disconnecting client ends the run. The limits are those of `boundedHandler()`.
 *
 * - **With an agent** the client owns the conversation: it sends all messages with each run, and the server stores nothing.
 *   Treat all messages as client input, including those with the role assistant or tool.
 * - **With a thread** the server owns it. Of the request, only what the thread does not know counts: new messages of the
 *   user, answers to interrupts, and results of calls that the page has run. If the thread has a message that the page
 *   does not show, the run ends with the error `conflict`.
 *
 * The client's answers to interrupts (`resume`) reach `humanApproval()`.
 *
 * @param runner the agent, or a function that returns an agent or a thread for a request. The function may throw a
 *   `RequestError` to refuse the request.
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { agUiHandler } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const handle = agUiHandler(createAgent({ model: scriptedModel(["Hello."]) }));
 * const request = new Request("http://localhost/agent", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({
 *     threadId: "thread",
 *     runId: "run",
 *     messages: [{ id: "1", role: "user", content: "Hi" }],
 *   }),
 * });
 * const text = await (await handle(request)).text();
 * console.log(text.includes('"type":"TEXT_MESSAGE_CONTENT"')); // true
 * ```
 */
export function agUiHandler<Context = unknown, Info = unknown>(
  runner: RunnerOf<AgUiInput, Context, Info>,
  options: AgUiHandlerOptions<Context, Info> = {},
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const read = readersWith("agUiHandler()", options, optionNames);
  const answer = async (_slot: unknown, body: JsonValue, request: Request, info: Info): Promise<Response> => {
    const input = readAgUiInput(body);
    const { threadId, runId, state } = input;
    const { events } = await answerPage(runner, input, options, request, info);
    const shown = toAgUi(events, { ...options, threadId, runId, state });
    return eventResponse(shown, { failed: (error) => runError(error, options.onError) }, options);
  };
  return boundedRuns<Info>(answer, options, read);
}
