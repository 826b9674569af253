import { checkChunk } from "../../messages/check-chunk.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { AssistantMessage } from "../../messages/message.js";
import { type TokenPrices, withCost } from "../../messages/prices.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import { jsonText } from "../../text/json-text.js";
import { eventProblem } from "../errors.js";
import type { AgentEvent } from "../events.js";
import type { AnswerRequest } from "./request.js";
import { ResponseReader } from "./response-reader.js";

/**
 * A tool call is complete or invalid: its tool can start, or the model gets an error. Agents turn it into `tool_start`.
 */
export interface CallEnded {
  readonly type: "call_ended";
  readonly block: FinishedCall;
}

/** An answer of the model that has ended or was stopped. What it means is not decided yet. */
export interface Captured {
  readonly type: "captured";
  readonly message: AssistantMessage;
  /** The tool calls in their order, without those that are structured responses. */
  readonly calls: readonly FinishedCall[];
  /** Absent if the request has no response format. */
  readonly response: ResponseReader | undefined;
}

/**
 * Splits one streaming answer of a model into events, tool calls and the structured response. Stops the model when the
 * response can no longer become valid. The last item is `captured`.
 *
 * @param request called at the first chunk: until then, middleware may change it
 * @param taken the ids of earlier calls of the conversation
 * @param prefix begins the ids of calls without one
 */
export function reading(
  request: () => AnswerRequest,
  taken: ReadonlySet<string>,
  prefix?: string,
): Operator<MessageChunk, AgentEvent | CallEnded | Captured> {
  return stage((emit, stop) => {
    let reader: AnswerReader | undefined;
    let stopped = false;
    const begin = (): AnswerReader => (reader ??= new AnswerReader(request(), taken, prefix, emit));
    return {
      next: (chunk) => {
        if (stopped) return;
        const current = begin();
        current.next(chunk);
        if (!current.canNeverMatch) return;
        stopped = true;
        current.end();
        stop();
      },
      end: () => {
        begin().end();
      },
    };
  });
}

/** Reads one answer chunk by chunk. */
class AnswerReader {
  private readonly response: ResponseReader | undefined;
  private readonly emit: (item: AgentEvent | CallEnded | Captured) => void;
  private readonly builder: MessageBuilder;
  private readonly calls: FinishedCall[] = [];
  private readonly announced = new Set<string>();
  /** Why no further tool may start: the answer ended in a way that makes its calls doubtful. */
  private doubt: string | undefined;
  /** The name of the model. */
  private readonly model: string;
  private readonly prices: TokenPrices;

  constructor(
    { plan, tools, openThinking, refusal, model, prices }: AnswerRequest,
    taken: ReadonlySet<string>,
    prefix: string | undefined,
    emit: (item: AgentEvent | CallEnded | Captured) => void,
  ) {
    this.emit = emit;
    this.model = model;
    this.prices = prices;
    if (refusal !== undefined && plan !== undefined) {
      const problem = eventProblem(refusal);
      emit({ type: "structured_strategy", strategy: plan.kind, reason: refusal, problem });
    }
    this.response =
      plan === undefined
        ? undefined
        : new ResponseReader(plan, { hasTools: tools.length > 0, openThinking }, emit);
    this.builder = new MessageBuilder(
      {
        argumentsOf: (name) => this.response?.parserOptionsOf(name),
        onCallDelta: (call, delta, id) => {
          this.onCallDelta(call, delta, id);
        },
        onCall: (block) => {
          this.onCall(block);
        },
      },
      taken,
      prefix,
    );
  }

  /** Whether the response can no longer become valid. */
  get canNeverMatch(): boolean {
    return this.response?.canNeverMatch === true;
  }

  next(chunk: MessageChunk): void {
    checkChunk(chunk);
    const { response } = this;
    this.doubt = doubts[chunk.finishReason ?? "stop"] ?? this.doubt;
    for (const block of chunk.content) {
      if (block.type === "text") {
        if (block.text !== "") this.emit({ type: "text", delta: block.text });
        response?.onText(block.text);
      } else if (block.type === "reasoning" && block.reasoning !== "") {
        this.emit({ type: "reasoning", delta: block.reasoning });
        response?.onReasoning();
      }
    }
    try {
      this.builder.add(chunk);
    } catch (error) {
      if (response === undefined) throw error;
      response.fail(error);
    }
  }

  end(): void {
    this.builder.end();
    const written = this.builder.snapshot();
    const { usage, model = this.model } = written;
    const message =
      usage === undefined ? written : { ...written, usage: withCost(usage, model, this.prices) };
    const { calls, response } = this;
    response?.end(message);
    this.emit({ type: "message", message });
    this.emit({ type: "captured", message, calls, response });
  }

  private onCallDelta(call: GrowingCall, delta: CallChunkBlock, id: string): void {
    if (delta.type !== "tool_call_chunk" || delta.args === undefined) return;
    // The name is complete when the arguments begin.
    const { name, args } = call;
    if (this.response?.isResponse(name) === true) {
      this.response.onCallDelta(call);
      return;
    }
    this.announce(id, name);
    this.emit({ type: "tool_args", id, name, delta: delta.args, patch: args.takePatch() });
  }

  private onCall(written: FinishedCall): void {
    const { id, name = "" } = written;
    if (this.response?.isResponse(name) === true) {
      this.response.onCall(written);
      return;
    }
    // Text after a complete call ends the call once more, but its tool already runs.
    if (this.calls.some((call) => call.id === id)) return;
    const block = this.doubt === undefined ? written : refused(written, this.doubt);
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

/** By finish reason. A call may be complete and yet not what the model was about to ask for. */
const doubts: Readonly<Partial<Record<FinishReason, string>>> = {
  content_filter:
    "The content filter of the provider withheld the rest of the answer, so the tool did not run.",
  error: "The answer ended with an error, so the tool did not run.",
};

function refused(call: FinishedCall, error: string): FinishedCall {
  if (call.type === "invalid_tool_call") return call;
  const { id, name, args } = call;
  return { type: "invalid_tool_call", id, name, args: jsonText(args).text, error };
}
