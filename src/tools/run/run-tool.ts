import { TimeoutError } from "../../stream/errors.js";
import { type Failure, Inlet } from "../../stream/core/inlet.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { fromPromise } from "../../stream/sources/from-promise.js";
import { type Ending, ending, type Machine, outlet, wait } from "../../stream/core/outlet.js";
import { Queue } from "../../stream/core/queue.js";
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
  return outlet<ToolEvent>((wake) => new ToolMachine(tool, call, options, wake));
}

// prettier-ignore
const optionNames = {
  state: true, context: true, store: true, idempotencyKey: true, signal: true, clock: true,
} satisfies OptionNames<ToolRunOptions>;

/** The maximum number of `emit` values that wait for the consumer. */
const maxQueuedProgress = 1_000;

class ToolMachine implements Machine<ToolEvent> {
  private readonly tool: AnyTool;
  private readonly call: ToolInvocation;
  private readonly options: ToolRunOptions;
  private readonly wake: () => void;

  private readonly controller = new AbortController();
  private progress = new Queue<unknown>();
  private inlet: Inlet<ToolItem> | undefined;
  private leaveSlot: (() => void) | undefined;
  private removeListener: (() => void) | undefined;
  /** The tool has returned or failed, so there is nothing left to abort. */
  private settled = false;
  private last: ToolEvent | undefined;
  private over: Ending | undefined;

  constructor(tool: AnyTool, call: ToolInvocation, options: ToolRunOptions, wake: () => void) {
    this.tool = tool;
    this.call = call;
    this.options = options;
    this.wake = wake;
  }

  poll(): ToolEvent | typeof wait | ReturnType<typeof ending> {
    if (this.progress.length > 0) return { type: "progress", value: this.progress.shift() };
    const { last } = this;
    if (last !== undefined) {
      this.last = undefined;
      this.over = { failure: undefined };
      return last;
    }
    if (this.over !== undefined) return ending(this.over);
    this.inlet ??= this.open();
    if (!this.settled) this.inlet.pull();
    return wait;
  }

  close(): Promise<void> {
    if (!this.settled) this.controller.abort();
    this.settle();
    this.removeListener?.();
    return this.inlet?.close() ?? Promise.resolve();
  }

  private open(): Inlet<ToolItem> {
    const { signal } = this.options;
    signal?.throwIfAborted();
    this.removeListener = signal && onAbort(signal, this.onAbort);
    return new Inlet(
      fromPromise(this.start(), (items) => items),
      this.onItem,
      this.onEnd,
    );
  }

  /** Prepares the run. The first pull of the returned items starts it. */
  private async start(): Promise<AsyncIterable<ToolItem>> {
    const { tool, call } = this;
    const runtime = this.runtime();
    const names = Object.keys(tool.inject);
    const values = await Promise.all(names.map((name) => tool.inject[name]?.(runtime as ToolRuntime<never>)));
    const injected = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    const args = await tool.check(call.args, injected, tool.strict);
    await this.slot();
    const items = itemsOf(() => {
      runtime.signal.throwIfAborted(); // closed while it waited
      return tool.run(args as never, runtime as ToolRuntime<never>);
    });
    if (tool.timeout === undefined) return items;
    const { clock } = this.options;
    return timeout<ToolItem>({ total: tool.timeout }, clock && { clock })(items);
  }

  private slot(): Promise<void> | undefined {
    const { slots } = this.tool;
    if (slots === undefined || this.settled) return undefined;
    return new Promise((resolve) => {
      this.leaveSlot = slots.enter(resolve);
    });
  }

  private runtime(): ToolRuntime {
    const { state = {}, context, store, idempotencyKey } = this.options;
    return {
      toolCallId: this.call.id,
      idempotencyKey,
      state,
      context,
      store,
      signal: this.controller.signal,
      emit: (value) => {
        if (this.settled) return;
        if (this.progress.length >= maxQueuedProgress) this.progress.shift();
        this.progress.push(value);
        this.wake();
      },
    };
  }

  private readonly onItem = (item: ToolItem): void => {
    if ("progress" in item) this.progress.push(item.progress);
    else {
      this.last = resultEvent(this.tool, this.call, item.result);
      this.settle();
    }
    this.wake();
  };

  private readonly onAbort = (): void => {
    if (this.over !== undefined) return;
    const error: unknown = this.options.signal?.reason;
    this.over = { failure: { error } };
    this.progress = new Queue();
    this.last = undefined;
    if (!this.settled) this.controller.abort(error);
    this.settle();
    this.inlet?.abandon();
    this.wake();
  };

  private readonly onEnd = (failure: Failure | undefined): void => {
    // Always a failure: after a result, nothing more is pulled.
    const error = isInstance(failure?.error, TimeoutError)
      ? this.convertTimeout(failure.error)
      : failure?.error;
    this.settle();
    errorEvent(this.tool, this.call, error).then(
      (event) => {
        if (this.over === undefined) this.last = event;
        this.wake();
      },
      (error: unknown) => {
        this.over ??= { failure: { error } };
        this.wake();
      },
    );
  };

  /** Converts the timeout of the tool. Timeouts inside the tool are errors like any other. */
  private convertTimeout(cause: TimeoutError): unknown {
    const { name, timeout } = this.tool;
    if (cause.limit !== "total" || cause.ms !== timeout) return cause;
    const error = new ToolError(
      "timeout",
      `"${name}" was stopped because it took longer than ${timeout} ms.`,
      {
        tool: name,
        cause,
      },
    );
    this.controller.abort(error);
    return error;
  }

  private settle(): void {
    this.settled = true;
    this.leaveSlot?.();
  }
}
