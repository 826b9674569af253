import { kindName } from "../../text/kind-name.js";
import { TimeoutError } from "../../stream/errors.js";
import { type Failure, Inlet } from "../../stream/core/inlet.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { fromPromise } from "../../stream/sources/from-promise.js";
import { type Ending, ending, type Machine, outlet, wait } from "../../stream/core/outlet.js";
import { Queue } from "../../stream/core/queue.js";
import { noop } from "../../stream/core/result.js";
import { timeout } from "../../stream/operators/timeout.js";
import { errorEvent, resultEvent } from "./answer.js";
import type { AnyTool } from "./any-tool.js";
import { ToolError } from "../errors.js";
import type { ToolEvent } from "./events.js";
import type { ToolInvocation, ToolRunOptions, ToolRuntime } from "./runtime.js";
import { type ToolItem, itemsOf } from "./tool-items.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { isInstance } from "../../text/thrown.js";

/**
 * Runs a tool for a call: gets the injected arguments, validates all arguments, waits for a slot (`concurrency`), runs
 * the tool, and ends with the message for the model.
 *
 * The run starts with the first `next()`. Progress of an async generator is pulled on demand. Progress of `emit` is
 * queued: at most the latest 1,000 values. An error that `onError` or `onInvalidInput` handles is an event; any other
 * error is thrown unchanged.
 *
 * Leaving the loop, `signal` and the tool's time limit abort the tool's own signal and close its generator, whose
 * `finally` runs. None of them waits for a tool that ignores the signal: its outcome is discarded, and its slot is
 * freed. One case does wait for the generator's `finally`: the loop is left while the generator is paused at a `yield`.
 *
 * @param call its `name` is not checked
 * @throws {TypeError} at once, for an unknown option
 *
 * @example
 * ```ts
 * import { textOf, tool } from "millrace";
 * import { runTool } from "millrace/agent";
 * import { z } from "zod";
 *
 * const weather = tool({
 *   name: "weather",
 *   schema: z.object({ city: z.string() }),
 *   run: async function* ({ city }) {
 *     yield `Looking up ${city}`;
 *     return { celsius: -4 };
 *   },
 * });
 * for await (const event of runTool(weather, { id: "1", name: "weather", args: { city: "Oslo" } })) {
 *   console.log(event.type === "progress" ? event.value : textOf(event.message));
 * }
 * ```
 */
export function runTool(
  tool: AnyTool,
  call: ToolInvocation,
  options: ToolRunOptions = {},
): AsyncIterable<ToolEvent> {
  checkOptions("runTool()", options, optionNames);
  const { check } = (tool ?? {}) as Partial<AnyTool>;
  if (typeof check !== "function")
    throw new TypeError(`runTool() expects what tool() returns, but got ${kindName(tool)}.`);
  if (typeof (call as unknown) !== "object" || (call as unknown) === null)
    throw new TypeError(`runTool() expects the call, { id, name, args }, but got ${kindName(call)}.`);
  return outlet<ToolEvent>((wake) => toolMachine(tool, call, options, wake));
}

// prettier-ignore
const optionNames = {
  state: true, context: true, store: true, idempotencyKey: true, signal: true, clock: true,
} satisfies OptionNames<ToolRunOptions>;

/** The maximum number of `emit` values that wait for the consumer. */
const maxQueuedProgress = 1_000;

function toolMachine(
  tool: AnyTool,
  call: ToolInvocation,
  options: ToolRunOptions,
  wake: () => void,
): Machine<ToolEvent> {
  const controller = new AbortController();
  let progress = new Queue<unknown>();
  let inlet: Inlet<ToolItem> | undefined;
  let leaveSlot = noop;
  let removeListener = noop;
  /** The tool has returned or failed, so there is nothing left to abort. */
  let settled = false;
  let last: ToolEvent | undefined;
  let over: Ending | undefined;

  const settle = (): void => {
    settled = true;
    leaveSlot();
  };
  const runtimeOf = (): ToolRuntime => {
    const { state = {}, context, store, idempotencyKey } = options;
    const emit = (value: unknown): void => {
      if (settled) return;
      if (progress.length >= maxQueuedProgress) progress.shift();
      progress.push(value);
      wake();
    };
    const { signal } = controller;
    return { toolCallId: call.id, idempotencyKey, state, context, store, signal, emit };
  };
  const start = async (): Promise<AsyncIterable<ToolItem>> => {
    const runtime = runtimeOf();
    const names = Object.keys(tool.inject);
    const values = await Promise.all(names.map((name) => tool.inject[name]?.(runtime as ToolRuntime<never>)));
    const injected = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const args = await tool.check(call.args, injected, tool.strict);
    const { slots } = tool;
    if (slots !== undefined && !settled) {
      await new Promise<void>((resolve) => {
        leaveSlot = slots.enter(resolve);
      });
    }
    runtime.signal.throwIfAborted(); // closed while it waited
    const items = itemsOf(tool.run(args as never, runtime as ToolRuntime<never>));
    if (tool.timeout === undefined) return items;
    const { clock } = options;
    return timeout<ToolItem>({ total: tool.timeout }, clock && { clock })(items);
  };
  const onItem = (item: ToolItem): void => {
    if ("progress" in item) progress.push(item.progress);
    else {
      last = resultEvent(tool, call, item.result);
      settle();
    }
    wake();
  };
  const abort = (): void => {
    if (over !== undefined) return;
    const error: unknown = options.signal?.reason;
    over = { failure: { error } };
    progress = new Queue();
    last = undefined;
    if (!settled) controller.abort(error);
    settle();
    inlet?.abandon();
    wake();
  };
  /** Converts the timeout of the tool. Timeouts inside the tool are errors like any other. */
  const converted = (cause: unknown): unknown => {
    const { name, timeout: ms } = tool;
    if (!isInstance(cause, TimeoutError) || cause.limit !== "total" || cause.ms !== ms) return cause;
    const problem = `"${name}" was stopped because it took longer than ${ms} ms.`;
    const error = new ToolError("timeout", problem, { tool: name, cause });
    controller.abort(error);
    return error;
  };
  // Always a failure: after a result, nothing more is pulled.
  const onEnd = (failure: Failure | undefined): void => {
    const error = converted(failure?.error);
    settle();
    errorEvent(tool, call, error).then(
      (event) => {
        if (over === undefined) last = event;
        wake();
      },
      (error: unknown) => {
        over ??= { failure: { error } };
        wake();
      },
    );
  };
  const open = (): Inlet<ToolItem> => {
    const { signal } = options;
    signal?.throwIfAborted();
    if (signal !== undefined) removeListener = onAbort(signal, abort);
    return new Inlet(
      fromPromise(start(), (items) => items),
      onItem,
      onEnd,
    );
  };

  return {
    poll() {
      if (progress.length > 0) return { type: "progress", value: progress.shift() };
      if (last !== undefined) {
        const event = last;
        last = undefined;
        over = { failure: undefined };
        return event;
      }
      if (over !== undefined) return ending(over);
      inlet ??= open();
      if (!settled) inlet.pull();
      return wait;
    },
    close() {
      if (!settled) controller.abort();
      settle();
      removeListener();
      return inlet?.close() ?? Promise.resolve();
    },
  };
}
