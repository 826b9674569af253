import { checkChunk } from "../../messages/check-chunk.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import { MessageBuilder, type MessageObserver } from "../../messages/merge/message-builder.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { AgentEvent } from "../events.js";
import type { Plan, PlannedCall } from "./plan.js";
import { ResponseReader } from "./response-reader.js";

/**
 * A tool call is complete or invalid: its tool can start, or the model gets an error. Agents turn it into `tool_start`.
 */
export interface CallEnded {
  readonly type: "call_ended";
  readonly block: FinishedCall;
}

/** The tools and the response format of a model call. */
export interface ModelRequest {
  readonly tools: readonly AnyTool[];
  readonly plan: Plan | undefined;
  /** Whether the text of the model begins in a `<think>` that the prompt has opened. */
  readonly openThinking: boolean;
}

export function modelRequest(plan: Plan | undefined, { model, tools }: PlannedCall): ModelRequest {
  return { tools, plan, openThinking: model?.profile.openThinking === true };
}

/** One answer of the model. */
export interface Captured {
  readonly message: AssistantMessage;
  /** The tool calls in their order, without those that are structured responses. */
  readonly calls: readonly FinishedCall[];
  readonly response: ResponseReader;
}

/**
 * Splits one streaming answer of a model into events, tool calls and the structured response. Stops the model when the
 * response can no longer become valid.
 */
export class AnswerCapture {
  /** Set when the model has ended or was stopped. */
  captured: Captured | undefined;
  private readonly request: () => ModelRequest;
  private readonly taken: ReadonlySet<string>;

  /**
   * @param request called at the first chunk: until then, middleware may change it
   * @param taken the ids of earlier calls of the conversation
   */
  constructor(request: () => ModelRequest, taken: ReadonlySet<string> = new Set()) {
    this.request = request;
    this.taken = taken;
  }

  readonly operator: Operator<MessageChunk, AgentEvent | CallEnded> = stage((emit, stop) => {
    let reader: AnswerReader | undefined;
    const begin = (): AnswerReader => (reader ??= new AnswerReader(this.request(), this.taken, emit));
    return {
      next: (chunk) => {
        if (this.captured !== undefined) return;
        const current = begin();
        current.next(chunk);
        if (!current.response.canNeverMatch) return;
        this.captured = current.end();
        stop();
      },
      end: () => {
        this.captured = begin().end();
      },
    };
  });
}

/** Reads one answer chunk by chunk. */
class AnswerReader {
  readonly response: ResponseReader;
  private readonly emit: (event: AgentEvent | CallEnded) => void;
  private readonly builder: MessageBuilder;
  private readonly calls: FinishedCall[] = [];
  private readonly announced = new Set<string>();

  constructor(
    { plan, tools, openThinking }: ModelRequest,
    taken: ReadonlySet<string>,
    emit: (event: AgentEvent | CallEnded) => void,
  ) {
    const response = new ResponseReader(plan, { hasTools: tools.length > 0, openThinking }, emit);
    this.response = response;
    this.emit = emit;
    const observer: MessageObserver = {
      argumentsOf: (name) => response.parserOptionsOf(name),
      onCallDelta: (call, delta, id) => {
        this.onCallDelta(call, delta, id);
      },
      onCall: (block) => {
        this.onCall(block);
      },
    };
    this.builder = new MessageBuilder(observer, taken);
  }

  next(chunk: MessageChunk): void {
    checkChunk(chunk);
    for (const block of chunk.content) {
      if (block.type === "text") {
        if (block.text !== "") this.emit({ type: "text", delta: block.text });
        this.response.onText(block.text);
      } else if (block.type === "reasoning" && block.reasoning !== "") {
        this.emit({ type: "reasoning", delta: block.reasoning });
        this.response.onReasoning();
      }
    }
    try {
      this.builder.add(chunk);
    } catch (error) {
      this.response.fail(error);
    }
  }

  end(): Captured {
    this.builder.end();
    const message = this.builder.snapshot();
    this.response.end(message);
    this.emit({ type: "message", message });
    return { message, calls: this.calls, response: this.response };
  }

  private onCallDelta(call: GrowingCall, delta: CallChunkBlock, id: string): void {
    if (delta.type !== "tool_call_chunk" || delta.args === undefined) return;
    // The name is complete when the arguments begin.
    const { name, args } = call;
    if (this.response.parserOptionsOf(name) !== undefined) {
      this.response.onCallDelta(call);
      return;
    }
    this.announce(id, name);
    this.emit({ type: "tool_args", id, name, delta: delta.args, patch: args.takePatch() });
  }

  private onCall(block: FinishedCall): void {
    const { id, name = "" } = block;
    if (this.response.parserOptionsOf(name) !== undefined) {
      this.response.onCall(block);
      return;
    }
    // Text after a complete call ends the call once more, but its tool already runs.
    if (this.calls.some((call) => call.id === id)) return;
    this.calls.push(block);
    this.announce(id, name);
    this.emit({ type: "call_ended", block });
  }

  private announce(id: string, name: string): void {
    if (this.announced.has(id)) return;
    this.announced.add(id);
    this.emit({ type: "tool_call", id, name });
  }
}
