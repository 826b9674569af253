import type { Operator } from "../../stream/operator.js";
import { demand, type LawOptions } from "./law.js";
import { type SpyOptions, type SpySource, spySource } from "../spy-source.js";

/** What the laws have in common: fresh operators over spy sources, and how long to wait before calling it silence. */
export class Trials<In, Out> {
  readonly create: () => Operator<In, Out>;
  readonly inputs: readonly In[];
  readonly readAhead: number;
  readonly generator: boolean;
  readonly cut: LawOptions<In, Out>["cut"];
  readonly result: (outputs: readonly Out[]) => unknown;
  readonly idle: () => Promise<void>;

  constructor(create: () => Operator<In, Out>, options: LawOptions<In, Out>) {
    this.create = create;
    this.inputs = options.inputs;
    this.readAhead = options.readAhead ?? 0;
    this.generator = options.generator ?? false;
    this.cut = options.cut;
    this.result = options.result ?? ((outputs) => outputs);
    this.idle = options.idle ?? turn;
  }

  /** The first `count` inputs, or all, from a source of the given speed. */
  source(speed: Speed, then: SpyOptions["then"] = "end", count: number = this.inputs.length): SpySource<In> {
    return spySource(this.inputs.slice(0, count), speed === "slow" ? { then, pace: turn } : { then });
  }

  run(source: AsyncIterable<In>): Run<Out> {
    return this.open(this.create()(source));
  }

  open<T>(stream: AsyncIterable<T>): Run<T> {
    return new Run(stream, this.idle, this.inputs.length + 4);
  }

  /** Lets whatever is under way come to rest. */
  async rest(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await microtasks(() => false);
      await this.idle();
    }
  }
}

/** A source that has its items ready, and one that takes a turn of the event loop for each. */
export const speeds: readonly Speed[] = ["ready", "slow"];
export type Speed = "ready" | "slow";

export type Answer<T> =
  | { readonly kind: "item"; readonly item: T }
  | { readonly kind: "done" }
  | { readonly kind: "error"; readonly error: unknown }
  /** Nothing within the patience of the laws. */
  | { readonly kind: "silence" };

/** One iteration, and its consumer. */
export class Run<Out> {
  readonly iterator: AsyncIterator<Out>;
  private readonly idle: () => Promise<void>;
  private readonly patience: number;

  constructor(stream: AsyncIterable<Out>, idle: () => Promise<void>, patience: number) {
    this.iterator = stream[Symbol.asyncIterator]();
    this.idle = idle;
    this.patience = patience;
  }

  next(): Promise<Answer<Out>> {
    return this.answer(this.iterator.next());
  }

  return(): Promise<Answer<Out>> {
    return this.answer(this.iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }));
  }

  /** Asks until there is no item, or there are as many as wanted. */
  async read(
    most: number = Infinity,
  ): Promise<{ readonly outputs: Out[]; readonly last: Answer<Out> | undefined }> {
    const outputs: Out[] = [];
    let last: Answer<Out> | undefined;
    while (outputs.length < most) {
      last = await this.next();
      if (last.kind !== "item") break;
      outputs.push(last.item);
      demand(outputs.length <= tooMany, "ends", `it gave over ${tooMany} items for a few inputs`);
    }
    return { outputs, last };
  }

  /** Microtasks first, so that what is ready costs no turn, and the consumer is as fast as `for await`. */
  async answer(promise: Promise<IteratorResult<Out>>): Promise<Answer<Out>> {
    let answer: Answer<Out> | undefined;
    promise.then(
      (result) => {
        answer = result.done === true ? { kind: "done" } : { kind: "item", item: result.value };
      },
      (error: unknown) => {
        answer = { kind: "error", error };
      },
    );
    await microtasks(() => answer !== undefined);
    for (let i = 0; answer === undefined && i < this.patience; i++) {
      await this.idle();
      await microtasks(() => answer !== undefined);
    }
    return answer ?? { kind: "silence" };
  }
}

const tooMany = 10_000;

/** A turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

async function microtasks(enough: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !enough(); i++) await Promise.resolve();
}
