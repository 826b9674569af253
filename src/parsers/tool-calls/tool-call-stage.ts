import type { CallBlock } from "../../messages/blocks/read.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { Operator } from "../../stream/operator.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import type { Chunk } from "../output-parser.js";
import type { CallChecks, CheckedCall } from "./tool-call-checks.js";
import { toolCallPart, selectedCalls, type ToolCallPart, type Selection } from "./tool-call-parts.js";

/** Turns the calls of a stream into the values that a stage emits. */
export interface CallView<Out> {
  /** Called with all calls after each chunk that changed one, and at the end. */
  readonly onChange?: (parts: readonly ToolCallPart[], emit: (value: Out) => void) => void;
  /** Called with each call once, when it has ended and passed the check. */
  readonly onCall?: (call: CheckedCall, emit: (value: Out) => void) => void;
  /** Called with all calls, when the output has ended and all have passed. */
  readonly onEnd?: (calls: readonly CheckedCall[], emit: (value: Out) => void) => void;
}

/**
 * The stage that reads chunks and emits what the view shows. It throws the errors of all calls together, at the end.
 */
export function callStage<Out>(
  selection: Selection,
  createChecks: () => CallChecks,
  view: CallView<Out>,
): Operator<Chunk, Out> {
  return stage((emit, _stop, wait) => {
    // With an observer, the id of a call that has ended stays the same.
    const builder = new MessageBuilder({ onCall: noop });
    const checks = createChecks();
    let blocks: readonly CallBlock[] = [];
    let parts: readonly ToolCallPart[] = [];
    /** By id, because a delta after the end of a call ends it once more. */
    const emitted = new Set<string>();

    const show = (): void => {
      const now = selectedCalls(builder.snapshot(), selection);
      if (now.length === blocks.length && now.every((block, i) => block === blocks[i])) return;
      // A call that has not changed is the same object as before.
      parts = now.map((block, i) =>
        block === blocks[i] ? (parts[i] as ToolCallPart) : toolCallPart(block, selection),
      );
      blocks = now;
      view.onChange?.(parts, emit);
      if (view.onCall !== undefined) now.forEach(emitCall);
    };
    const emitCall = (block: CallBlock): void => {
      if (block.type !== "tool_call" || emitted.has(block.id)) return;
      emitted.add(block.id);
      const outcome = checks.outcome(block);
      const forward = (settled: Awaited<typeof outcome>): void => {
        if ("call" in settled) view.onCall?.(settled.call, emit);
      };
      if (outcome instanceof Promise) wait(outcome.then(forward));
      else forward(outcome);
    };
    return {
      next: (chunk) => {
        if (typeof chunk === "string") return;
        builder.add(chunk);
        show();
      },
      end: () => {
        builder.end();
        show();
        const calls = checks.all(builder.snapshot());
        if (calls instanceof Promise) wait(calls.then((passed) => view.onEnd?.(passed, emit)));
        else view.onEnd?.(calls, emit);
      },
    };
  });
}
