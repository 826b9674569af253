import type { AgentEvent } from "../../agent/events.js";
import type { AgentInput } from "../../agent/state.js";
import { boundedHandler, type InfoArgument, type RequestBounds } from "../http/bounded-handler.js";
import { type OnRunError, toShownError } from "../shown-error.js";
import { report } from "../report.js";
import { eventFormat, eventTexts, textResponse, type TextResponseOptions } from "../http/text-response.js";
import { type AgUiInput, readAgUiInput } from "./ag-ui-input.js";
import type { AgUiEvent } from "./events.js";
import { toAgUi } from "./to-ag-ui.js";

/** The part of an agent that the handler uses. */
export interface StreamingAgent<Context = unknown> {
  stream(
    input: AgentInput,
    options?: { readonly signal?: AbortSignal | undefined; readonly context?: Context },
  ): AsyncIterable<AgentEvent>;
}

/** The options of `agUiHandler()`. */
export interface AgUiHandlerOptions<Context = unknown, Info = unknown>
  extends Omit<RequestBounds<Info>, "onError">, TextResponseOptions {
  /** Returns the `context` of the run for a request. */
  readonly context?: (input: AgUiInput, request: Request, info: Info) => Context | PromiseLike<Context>;
  /** The member of the client's state that holds the structured response. Default: the whole state. */
  readonly stateKey?: string;
  /** Shows the structured response as an activity message of this type, not as state. Default: it is state. */
  readonly activity?: string;
  /**
   * Whether a conversation may end with unanswered calls, as when calls wait for approval. They run with the arguments
   * that the client sent, so use it only if middleware decides about each call. Default: false.
   */
  readonly openCalls?: boolean;
  /**
   * Receives all errors, of runs and of requests. For an error of a run it may return what the client sees. Default: words for users by the kind of the error, such as
   * `rate_limited`; otherwise `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError;
  /** Creates the ids of messages. Default: random. */
  readonly createId?: () => string;
}

/**
 * Serves an agent as an HTTP endpoint of AG-UI 1.0. Reads a `RunAgentInput` and streams the events of the run. A
 * disconnecting client ends the run. The limits are those of `boundedHandler()`.
 *
 * The client owns the conversation: it sends all messages with each run, and the server stores nothing. Treat all
 * messages as client input, including those with the role assistant or tool.
 *
 * @param agent the agent, or a function that creates one for a request. The function may throw a `RequestError` to
 *   refuse the request.
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
  agent:
    | StreamingAgent<Context>
    | ((
        input: AgUiInput,
        request: Request,
        info: Info,
      ) => StreamingAgent<Context> | PromiseLike<StreamingAgent<Context>>),
  options: AgUiHandlerOptions<Context, Info> = {},
): (request: Request, ...info: InfoArgument<Info>) => Promise<Response> {
  const { context, openCalls = false, onError } = options;
  return boundedHandler<Info>(
    async (body, request, info) => {
      const input = readAgUiInput(body, openCalls);
      const { threadId, runId, state, messages } = input;
      const runner = typeof agent === "function" ? await agent(input, request, info) : agent;
      const events = runner.stream(messages, {
        signal: request.signal,
        ...(context === undefined ? undefined : { context: await context(input, request, info) }),
      });
      const shown = toAgUi(events, {
        ...options,
        threadId,
        runId,
        state: state ?? {},
      });
      const failed = (error: unknown): AgUiEvent => ({ type: "RUN_ERROR", ...toShownError(error, onError) });
      return textResponse(eventFormat, options)(eventTexts(shown, failed));
    },
    { ...options, onError: (error) => void report(onError, error) },
  );
}
