import { checkObject } from "../../text/check-options.js";
import type { AgentEvent } from "../../agent/events.js";
import type { StandardPatchOperation } from "../../json/patch/patch.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import { textOf } from "../../messages/blocks/read.js";
import type { ToolMessage } from "../../messages/message.js";
import { errorAsItem } from "../run/error-as-item.js";
import { toRunParts } from "../run/to-run-parts.js";
import type { RunPart } from "../run/run-parts.js";
import { isStop, type OnRunError, toShownError } from "../shown-error.js";
import { agUiActivity } from "./ag-ui-activity.js";
import { AgUiUsages } from "./ag-ui-usage.js";
import { AgUiValue } from "./ag-ui-value.js";
import type { AgUiEvent, AgUiInterrupt, AgUiRunFinished } from "./events.js";
import { toolFields } from "./to-ag-ui-messages.js";

/** The options of `toAgUi()`. */
export interface ToAgUiOptions {
  readonly threadId: string;
  readonly runId: string;
  /** The state of the client. Restored if a structured response is abandoned. Default: `{}`. */
  readonly state?: JsonValue | undefined;
  /** The member of the state that holds the structured response. Default: the whole state. */
  readonly stateKey?: string | undefined;
  /**
   * Shows the structured response as an activity message of this type, not as state. `stateKey` is then the member of
   * its content. Default: the response is state.
   */
  readonly activity?: string | undefined;
  /**
   * Receives the error that ended the run and may return what the client sees. Default: words for users by the kind of the error, such as
   * `rate_limited`; otherwise `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError | undefined;
  /** Creates the ids of messages. Default: random. */
  readonly createId?: (() => string) | undefined;
}

/**
 * Converts the events of a run to events of AG-UI 1.0, for CopilotKit, `HttpAgent` of `@ag-ui/client` and other
 * clients. `agUiHandler()` serves them.
 *
 * - The structured response is the **state**, or one member of it (`stateKey`): `STATE_SNAPSHOT` at its start, then
 *   `STATE_DELTA` with RFC 6902 patches. If it is abandoned, the client's previous state is restored. The output of its
 *   schema is the `result` of `RUN_FINISHED`. With `activity` it is a message of the role activity instead, beside the
 *   texts: `ACTIVITY_SNAPSHOT`, then `ACTIVITY_DELTA`. If it is abandoned, its content becomes empty.
 * - Each step is one assistant message with its text and calls. Text after a call is a separate message. A call that
 *   carries the structured response is sent when it has ended, so that the conversation is complete.
 * - Tool progress is `CUSTOM` `tool_progress`. A response that is requested again is `CUSTOM` `structured_error`.
 *   After an answer whose stream broke, `CUSTOM` `answer_reset` says that its messages are discarded.
 * - A waiting run ends with the outcome `interrupt`, or with `success` and the ids of calls that the client must
 *   answer.
 * - An error is the last event, `RUN_ERROR`; the stream itself does not fail. A stopped run is `cancelled`.
 *
 * @param events the events of `agent.stream()`
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { toAgUi } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * for await (const event of toAgUi(agent.stream("Hi"), { threadId: "thread", runId: "run" })) {
 *   console.log(event.type);
 * }
 * ```
 *
 * ```text prints
 * RUN_STARTED
 * STEP_STARTED
 * TEXT_MESSAGE_START
 * TEXT_MESSAGE_CONTENT
 * TEXT_MESSAGE_CONTENT
 * TEXT_MESSAGE_END
 * STEP_FINISHED
 * RUN_FINISHED
 * ```
 */
export function toAgUi(events: AsyncIterable<AgentEvent>, options: ToAgUiOptions): AsyncIterable<AgUiEvent> {
  checkObject("toAgUi()", options);
  const { createId = () => crypto.randomUUID() } = options;
  const shown = stage<RunPart, AgUiEvent>((emit) => {
    const eventsOf = agUiEvents(createId, options);
    return {
      next: (part) => {
        for (const event of eventsOf(part)) emit(event);
      },
    };
  })(toRunParts(events, createId));
  return errorAsItem(shown, (error) => runError(error, options.onError));
}

/** The last event of a run that failed. */
export function runError(error: unknown, onError: OnRunError | undefined): AgUiEvent {
  return { type: "RUN_ERROR", ...toShownError(error, onError) };
}

/** The events of each part. */
type EventsOfParts = {
  readonly [Type in RunPart["type"]]: (part: RunPart & { readonly type: Type }) => readonly AgUiEvent[];
};

