import { jsonText } from "../../text/json-text.js";
import type {
  AgentEvent,
  AgentToolErrorEvent,
  AgentToolResultEvent,
  ReasoningEvent,
  TextEvent,
} from "../../agent/events.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import type { Transform } from "../../stream/core/transform.js";
import { isFinishedCall } from "../../messages/blocks/read.js";
import { waitingInside } from "../../messages/open-calls.js";
import type { Message } from "../../messages/message.js";
import { wordSet } from "../../text/words-in.js";
import { fieldOf } from "../../text/thrown.js";
import { errorAsItem } from "./error-as-item.js";
import type { RunItem, RunPart } from "./run-parts.js";

/**
 * Converts the events of a run to parts with a start and an end. No part is opened twice, a text ends before a call
 * starts, and everything opened is closed. The last part is always `finish` or `failure`.
 *
 * @param createId creates the ids of messages
 */
export function toRunParts(
  events: AsyncIterable<AgentEvent>,
  createId: () => string,
): AsyncIterable<RunPart> {
  return stage<RunItem, RunPart>((emit) => runPartBuilder(emit, createId))(
    errorAsItem<RunItem>(events, (error) => ({ type: "failure", error })),
  );
}

/** Turns one event after another into parts. */
export function runPartBuilder(emit: (part: RunPart) => void, createId: () => string): Transform<RunItem> {
  let started = false;
  let over = false;
  let step: number | undefined;
  /** The id of the message that the model writes in this step. */
  let messageId = "";
  /** Whether the message already has text. Text after a call becomes a message of its own. */
  let hasText = false;
  let open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  /** The calls that the model is writing, with their text. */
  const writing = new Map<string, { readonly name: string; text: string }>();
  const announced = new Set<string>();
  const answered = new Set<string>();
  const responses = new Set<string>();
  /** The calls of this step in which a call of an agent waits. The state at its end has their ids. */
  const outer: { readonly id: string; readonly name: string }[] = [];
  let model: string | undefined;

  const write = ({ type, delta }: TextEvent | ReasoningEvent): void => {
    const { id } = open?.kind === type ? open : begin(type);
    emit({ type: `${type}_delta`, id, delta });
  };

  const begin = (kind: "text" | "reasoning"): { readonly id: string } => {
    close();
    const isFirst = kind === "text" && !hasText;
    const id = isFirst ? messageId : createId();
    hasText ||= kind === "text";
    open = { kind, id };
    emit({ type: `${kind}_start`, id });
    return open;
  };

  /** Ends the open text or reasoning. */
  const close = (): void => {
    if (open === undefined) return;
    const { kind, id } = open;
    open = undefined;
    emit({ type: `${kind}_end`, id });
  };

  const onResult = (event: AgentToolResultEvent | AgentToolErrorEvent): void => {
    const { id, name, message } = event;
    endInvalid(id);
    answered.add(id);
    const common = { type: "call_result", id, name, message } as const;
    emit(
      event.type === "tool_result"
        ? { ...common, failed: false, value: event.value }
        : { ...common, failed: true, rejected: fieldOf(event.error, "code") === "rejected" },
    );
  };

  /** Ends a call whose tool did not run. */
  const endInvalid = (id: string): void => {
    const call = writing.get(id);
    if (call === undefined) return;
    writing.delete(id);
    emit({ type: "call_invalid", id, ...call });
  };

  const onMessage = (message: Message): void => {
    if (message.role === "assistant") {
      const { refusal, content } = message;
      ({ model } = message);
      if (refusal !== undefined && !hasText) write({ type: "text", delta: refusal });
      close();
      for (const block of content) {
        if (!isFinishedCall(block)) continue;
        const { id, name = "" } = block;
        const call = writing.get(id);
        if (call !== undefined && block.type === "invalid_tool_call") call.text = block.args;
        if (announced.has(id)) continue;
        announced.add(id);
        responses.add(id);
        const text = block.type === "tool_call" ? jsonText(block.args).text : block.args;
        emit({ type: "response_call", id, name, messageId, text });
      }
      const media = content.filter(({ type }) => mediaTypes.has(type));
      if (media.length > 0) emit({ type: "media", content: media });
    } else if (message.role !== "tool") emit({ type: "feedback", message });
    else if (responses.has(message.toolCallId)) emit({ type: "response_result", message });
    else if (!answered.has(message.toolCallId)) {
      const { toolCallId: id, name = "", status } = message;
      emit({ type: "call_result", id, name, message, failed: status === "error" });
    }
  };

  /** Ends what the model was writing. Returns its calls. */
  const endOpen = (): readonly (readonly [id: string, call: { readonly name: string }])[] => {
    close();
    const calls = [...writing];
    for (const [id] of calls) endInvalid(id);
    return calls;
  };

  const endStep = (): void => {
    endOpen();
    if (step !== undefined) emit({ type: "step_end", step });
    step = undefined;
  };

  const on: { readonly [Type in RunItem["type"]]: (item: RunItem & { readonly type: Type }) => void } = {
    step(item) {
      ({ step } = item);
      messageId = createId();
      hasText = false;
      emit({ type: "step_start", step });
    },
    text: write,
    reasoning: write,
    tool_call({ id, name }) {
      close();
      announced.add(id);
      writing.set(id, { name, text: "" });
      emit({ type: "call_start", id, name, messageId });
    },
    tool_args({ id, delta, patch }) {
      const call = writing.get(id);
      if (call === undefined) return;
      call.text += delta;
      emit({ type: "call_delta", id, delta, patch });
    },
    tool_start(item) {
      const { id, name, args } = item;
      // A call from an earlier run that waited for a decision was already ended there.
      if (writing.delete(id)) emit({ type: "call_end", id, name, args });
      emit(item);
    },
    tool_progress: emit,
    tool_paused({ id, name, waitsFor }) {
      if (waitsFor === "agent") outer.push({ id, name });
      else emit({ type: "call_paused", id, name, approvals: waitsFor === undefined ? [id] : [] });
    },
    tool_result: onResult,
    tool_error: onResult,
    message({ message }) {
      onMessage(message);
    },
    usage(item) {
      emit({ type: "model_usage", model: item.model ?? model, usage: item.usage });
    },
    step_end({ state }) {
      for (const call of outer.splice(0)) {
        const waiting = waitingInside(call, state).filter(({ isForClient }) => !isForClient);
        emit({ type: "call_paused", ...call, approvals: waiting.map(({ call: { id } }) => id) });
      }
      endStep();
    },
    finish(item) {
      endStep();
      over = true;
      emit(item);
    },
    failure(item) {
      close();
      over = true;
      emit(item);
    },
    answer_reset(item) {
      for (const [id, { name }] of endOpen()) emit(discarded(id, name));
      // All that follows belongs to another answer.
      messageId = createId();
      hasText = false;
      emit(item);
    },
    structured: emit,
    structured_patch: emit,
    structured_reset: emit,
    structured_error: emit,
    // For the program, not for clients.
    structured_item: noop,
    structured_strategy: noop,
  };

  const next = (item: RunItem): void => {
    if (over) return;
    if (!started) {
      started = true;
      emit({ type: "run_start" });
    }
    (on[item.type] as ((item: RunItem) => void) | undefined)?.(item); // middleware may emit others
  };
  const end = (): void => {
    next({ type: "failure", error: new Error("The run ended without a finish event.") });
  };
  return { next, end };
}

const mediaTypes = wordSet("image audio video file");

/** The result of a call that was discarded: clients send calls back, and one without a result would be refused. */
function discarded(id: string, name: string): RunPart {
  const content = [{ type: "text" as const, text: "The answer was cut before this call was complete." }];
  const message = { role: "tool" as const, toolCallId: id, name, status: "error" as const, content };
  return { type: "call_result", id, name, message, failed: true };
}
