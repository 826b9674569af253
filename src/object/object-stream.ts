import type { AgentEvent } from "../agent/events.js";
import { toPartials, patchIn } from "../agent/answer/partials.js";
import type { DeepPartial } from "../json/deep-partial.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { JsonPatch } from "../json/patch/patch.js";
import type { JsonValue } from "../json/value.js";
import type { Usage } from "../messages/usage.js";
import type { ItemAt, ItemsPointer } from "../json/typed-pointer.js";
import { shapesOf } from "../schema/adapters/shapes-of.js";
import { requireArrayAt } from "../schema/part/declared-at.js";
import { elementsKey } from "../schema/list-of.js";
import type { Schema } from "../schema/schema.js";
import { type EventStreamOptions, toEventStream } from "../serve/patches/to-event-stream.js";
import { sharedCall } from "../stream/shared-call.js";
import { stage } from "../stream/core/stage.js";
import type { CreateTransform } from "../stream/core/transform.js";
import { noop } from "../stream/core/result.js";
import { childPointer, isIndex, parsePointer } from "../tree/pointer.js";
import { CallRecord, type Numbered } from "./call-record.js";

/**
 * One call of a model for an object, with several views that share its request. It is itself the view `partials`.
 *
 * A view that opens late first yields what is known: the value as one partial or one patch, and the items so far. When
 * the agent asks the model again, partials, patches and items start again from the beginning. Views that are open at
 * the same time wait for each other as those of `share()`.
 *
 * @typeParam Output the type of the object, after transforms and defaults
 * @typeParam Input the type of the object as the model writes it
 */
export interface ObjectStream<Output, Input = Output> extends AsyncIterable<DeepPartial<Input>> {
  /** The growing object: an immutable value after each change. Unchanged parts are the same objects as before. */
  readonly partials: AsyncIterable<DeepPartial<Input>>;
  /**
   * The changes as JSON Patches (RFC 6902); the first applies to `null`. With the option `append`, strings grow by
   * `append`.
   */
  readonly patches: AsyncIterable<JsonPatch>;
  /** The events of the agent that makes the call, with retries, reasoning and messages. Their patches use `append`. */
  readonly events: AsyncIterable<AgentEvent<Output>>;
  /**
   * Yields each element of the array at a JSON Pointer (RFC 6901) once, as soon as it is complete, as the model wrote
   * it.
   *
   * @throws {TypeError} if the pointer is malformed, or the schema rules out an array there
   */
  items<const Pointer extends string>(
    pointer: ItemsPointer<Input, Pointer>,
  ): AsyncIterable<ItemAt<Input, Pointer>>;
  /**
   * The complete object, as its schema returns it. Rejects if the call fails, or if the last view leaves early. Reading
   * this property starts the call, and runs it to its end unless a view reads it.
   */
  readonly final: Promise<Output>;
  /**
   * The tokens of all answers, if the model reports them. Resolves when the call has ended, also if it failed. Starts
   * the call like `final`.
   */
  readonly usage: Promise<Usage | undefined>;
  /** Streams the patches as a web `Response` for `useObject()` and the other clients: see `toEventStream()`. */
  toResponse(options?: EventStreamOptions): Response;
}

/**
 * Opens the views of one run of an agent.
 *
 * @param whole the schema of the whole response
 * @param append whether patches may have `append` operations
 * @param elements whether the response is a list inside an object
 */
export function objectStream<Output, Input>(
  events: AsyncIterable<AgentEvent>,
  whole: Schema<unknown>,
  append: boolean,
  elements: boolean,
): ObjectStream<Output, Input> {
  const record = new CallRecord();
  const { items, run } = sharedCall(events, record);

  const view = <Out>(create: CreateTransform<AgentEvent, Out>): AsyncIterable<Out> =>
    stage<Numbered, Out>((emit, stop, wait) => {
      const step = create(emit, stop, wait);
      const seen = record.length;
      for (const event of record.events()) step.next(event);
      return {
        next: ({ number, event }) => {
          if (number >= seen) step.next(event);
        },
        end: () => {
          if (record.failure !== undefined) throw record.failure.error;
          return step.end?.();
        },
      };
    })(items);

  const patches = (withAppends: boolean): AsyncIterable<JsonPatch> => view(patchesView(withAppends));
  const stream = Object.assign(new CallResults(record, run), {
    partials: view(toPartials),
    patches: patches(append),
    events: view<AgentEvent>((emit) => ({ next: emit })),
    items: (pointer: string) => {
      const keys = parsePointer(pointer);
      requireArrayAt(shapesOf(whole), elements ? [elementsKey, ...keys] : keys);
      return view(itemsView(pointer));
    },
    toResponse: (options?: EventStreamOptions) => toEventStream(patches(true), options),
    [Symbol.asyncIterator]: () => stream.partials[Symbol.asyncIterator](),
  });
  return stream as unknown as ObjectStream<Output, Input>; // the schemas guarantee these types
}

/** A class: V8 would keep a getter of an object literal, and the whole record with it, until a full collection. */
class CallResults {
  readonly #record: CallRecord;
  readonly #run: () => Promise<void>;

  constructor(record: CallRecord, run: () => Promise<void>) {
    this.#record = record;
    this.#run = run;
  }

  get final(): Promise<unknown> {
    return this.#started(this.#record.final);
  }

  get usage(): Promise<Usage | undefined> {
    return this.#started(this.#record.usage);
  }

  #started<T>(promise: Promise<T>): Promise<T> {
    this.#run().catch(noop); // reported by `final`
    return promise;
  }
}

function patchesView(append: boolean): CreateTransform<AgentEvent, JsonPatch> {
  return (emit) => {
    const value = new GrowingValue();
    return {
      next: (event) => {
        const patch = patchIn(event);
        if (patch !== undefined) emit(append ? patch : value.expand(patch));
      },
    };
  };
}

function itemsView(pointer: string): CreateTransform<AgentEvent, JsonValue> {
  const prefix = childPointer(pointer, "");
  return (emit) => ({
    next: (event) => {
      if (event.type !== "structured_item" || !event.pointer.startsWith(prefix)) return;
      if (isIndex(event.pointer.slice(prefix.length))) emit(event.value);
    },
  });
}
