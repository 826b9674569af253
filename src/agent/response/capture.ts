import type { MessageChunk } from "../../messages/chunk.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { AnyTool } from "../../tools/define/any-tool.js";
import type { AgentEvent } from "../events.js";
import { ToolArgs } from "./partial-events.js";
import type { Plan } from "../loop/plan.js";
import { ResponseReader } from "./response-reader.js";

/** A call of a tool that has ended: the event starts the tool, or the refusal. It is seen inside the run only. */
export interface CallEnded {
  readonly type: "call_ended";
  readonly block: FinishedCall;
}

/** What the model was asked for. */
export interface Asked {
  readonly tools: readonly AnyTool[];
  readonly plan: Plan | undefined;
}

/** What came of one answer of a model. */
export interface Captured {
  readonly message: AssistantMessage;
  /** The calls of tools, in their order. */
  readonly calls: readonly FinishedCall[];
  readonly response: ResponseReader;
}

/**
 * Takes one answer of a model apart while it is written: into the events that tell of it, the calls of tools, and the
 * structured response, which is read as it grows. When the response cannot become right any more, the model is stopped.
 */
export class Capture {
  /** Known when the model has ended, or was stopped. */
  captured: Captured | undefined;
  private readonly asked: () => Asked;

  /** @param asked called with the first chunk: what is around the call of the model may change it until then */
  constructor(asked: () => Asked) {
    this.asked = asked;
  }

  readonly operator: Operator<MessageChunk, AgentEvent | CallEnded> = stage((emit, stop) => {
    let reading: Reading | undefined;
    const begin = (): Reading => (reading ??= new Reading(this.asked(), emit));
    return {
      next: (chunk) => {
        if (this.captured !== undefined) return;
        const current = begin();
        current.next(chunk);
        if (!current.response.hopeless) return;
        this.captured = current.end();
        stop();
      },
      end: () => {
        this.captured = begin().end();
      },
    };
  });
}

class Reading {
  readonly response: ResponseReader;
  private readonly emit: (event: AgentEvent | CallEnded) => void;
  private readonly builder: MessageBuilder;
  private readonly calls: FinishedCall[] = [];
  private readonly announced = new Set<string>();

  constructor({ plan, tools }: Asked, emit: (event: AgentEvent | CallEnded) => void) {
    const response = new ResponseReader(plan, tools.length > 0, emit);
    this.response = response;
    this.emit = emit;
    this.builder = new MessageBuilder({
      argumentsOf: (name) => response.readingOf(name),
      onCallDelta: (call, delta, id) => {
        this.onCallDelta(call, delta, id);
      },
      onCall: (block) => {
        this.onCall(block);
      },
    });
  }

  next(chunk: MessageChunk): void {
    for (const block of chunk.content) {
      if (block.type === "text") {
        if (block.text !== "") this.emit({ type: "text", delta: block.text });
        this.response.onText(block.text);
      } else if (block.type === "reasoning" && block.reasoning !== "") {
        this.emit({ type: "reasoning", delta: block.reasoning });
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
    if (delta.type !== "tool_call_chunk" || delta.args === undefined || delta.args === "") return;
    // The name has ended where the arguments begin.
    const { name, args } = call;
    if (this.response.readingOf(name) !== undefined) {
      this.response.onCallDelta(call);
      return;
    }
    this.announce(id, name);
    this.emit(new ToolArgs(id, name, delta.args, args.takePatch(), args));
  }

  private onCall(block: FinishedCall): void {
    const { id, name = "" } = block;
    if (this.response.readingOf(name) !== undefined) {
      this.response.onCall(block);
      return;
    }
    // Text behind a call that had ended makes it end once more: its tool runs already.
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
