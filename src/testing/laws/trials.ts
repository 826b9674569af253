import type { Operator } from "../../stream/operator.js";
import { demand, type LawOptions } from "./law.js";
import { type SpyOptions, type SpySource, spySource } from "../spy-source.js";

/**
 * The shared part of the laws: new operators over spy sources, and the time after which no answer counts as silence.
 */
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

  /** A source of the first `count` inputs. Default: all. */
  source(speed: Speed, then: SpyOptions["then"] = "end", count: number = this.inputs.length): SpySource<In> {
    return spySource(this.inputs.slice(0, count), speed === "slow" ? { then, pace: turn } : { then });
  }

  run(source: AsyncIterable<In>): TrialRun<Out> {
    return this.open(this.create()(source));
  }

  open<T>(stream: AsyncIterable<T>): TrialRun<T> {
    return new TrialRun(stream, this.idle, this.inputs.length + 4);
  }

  /** Waits until pending work has settled. */
  async rest(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await microtasks(() => false);
      await this.idle();
    }
  }
}

/** The speeds of sources: with ready items, and with a turn of the event loop before each item. */
export const sourceSpeeds: readonly Speed[] = ["ready", "slow"];
export type Speed = "ready" | "slow";

export type TrialAnswer<T> =
  | { readonly kind: "item"; readonly item: T }
  | { readonly kind: "done" }
  | { readonly kind: "error"; readonly error: unknown }
  /** No answer in time. */
  | { readonly kind: "silence" };

/** One iteration with its consumer. */
export class TrialRun<Out> {
  readonly iterator: AsyncIterator<Out>;
  private readonly idle: () => Promise<void>;
  private readonly maxTurns: number;

  constructor(stream: AsyncIterable<Out>, idle: () => Promise<void>, maxTurns: number) {
    this.iterator = stream[Symbol.asyncIterator]();
    this.idle = idle;
    this.maxTurns = maxTurns;
  }

  next(): Promise<TrialAnswer<Out>> {
    return this.answer(this.iterator.next());
  }

  return(): Promise<TrialAnswer<Out>> {
    return this.answer(this.iterator.return?.() ?? Promise.resolve({ done: true, value: undefined }));
  }

  /** Reads up to `count` items. */
  async read(
    count: number = Infinity,
  ): Promise<{ readonly outputs: Out[]; readonly last: TrialAnswer<Out> | undefined }> {
    const outputs: Out[] = [];
    let last: TrialAnswer<Out> | undefined;
    while (outputs.length < count) {
      last = await this.next();
      if (last.kind !== "item") break;
      outputs.push(last.item);
      demand(
        outputs.length <= tooMany,
        "ends",
        `the operator emitted more than ${tooMany} items for a few inputs`,
      );
    }
    return { outputs, last };
  }

  /**
   * Waits for microtasks first, so ready items take no turn of the event loop and the consumer is as fast as `for
   * await`.
   */
  async answer(promise: Promise<IteratorResult<Out>>): Promise<TrialAnswer<Out>> {
    let answer: TrialAnswer<Out> | undefined;
    promise.then(
      (result) => {
        answer = result.done === true ? { kind: "done" } : { kind: "item", item: result.value };
      },
      (error: unknown) => {
        answer = { kind: "error", error };
      },
    );
    await microtasks(() => answer !== undefined);
    for (let i = 0; answer === undefined && i < this.maxTurns; i++) {
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
