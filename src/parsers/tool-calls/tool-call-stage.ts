import { MessageBuilder } from "../../messages/merge/message-builder.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { Chunk } from "../output-parser.js";
import type { CallChecks, CheckedCall } from "./tool-call-checks.js";
import { partOf, selectedCalls, type CallBlock, type CallPart, type Selection } from "./tool-call-parts.js";

/** What one reading of the calls gives out. */
export interface CallView<Out> {
  /** After each chunk that changed a call, and at the end: all of them. */
  readonly onChange?: (parts: readonly CallPart[], emit: (value: Out) => void) => void;
  /** Each call once, when it has ended and has passed the check. */
  readonly onCall?: (call: CheckedCall, emit: (value: Out) => void) => void;
  /** All of them, when the output has ended and all have passed. */
  readonly onEnd?: (calls: readonly CheckedCall[], emit: (value: Out) => void) => void;
}

/** Chunks in, what the view gives out. What is wrong with the calls is thrown at the end, when all of it is known. */
export function callStage<Out>(
  selection: Selection,
  createChecks: () => CallChecks,
  view: CallView<Out>,
): Operator<Chunk, Out> {
  return stage((emit, _stop, wait) => {
    const builder = new MessageBuilder();
    const checks = createChecks();
    let blocks: readonly CallBlock[] = [];
    let parts: readonly CallPart[] = [];
    const given = new Set<CallBlock>();

    const show = (): void => {
      const now = selectedCalls(builder.snapshot(), selection);
      if (now.length === blocks.length && now.every((block, i) => block === blocks[i])) return;
      // A call that has not changed is the same object as before.
      parts = now.map((block, i) =>
        block === blocks[i] ? (parts[i] as CallPart) : partOf(block, selection),
      );
      blocks = now;
      view.onChange?.(parts, emit);
      if (view.onCall !== undefined) now.forEach(give);
    };
    const give = (block: CallBlock): void => {
      if (block.type !== "tool_call" || given.has(block)) return;
      given.add(block);
      const outcome = checks.outcome(block);
      const hand = (it: Awaited<typeof outcome>): void => {
        if ("call" in it) view.onCall?.(it.call, emit);
      };
      if (outcome instanceof Promise) wait(outcome.then(hand));
      else hand(outcome);
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