/** Those that depend on nothing but the part. */
const plainEvents = {
  text_start: ({ id }) => [{ type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" }],
  text_delta: ({ id, delta }) => [{ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta }],
  text_end: ({ id }) => [{ type: "TEXT_MESSAGE_END", messageId: id }],
  reasoning_start: ({ id }) => [
    { type: "REASONING_START", messageId: id },
    { type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning" },
  ],
  reasoning_delta: ({ id, delta }) => [{ type: "REASONING_MESSAGE_CONTENT", messageId: id, delta }],
  reasoning_end: ({ id }) => [
    { type: "REASONING_MESSAGE_END", messageId: id },
    { type: "REASONING_END", messageId: id },
  ],
  call_delta: ({ id, delta }) => [{ type: "TOOL_CALL_ARGS", toolCallId: id, delta }],
  response_call: (part) => [
    callStart(part),
    { type: "TOOL_CALL_ARGS", toolCallId: part.id, delta: part.text },
    { type: "TOOL_CALL_END", toolCallId: part.id },
  ],
  tool_start: () => [],
  media: () => [], // a message of the assistant has texts and calls alone
  tool_progress: ({ id, name, value }) => [
    { type: "CUSTOM", name: "tool_progress", value: { toolCallId: id, toolCallName: name, value } },
  ],
  structured_error: ({ retry, error }) => [
    { type: "CUSTOM", name: "structured_error", value: { code: error.code, retry } },
  ],
  answer_reset: ({ retry, error }) => [
    { type: "CUSTOM", name: "answer_reset", value: { code: error.code, retry } },
  ],
  structured: () => [], // the result of the run
} satisfies Partial<EventsOfParts>;

function agUiEvents(createId: () => string, options: ToAgUiOptions): (part: RunPart) => readonly AgUiEvent[] {
  const { threadId, runId, activity: activityType, stateKey: contentKey } = options;
  /** The structured response. */
  const response =
    activityType === undefined
      ? agUiState(options)
      : agUiActivity({ messageId: createId(), activityType, contentKey });
  const usages = new AgUiUsages();
  /** Calls that the model is still writing. AG-UI cannot express the cancellation of a run with one. */
  const writing = new Set<string>();
  /** The decisions that each waiting call needs, by its id. Without any, it waits for the client. */
  const paused = new Map<string, Extract<RunPart, { type: "call_paused" }>>();
  let step: string | undefined;

  const endStep = (): readonly AgUiEvent[] => {
    if (step === undefined) return [];
    const stepName = step;
    step = undefined;
    return [{ type: "STEP_FINISHED", stepName }];
  };
  const end = (fields: Pick<AgUiRunFinished, "outcome" | "result">): AgUiEvent => {
    return { type: "RUN_FINISHED", threadId, runId, ...fields, ...usages.fields };
  };
  const toolResult = ({ message }: { readonly message: ToolMessage }): readonly AgUiEvent[] => {
    paused.delete(message.toolCallId); // the decision came while the run waited
    return [{ type: "TOOL_CALL_RESULT", messageId: createId(), role: "tool", ...toolFields(message) }];
  };
  const endCall = ({ id }: { readonly id: string }): readonly AgUiEvent[] => {
    writing.delete(id);
    return [{ type: "TOOL_CALL_END", toolCallId: id }];
  };

  const events: EventsOfParts = {
    ...plainEvents,
    run_start: () => [{ type: "RUN_STARTED", threadId, runId }],
    step_start(part) {
      step = `step ${part.step}`;
      return [{ type: "STEP_STARTED", stepName: step }];
    },
    step_end: endStep,
    call_start(part) {
      writing.add(part.id);
      return [callStart(part)];
    },
    call_end: endCall,
    call_invalid: endCall,
    call_paused(part) {
      paused.set(part.id, part);
      return [];
    },
    call_result: toolResult,
    response_result: toolResult,
    feedback({ message }) {
      const { role, id: messageId = createId() } = message;
      return [
        { type: "TEXT_MESSAGE_START", messageId, role },
        { type: "TEXT_MESSAGE_CONTENT", messageId, delta: textOf(message) },
        { type: "TEXT_MESSAGE_END", messageId },
      ];
    },
    structured_patch: ({ patch }) => [response.change(patch)],
    structured_reset: () => [response.clear()],
    model_usage(part) {
      usages.add(part);
      return [];
    },
    finish(event) {
      const waits = [...paused.values()];
      const interrupts = waits.flatMap(interruptsOf);
      const pending = waits.filter(({ approvals }) => approvals.length === 0).map(({ id }) => id);
      const result = "structuredResponse" in event ? { result: event.structuredResponse } : undefined;
      if (interrupts.length > 0) return [end({ outcome: { type: "interrupt", interrupts }, ...result })];
      const waiting = pending.length > 0 ? { pendingToolCallIds: pending } : undefined;
      return [end({ outcome: { type: "success", ...waiting }, ...result })];
    },
    failure({ error }) {
      // Ending an unfinished call would tell the client that it is complete.
      if (isStop(error) && writing.size === 0) return [...endStep(), end({ outcome: { type: "cancelled" } })];
      const shown = isStop(error)
        ? { code: "stopped", message: "The run was stopped." }
        : toShownError(error, options.onError);
      return [{ type: "RUN_ERROR", ...shown, ...usages.fields }];
    },
  };
  return (part) => (events[part.type] as (part: RunPart) => readonly AgUiEvent[])(part);
}

function agUiState({ state, stateKey }: ToAgUiOptions): AgUiValue<AgUiEvent> {
  return new AgUiValue<AgUiEvent>({
    before: state ?? {},
    keyOf: () => stateKey,
    snapshot: (snapshot) => ({ type: "STATE_SNAPSHOT", snapshot }),
    // A response grows without moves and copies.
    delta: (patch) => ({ type: "STATE_DELTA", delta: patch as readonly StandardPatchOperation[] }),
  });
}

function interruptsOf({ id, name, approvals }: Extract<RunPart, { type: "call_paused" }>): AgUiInterrupt[] {
  const message = `Run "${name}"?`;
  return approvals.map((approval) => ({
    ...{ id: approval, reason: "tool_call", message, toolCallId: id, responseSchema },
  }));
}

/** The answers that `readAgUiInput()` understands. */
const responseSchema: JsonObject = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    editedArgs: { type: "object", description: "Replaces all arguments." },
    reason: { type: "string", description: "Tells the model why not." },
  },
  required: ["approved"],
};

function callStart({ id, name, messageId }: Extract<RunPart, { messageId: string }>): AgUiEvent {
  return { type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, parentMessageId: messageId };
}
