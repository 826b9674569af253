import type { AgentEvent } from "./events.js";
import { patchIn } from "./answer/partials.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { JsonValue } from "../json/value.js";
import type { ContentBlock, ToolCallBlock } from "../messages/blocks/blocks.js";
import type { Message, ToolMessage } from "../messages/message.js";
import { isFinishedCall } from "../messages/blocks/read.js";
import { answerCall } from "./call-answers.js";

/**
 * What a run has produced since its last complete step, as messages: for a run that stops or fails in the middle of a
 * step. For example, after the text `It is ` and the result of a call, `after([])` is an assistant message with the
 * text and the call, and the message of the tool.
 */
export class OpenAnswer {
  /** The messages that events have shown. */
  shown: readonly Message[] = [];
  private text = "";
  private reasoning = "";
  private readonly calls = new Map<string, ToolCallBlock>();
  private readonly results = new Map<string, ToolMessage>();
  /** The calls that wait for a decision. */
  private readonly undecided = new Set<string>();
  private response = new GrowingValue(null);

  add(event: AgentEvent): void {
    const patch = patchIn(event);
    if (patch !== undefined) this.response.apply(patch);
    switch (event.type) {
      case "text":
        this.text += event.delta;
        return;
      case "reasoning":
        this.reasoning += event.delta;
        return;
      case "tool_start":
        this.calls.set(event.id, { type: "tool_call", id: event.id, name: event.name, args: event.args });
        return;
      case "tool_paused":
        if (event.waitsFor === undefined) this.undecided.add(event.id);
        return;
      case "tool_result":
      case "tool_error":
        this.results.set(event.id, event.message);
        return;
      case "message":
        this.shown = [...this.shown, event.message];
        this.text = "";
        this.reasoning = "";
        return;
      case "answer_reset":
      case "step_end":
        this.clear();
        return;
      default:
    }
  }

  /** The structured response so far; `undefined` before it begins. */
  get partialResponse(): JsonValue | undefined {
    return this.response.snapshot() ?? undefined;
  }

  /**
   * The messages since the last step. Each call in them has a result.
   *
   * @param before the messages of the last complete step. They end with calls if those waited for a decision
   */
  after(before: readonly Message[]): Message[] {
    const isNew = this.shown.some(({ role }) => role === "assistant");
    const written = isNew ? this.shown : [...this.shown, ...this.unfinished(before)];
    // Calls of an earlier step that have not started still wait.
    const waiting = written.some(({ role }) => role === "assistant") ? notes.waiting : undefined;
    const hasBegun = (id: string): boolean => this.calls.has(id) && !this.undecided.has(id);
    const answerOf = (id: string): ToolMessage | string | undefined =>
      this.results.get(id) ?? (hasBegun(id) ? notes.started : waiting);
    return withAnswers([...before, ...written], answerOf).slice(before.length);
  }

  /**
   * The message that the model was writing, without a finish reason. Reasoning alone is no message: a provider would
   * refuse it.
   */
  private unfinished(before: readonly Message[]): Message[] {
    const old = new Set(before.flatMap(({ content }) => content.filter(isFinishedCall).map(({ id }) => id)));
    const content: ContentBlock[] = [...this.calls.values()].filter(({ id }) => !old.has(id));
    if (this.text !== "") content.unshift({ type: "text", text: this.text });
    if (content.length === 0) return [];
    if (this.reasoning !== "") content.unshift({ type: "reasoning", reasoning: this.reasoning });
    return [{ role: "assistant", content }];
  }

  private clear(): void {
    this.shown = [];
    this.text = "";
    this.reasoning = "";
    this.calls.clear();
    this.results.clear();
    this.undecided.clear();
  }
}

/** What the model is told about a call without a result. */
export const notes = {
  started: "The call was interrupted before its result was known. It may have had an effect.",
  waiting: "The call was not run, because the answer was interrupted.",
};

/**
 * Answers the calls of the last message of the model that have no result, in their order.
 *
 * @param answerOf the result of the call with this id, or what the model is told; `undefined` if it still waits
 */
export function withAnswers(
  messages: readonly Message[],
  answerOf: (id: string) => ToolMessage | string | undefined,
): Message[] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const answered = new Set(
    messages.slice(at + 1).map((it) => (it.role === "tool" ? it.toolCallId : undefined)),
  );
  const answers = (messages[at]?.content ?? []).filter(isFinishedCall).flatMap((call) => {
    const answer = answered.has(call.id) ? undefined : answerOf(call.id);
    return typeof answer === "string" ? answerCall(call, answer, "error") : (answer ?? []);
  });
  return [...messages, ...answers];
}
