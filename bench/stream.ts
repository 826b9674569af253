/** The cost of a pipeline stage: one and eight `map` stages, in several libraries. */
import { drain, keep } from "./sink.js";
import type { Pass, Results, Suite, TimedCase } from "./suite.js";
import { quotient } from "./statistics.js";
import { figure, ratio, table, withRange } from "./table.js";

interface Subject {
  readonly name: string;
  /** Items per pass: enough for a few milliseconds. */
  readonly items: number;
  /** Returns a function that runs a source through `stages` stages. */
  load(stages: number): Promise<(source: AsyncIterable<number>) => Promise<void>>;
}

const subjects: readonly Subject[] = [
  {
    name: "millrace",
    items: 50_000,
    load: async (stages) => {
      const { map } = await import("millrace");
      return chained(stacked(stages, () => map(increment)));
    },
  },
  {
    name: "native async generator",
    items: 50_000,
    load: async (stages) => {
      async function* map(source: AsyncIterable<number>): AsyncGenerator<number> {
        for await (const value of source) yield increment(value);
      }
      return chained(stacked(stages, () => map));
    },
  },
  {
    name: "Ix, native build",
    items: 50_000,
    load: async (stages) => {
      const { map } = await import("@reactivex/ix-esnext-esm/asynciterable/operators/map");
      return chained(stacked(stages, () => map(increment)));
    },
  },
  {
    name: "ix",
    items: 20_000,
    load: async (stages) => {
      const { map } = await import("ix/asynciterable/operators/map");
      return chained(stacked(stages, () => map(increment)));
    },
  },
  {
    name: "RxJS",
    items: 50_000,
    load: async (stages) => {
      const { from, map } = await import("rxjs");
      const chain = stacked(stages, () => map(increment));
      return (source) => chain.reduce((s, f) => f(s), from(source)).forEach(keep);
    },
  },
  {
    name: "web TransformStream",
    items: 5_000,
    load: async (stages) => {
      const map = (): TransformStream<number, number> =>
        new TransformStream({
          transform: (value, controller) => {
            controller.enqueue(increment(value));
          },
        });
      // Node has ReadableStream.from(), the DOM's types do not; a pull source is the same thing.
      const readable = (source: AsyncIterable<number>): ReadableStream<number> => {
        const iterator = source[Symbol.asyncIterator]();
        return new ReadableStream({
          pull: async (controller) => {
            const result = await iterator.next();
            if (result.done === true) controller.close();
            else controller.enqueue(result.value);
          },
        });
      };
      return (source) =>
        drain(
          stacked(stages, map).reduce((stream, through) => stream.pipeThrough(through), readable(source)),
        );
    },
  },
];

const floor = "bare for await";

export const stream: Suite = {
  name: "stream",
  cases: [
    { id: floor, load: () => Promise.resolve(passOf(50_000, drain)) },
    ...subjects.flatMap((subject) => [1, 8].map((stages) => caseOf(subject, stages))),
  ],
  milliseconds: 200,
  smoke: () => true,
  report,
};

function caseOf(subject: Subject, stages: number): TimedCase {
  return {
    id: idOf(subject.name, stages),
    load: async () => passOf(subject.items, await subject.load(stages)),
  };
}

function idOf(name: string, stages: number): string {
  return `${name} ×${stages}`;
}

function passOf(items: number, run: (source: AsyncIterable<number>) => Promise<void>): Pass {
  return async () => {
    await run(new Ready(items));
    return items;
  };
}

function report(results: Results): string {
  const base = results.get(floor)?.median;
  const net = (name: string, stages: number): number | undefined => {
    const median = results.get(idOf(name, stages))?.median;
    return median === undefined || base === undefined ? undefined : median - base;
  };
  const native = "native async generator";
  const rows = subjects.map(({ name }) => [
    name,
    withRange(results.get(idOf(name, 1))),
    figure(net(name, 1)),
    ratio(quotient(net(name, 1), net(native, 1))),
    withRange(results.get(idOf(name, 8))),
    figure(quotient(net(name, 8), 8)),
    ratio(quotient(net(name, 8), net(native, 8))),
  ]);
  const head = [
    "`map`, ns an item",
    "one stage",
    "net",
    "of native",
    "eight stages",
    "net a stage",
    "of native",
  ];
  return `${table(head, [[floor, withRange(results.get(floor))], ...rows])}

The items of the source are already there. Net is the time above a bare \`for await\` over the source. RxJS pushes, so it
needs no \`for await\`. The goal: one stage costs at most 0.50 of a native async generator, eight stages at most 0.33 of eight.`;
}

/** A source whose items are already there, so only the stages are measured. */
class Ready implements AsyncIterableIterator<number, undefined> {
  private sent = 0;
  private readonly count: number;

  constructor(count: number) {
    this.count = count;
  }

  next(): Promise<IteratorResult<number, undefined>> {
    return Promise.resolve(
      this.sent < this.count ? { done: false, value: this.sent++ } : { done: true, value: undefined },
    );
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function increment(value: number): number {
  return value + 1;
}

type Stage = (source: AsyncIterable<number>) => AsyncIterable<number>;

function chained(stages: readonly Stage[]): (source: AsyncIterable<number>) => Promise<void> {
  return (source) => drain(stages.reduce((stream, stage) => stage(stream), source));
}

function stacked<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
