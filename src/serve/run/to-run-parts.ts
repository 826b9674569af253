import { jsonText } from "../../text/json-text.js";
import type {
  AgentEvent,
  AgentToolErrorEvent,
  AgentToolProgressEvent,
  AgentToolResultEvent,
  ToolPausedEvent,
} from "../../agent/events.js";
import type { NestedProgress } from "../../agent/tools/agent-tool.js";
import { stage } from "../../stream/core/stage.js";
import { isFinishedCall } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
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
  return stage<RunItem, RunPart>((emit) => {
    const builder = new RunPartBuilder(emit, createId);
    return {
      next: (item) => {
        builder.next(item);
      },
      end: () => {
        builder.end();
      },
    };
  })(errorAsItem<RunItem>(events, (error) => ({ type: "failure", error })));
}

/** Turns one event after another into parts. */
export class RunPartBuilder {
  private readonly emit: (part: RunPart) => void;
  private readonly createId: () => string;
  private started = false;
  private over = false;
  private step: number | undefined;
  /** The id of the message that the model writes in this step. */
  private messageId = "";
  /** Whether the message already has text. Text after a call becomes a message of its own. */
  private hasText = false;
  private open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  /** The calls that the model is writing, with their text. */
  private readonly writing = new Map<string, { readonly name: string; text: string }>();
  private readonly announced = new Set<string>();
  private readonly answered = new Set<string>();
  private readonly responses = new Set<string>();
  /** The calls of agents that wait inside a call, by its id. */
  private readonly inside = new Map<string, readonly string[]>();
  private model: string | undefined;

  constructor(emit: (part: RunPart) => void, createId: () => string) {
    this.emit = emit;
    this.createId = createId;
  }

  next(item: RunItem): void {
    if (this.over) return;
    if (!this.started) {
      this.started = true;
      this.emit({ type: "run_start" });
    }
    switch (item.type) {
      case "step":
        this.step = item.step;
        this.messageId = this.createId();
        this.hasText = false;
        this.emit({ type: "step_start", step: item.step });
        return;
      case "text":
      case "reasoning":
        this.write(item.type, item.delta);
        return;
      case "tool_call": {
        const { id, name } = item;
        this.close();
        this.announced.add(id);
        this.writing.set(id, { name, text: "" });
        this.emit({ type: "call_start", id, name, messageId: this.messageId });
        return;
      }
      case "tool_args": {
        const { id, delta, patch } = item;
        const call = this.writing.get(id);
        if (call === undefined) return;
        call.text += delta;
        this.emit({ type: "call_delta", id, delta, patch });
        return;
      }
      case "tool_start": {
        const { id, name, args } = item;
        // A call from an earlier run that waited for a decision was already ended there.
        if (this.writing.delete(id)) this.emit({ type: "call_end", id, name, args });
        this.emit(item);
        return;
      }
      case "tool_paused":
        this.onPause(item);
        return;
      case "tool_result":
      case "tool_error":
        this.onResult(item);
        return;
      case "message":
        this.onMessage(item.message);
        return;
      case "usage":
        this.emit({ type: "model_usage", model: item.model ?? this.model, usage: item.usage });
        return;
      case "step_end":
        this.endStep();
        return;
      case "finish":
        this.endStep();
        this.over = true;
        this.emit(item);
        return;
      case "failure":
        this.close();
        this.over = true;
        this.emit(item);
        return;
      default:
        this.pass(item);
    }
  }

  end(): void {
    this.next({ type: "failure", error: new Error("The run ended without a finish event.") });
  }

  private pass(item: PassedItem): void {
    if (isForProgram(item)) return;
    if (item.type === "answer_reset") this.discard();
    if (item.type === "tool_progress") this.notePause(item);
    this.emit(item);
  }

  /** All that follows belongs to another answer. */
  private discard(): void {
    for (const [id, { name }] of this.endOpen()) this.emit(discarded(id, name));
    this.messageId = this.createId();
    this.hasText = false;
  }

  private write(kind: "text" | "reasoning", delta: string): void {
    const { id } = this.open?.kind === kind ? this.open : this.begin(kind);
    this.emit({ type: `${kind}_delta`, id, delta });
  }

