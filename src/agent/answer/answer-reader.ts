import type { JsonParserOptions } from "../../json/options.js";
import { checkChunk } from "../../messages/check-chunk.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import type { CallChunkBlock } from "../../messages/merge/delta.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { AssistantMessage } from "../../messages/message.js";
import { withCost } from "../../messages/prices.js";
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
export interface EndedAnswer {
  readonly type: "answer_ended";
  readonly message: AssistantMessage;
  /** The tool calls in their order, without those that are structured responses. */
  readonly calls: readonly FinishedCall[];
  /** Absent if the request has no response format. */
  readonly reader: ResponseReader | undefined;
}

/**
 * Splits one streaming answer of a model into events, tool calls and the structured response. Stops the model when the
 * response can no longer become valid. The last item is `answer_ended`.
 *
 * @param request called at the first chunk: until then, middleware may change it
 * @param taken the ids of earlier calls of the conversation
 * @param prefix begins the ids of calls without one
 */
export function reading(
  request: () => AnswerRequest,
  taken: ReadonlySet<string>,
  prefix?: string,
): Operator<MessageChunk, AgentEvent | CallEnded | EndedAnswer> {
  return stage((emit, stop) => {
    let reader: AnswerReader | undefined;
    let stopped = false;
    const begin = (): AnswerReader => (reader ??= answerReader(request(), taken, prefix, emit));
    return {
      next: (chunk) => {
        if (stopped) return;
        const { next, end, canNeverMatch } = begin();
        next(chunk);
        if (!canNeverMatch()) return;
        stopped = true;
        end(stoppedCall);
        stop();
      },
      end: () => {
        begin().end();
      },
    };
  });
}

interface AnswerReader {
  readonly next: (chunk: MessageChunk) => void;
  /** @param doubt why no call runs that has not ended */
  readonly end: (doubt?: string) => void;
  readonly canNeverMatch: () => boolean;
}

function answerReader(
  { plan, tools, openThinking, begun, refusal, model: requested, prices }: AnswerRequest,
  taken: ReadonlySet<string>,
  prefix: string | undefined,
  emit: (item: AgentEvent | CallEnded | EndedAnswer) => void,
): AnswerReader {
  const calls: FinishedCall[] = [];
  const announced = new Set<string>();
  /** Why no further tool may start: the answer ended in a way that makes its calls doubtful. */
  let doubt: string | undefined;
  if (refusal !== undefined && plan !== undefined) {
    const problem = eventProblem(refusal);
    emit({ type: "structured_strategy", strategy: plan.kind, reason: refusal, problem });
  }
  const textOptions = { hasTools: tools.length > 0, openThinking, ...(begun !== "" && { begun }) };
  const response = plan && new ResponseReader(plan, textOptions, emit);

  const announce = (id: string, name: string): void => {
    if (announced.has(id)) return;
    announced.add(id);
    emit({ type: "tool_call", id, name });
  };
  const onCallDelta = (call: GrowingCall, delta: CallChunkBlock, id: string): void => {
    if (delta.type !== "tool_call_chunk" || delta.args === undefined) return;
    // The name is complete when the arguments begin.
    const { name, args } = call;
    if (response?.isResponse(name) === true) {
      response.onCallDelta(call);
      return;
    }
    announce(id, name);
    emit({ type: "tool_args", id, name, delta: delta.args, patch: args.takePatch() });
  };
  const onCall = (written: FinishedCall): void => {
    const { id, name = "" } = written;
    if (response?.isResponse(name) === true) {
      response.onCall(written);
      return;
    }
    // Text after a complete call ends the call once more, but its tool already runs.
    if (calls.some((call) => call.id === id)) return;
    const block = doubt === undefined ? written : refused(written, doubt);
    calls.push(block);
    announce(id, name);
    emit({ type: "call_ended", block });
  };
  const argumentsOf = (name: string): JsonParserOptions | undefined => response?.parserOptionsOf(name);
  const builder = new MessageBuilder({ argumentsOf, onCallDelta, onCall }, taken, prefix);

  return {
    canNeverMatch: () => response?.canNeverMatch === true,
    next(chunk) {
      checkChunk(chunk);
      doubt = doubts.get(chunk.finishReason) ?? doubt;
      for (const block of chunk.content) {
        if (block.type === "text") {
          if (block.text !== "") emit({ type: "text", delta: block.text });
          response?.onText(block.text);
        } else if (block.type === "reasoning" && block.reasoning !== "") {
          emit({ type: "reasoning", delta: block.reasoning });
          response?.onReasoning();
        }
      }
      try {
        builder.add(chunk);
      } catch (error) {
        if (response === undefined) throw error;
        response.fail(error);
      }
    },
    end(stopped) {
      doubt ??= stopped;
      builder.end();
      const written = builder.snapshot();
      const { usage, model = requested } = written;
      const message = usage === undefined ? written : { ...written, usage: withCost(usage, model, prices) };
      response?.end(message);
      emit({ type: "message", message });
      emit({ type: "answer_ended", message, calls, reader: response });
    },
  };
}

const stoppedCall =
  "The answer was stopped before the call was complete, because its response is invalid, so the tool did not run.";

/** By finish reason. A call may be complete and yet not what the model was about to ask for. */
const doubts: ReadonlyMap<FinishReason | undefined, string> = new Map([
  [
    "content_filter",
    "The content filter of the provider withheld the rest of the answer, so the tool did not run.",
  ],
  ["error", "The answer ended with an error, so the tool did not run."],
  // Some servers close the arguments that the limit cuts.
  ["length", "The output stopped at the token limit, so the tool did not run. Write less before the call."],
]);

function refused(call: FinishedCall, error: string): FinishedCall {
  if (call.type === "invalid_tool_call") return call;
  const { id, name, args } = call;
  return { type: "invalid_tool_call", id, name, args: jsonText(args).text, error };
}
