import type { AgentEvent } from "../agent/events.js";
import { patchIn } from "../agent/answer/partials.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { JsonValue } from "../json/value.js";
import type { ContentBlock, ToolCallBlock } from "../messages/blocks/blocks.js";
import type { Message, ToolMessage } from "../messages/message.js";
import { withAnswers } from "./thread-record.js";

/**
 * What a turn has produced since its last complete step, as messages: for a turn that stops or fails in the middle of a
 * step.
 */
export class OpenAnswer {
  /** The messages that are complete. */
  private messages: Message[] = [];
  private text = "";
  private reasoning = "";
  private readonly calls = new Map<string, ToolCallBlock>();
  private readonly results = new Map<string, ToolMessage>();
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
      case "tool_result":
      case "tool_error":
        this.results.set(event.id, event.message);
        return;
      case "message":
        this.messages.push(event.message);
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
    const isNew = this.messages.some(({ role }) => role === "assistant");
    const written = isNew ? this.messages : [...this.messages, ...this.unfinished(before)];
    const answered = new Set(written.map((it) => (it.role === "tool" ? it.toolCallId : undefined)));
    const results = [...this.results.values()].filter(({ toolCallId }) => !answered.has(toolCallId));
    // Calls of an earlier step that have not started still wait.
    const waiting = written.some(({ role }) => role === "assistant") ? notes.waiting : undefined;
    const noteOf = (id: string): string | undefined => (this.calls.has(id) ? notes.started : waiting);
    return withAnswers([...before, ...written, ...results], noteOf).slice(before.length);
  }

  /** The message that the model was writing, without a finish reason. */
  private unfinished(before: readonly Message[]): Message[] {
    const old = new Set(before.flatMap(({ content }) => content.flatMap((it) => ("id" in it ? it.id : []))));
    const content: ContentBlock[] = [...this.calls.values()].filter(({ id }) => !old.has(id));
    if (this.text !== "") content.unshift({ type: "text", text: this.text });
    if (this.reasoning !== "") content.unshift({ type: "reasoning", reasoning: this.reasoning });
    return content.length === 0 ? [] : [{ role: "assistant", content }];
  }

  private clear(): void {
    this.messages = [];
    this.text = "";
    this.reasoning = "";
    this.calls.clear();
    this.results.clear();
  }
}

const notes = {
  started: "The call was interrupted before its result was known. It may have had an effect.",
  waiting: "The call was not run, because the answer was interrupted.",
};
