import type { AgentEvent } from "../../agent/events.js";
import type { AgentInput } from "../../agent/loop/state.js";
import { boundedHandler, type RequestBounds } from "../http/bounded-handler.js";
import { type OnRunError, toShownError } from "../shown-error.js";
import { eventFormat, eventTexts, textResponse, type TextResponseOptions } from "../http/text-response.js";
import { type AgUiInput, readAgUiInput } from "./ag-ui-input.js";
import type { AgUiEvent } from "./events.js";
import { toAgUi } from "./to-ag-ui.js";

/** As much of an agent as is needed. */
export interface StreamingAgent<Context = unknown> {
  stream(
    input: AgentInput,
    options?: { readonly signal?: AbortSignal | undefined; readonly context?: Context },
  ): AsyncIterable<AgentEvent>;
}

/** The options of `agUiHandler()`. */
export interface AgUiHandlerOptions<Context = unknown>
  extends Omit<RequestBounds, "onError">, TextResponseOptions {
  /** The `context` of the run, from who asks. */
  readonly context?: (input: AgUiInput, request: Request) => Context | PromiseLike<Context>;
  /** The member of the client's state that the structured response is. Default: it is all of the state. */
  readonly stateKey?: string;
  /**
   * Whether a conversation may end with calls that nobody has answered, as it does where calls wait for an approval. They are
   * run as the client has sent them, so let it be an agent whose middleware decides about each. Default: false.
   */
  readonly openCalls?: boolean;
  /**
   * Hears of errors: of runs, and of what else fails. What it returns for the error of a run is what the client is shown of
   * it; `undefined`: `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError;
  /** Makes the ids of messages. Default: random. */
  readonly createId?: () => string;
}

/**
 * An agent as an HTTP endpoint of AG-UI 1.0: reads a `RunAgentInput`, and answers with the events of the run as they
 * happen. A client that leaves ends the run. The bounds are those of `boundedHandler()`.
 *
 * The conversation is the client's: it sends all messages with each run, and nothing is kept here. So whatever is in them,
 * also what an assistant or a tool is said to have said, is what the client says.
 *
 * @param agent the agent; or what makes one for a request, which may look at all that the client has sent, and may throw a
 *   `RequestError` to refuse it
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
export function agUiHandler<Context = unknown>(
  agent:
    | StreamingAgent<Context>
    | ((
        input: AgUiInput,
        request: Request,
      ) => StreamingAgent<Context> | PromiseLike<StreamingAgent<Context>>),
  options: AgUiHandlerOptions<Context> = {},
): (request: Request) => Promise<Response> {
  const { context, openCalls = false, onError } = options;
  return boundedHandler(
    async (body, request) => {
      const input = readAgUiInput(body, openCalls);
      const { threadId, runId, state, tools, messages } = input;
      const runner = typeof agent === "function" ? await agent(input, request) : agent;
      const events = runner.stream(messages, {
        signal: request.signal,
        ...(context === undefined ? undefined : { context: await context(input, request) }),
      });
      const shown = toAgUi(events, {
        ...options,
        threadId,
        runId,
        state: state ?? {},
        clientTools: tools.map(({ name }) => name),
      });
      const failed = (error: unknown): AgUiEvent => ({ type: "RUN_ERROR", ...toShownError(error, onError) });
      return textResponse(eventTexts(shown, failed), eventFormat, options);
    },
    { ...options, onError: (error) => void onError?.(error) },
  );
}