  private begin(kind: "text" | "reasoning"): { readonly id: string } {
    this.close();
    const isFirst = kind === "text" && !this.hasText;
    const id = isFirst ? this.messageId : this.createId();
    this.hasText ||= kind === "text";
    this.open = { kind, id };
    this.emit({ type: `${kind}_start`, id });
    return this.open;
  }

  /** Ends the open text or reasoning. */
  private close(): void {
    if (this.open === undefined) return;
    const { kind, id } = this.open;
    this.open = undefined;
    this.emit({ type: `${kind}_end`, id });
  }

  /** Remembers the call of an agent that waits inside this call. */
  private notePause({ id, value }: AgentToolProgressEvent): void {
    const event = fieldOf(value, "event") as NestedProgress["event"] | undefined;
    if (event?.type === "tool_paused" && event.waitsFor === undefined)
      this.inside.set(id, [...(this.inside.get(id) ?? []), event.id]);
  }

  private onPause({ id, name, waitsFor }: ToolPausedEvent): void {
    const inside = this.inside.get(id) ?? [];
    this.inside.delete(id);
    this.emit({ type: "call_paused", id, name, approvals: waitsFor === undefined ? [id] : inside });
  }

  private onResult(event: AgentToolResultEvent | AgentToolErrorEvent): void {
    const { id, name, message } = event;
    this.endInvalid(id);
    this.answered.add(id);
    const common = { type: "call_result", id, name, message } as const;
    this.emit(
      event.type === "tool_result"
        ? { ...common, failed: false, value: event.value }
        : { ...common, failed: true, rejected: fieldOf(event.error, "code") === "rejected" },
    );
  }

  /** Ends a call whose tool did not run. */
  private endInvalid(id: string): void {
    const call = this.writing.get(id);
    if (call === undefined) return;
    this.writing.delete(id);
    this.emit({ type: "call_invalid", id, ...call });
  }

  private onMessage(message: Message): void {
    if (message.role === "assistant") {
      const { model, refusal, content } = message;
      this.model = model;
      if (refusal !== undefined && !this.hasText) this.write("text", refusal);
      this.close();
      for (const block of content) {
        if (!isFinishedCall(block)) continue;
        const { id, name = "" } = block;
        const call = this.writing.get(id);
        if (call !== undefined && block.type === "invalid_tool_call") call.text = block.args;
        if (this.announced.has(id)) continue;
        this.announced.add(id);
        this.responses.add(id);
        const text = block.type === "tool_call" ? jsonText(block.args).text : block.args;
        this.emit({ type: "response_call", id, name, messageId: this.messageId, text });
      }
    } else if (message.role !== "tool") this.emit({ type: "feedback", message });
    else if (this.responses.has(message.toolCallId)) this.emit({ type: "response_result", message });
    else if (!this.answered.has(message.toolCallId)) {
      const { toolCallId: id, name = "", status } = message;
      this.emit({ type: "call_result", id, name, message, failed: status === "error" });
    }
  }

  /** Ends what the model was writing. Returns its calls. */
  private endOpen(): readonly (readonly [id: string, call: { readonly name: string }])[] {
    this.close();
    const calls = [...this.writing];
    for (const [id] of calls) this.endInvalid(id);
    return calls;
  }

  private endStep(): void {
    this.endOpen();
    if (this.step !== undefined) this.emit({ type: "step_end", step: this.step });
    this.step = undefined;
  }
}

/** The result of a call that was discarded: clients send calls back, and one without a result would be refused. */
function discarded(id: string, name: string): RunPart {
  const content = [{ type: "text" as const, text: "The answer was cut before this call was complete." }];
  const message = { role: "tool" as const, toolCallId: id, name, status: "error" as const, content };
  return { type: "call_result", id, name, message, failed: true };
}

/** Events that have the form of a part. */
type PassedItem = Extract<RunItem, RunPart> | ProgramEvent;

type ProgramEvent = Extract<AgentEvent, { type: "structured_item" | "structured_strategy" }>;

/** Is the event for the program, not for clients? */
function isForProgram(item: { readonly type: string }): item is ProgramEvent {
  return item.type === "structured_item" || item.type === "structured_strategy";
}
