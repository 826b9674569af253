/** The cost of a pipeline stage: one and eight `map` stages, in several libraries. */
import { ReadableStream, TransformStream } from "node:stream/web";
import { computed, type Figure, quotient, ranged, timed, type Work } from "./harness/figures.js";
import { goal, type Suite } from "./harness/suite.js";
import { list } from "./random.js";
import { arriving, drain, keep } from "./reading.js";

interface Subject {
  /** Items per pass: enough for a few milliseconds. */
  readonly items: number;
  /** Returns a function that runs a source through `stages` stages. */
  readonly load: (stages: number) => Promise<Run>;
}

type Run = (source: AsyncIterable<number>) => Promise<unknown>;

type Stage = (source: AsyncIterable<number>) => AsyncIterable<number>;
type MapStage = (project: (value: number) => number) => Stage;

const native = "native async generator";

const subjects: Readonly<Record<string, Subject>> = {
  millrace: { items: 50_000, load: chained(async () => (await import("millrace")).map) },
  [native]: { items: 50_000, load: chained(async () => nativeMap) },
  "Ix, native build": {
    items: 50_000,
    load: chained(async () => (await import("@reactivex/ix-esnext-esm/asynciterable/operators/map")).map),
  },
  ix: { items: 20_000, load: chained(async () => (await import("ix/asynciterable/operators/map")).map) },
  RxJS: {
    items: 50_000,
    load: async (stages) => {
      const { from, map } = await import("rxjs");
      const chain = list(stages, () => map(increment));
      return (source) => chain.reduce((stream, stage) => stage(stream), from(source)).forEach(keep);
    },
  },
  "web TransformStream": {
    items: 5_000,
    load: async (stages) => {
      const map = (): TransformStream<number, number> =>
        new TransformStream({ transform: (value, controller) => controller.enqueue(increment(value)) });
      return (source) =>
        drain(
          list(stages, map).reduce((stream, stage) => stream.pipeThrough(stage), ReadableStream.from(source)),
        );
    },
  },
};

const floor = timed("bare for await", async () => workOf(50_000, drain), ranged);

export const stream: Suite = {
  name: "stream",
  milliseconds: 200,
  smoke: /./,
  intro: `The items of the source are already there. Net is the time above a bare \`for await\` over the source. RxJS
pushes, so it needs no \`for await\`.`,
  goals: [
    goal("one stage, of a native async generator", ofNative("millrace", 1), "≤ 0.5"),
    goal("eight stages, of eight native async generators", ofNative("millrace", 8), "≤ 0.33"),
  ],
  parts: [
    {
      text: "## Stages",
      head: [
        "`map`, ns an item",
        ...["one stage", "net", "of native"],
        ...["eight stages", "net a stage", "of native"],
      ],
      rows: [
        ["bare for await", floor],
        ...Object.keys(subjects).map((name) => [
          name,
          ...[1, 8].flatMap((stages) => figuresOf(name, stages)),
        ]),
      ],
    },
  ],
};

/** The time of an item, the part that a stage takes of it, and this as a multiple of a native stage. */
function figuresOf(name: string, stages: number): readonly Figure[] {
  return [timeOf(name, stages), netOf(name, stages), ofNative(name, stages)];
}

function ofNative(name: string, stages: number): Figure {
  return quotient(netOf(name, stages), netOf(native, stages));
}

function netOf(name: string, stages: number): Figure {
  return computed([timeOf(name, stages), floor], (time = NaN, bare = NaN) => (time - bare) / stages);
}

function timeOf(name: string, stages: number): Figure {
  const { items, load } = subjects[name] as Subject;
  return timed(`${name} ×${stages}`, async () => workOf(items, await load(stages)), ranged);
}

function workOf(items: number, run: Run): Work {
  const numbers = list(items, (i) => i);
  return { units: items, run: () => run(arriving(numbers)) };
}

function increment(value: number): number {
  return value + 1;
}

function chained(load: () => Promise<MapStage>): Subject["load"] {
  return async (stages) => {
    const map = await load();
    const chain = list(stages, () => map(increment));
    return (source) => drain(chain.reduce((stream, stage) => stage(stream), source));
  };
}

function nativeMap(project: (value: number) => number): Stage {
  return async function* (source) {
    for await (const value of source) yield project(value);
  };
}
