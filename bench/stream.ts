/** The cost of a pipeline stage: one and eight `map` stages, in several libraries. */
import { ReadableStream, TransformStream } from "node:stream/web";
import { computed, type Figure, quotient, timed, type Work } from "./harness/figures.js";
import { goal, type Suite } from "./harness/suite.js";
import { list } from "../test/support/random.js";
import { arriving, drain } from "./reading.js";

type Run = (source: AsyncIterable<number>) => Promise<unknown>;
type Stage = (source: AsyncIterable<number>) => AsyncIterable<number>;
type MapStage = (project: (value: number) => number) => Stage;

const native = "native async generator";

/** Each returns a function that runs a source through so many stages. */
const subjects: Readonly<Record<string, (stages: number) => Promise<Run>>> = {
  millrace: async (stages) => chained((await import("millrace")).map, stages),
  [native]: async (stages) => chained(nativeMap, stages),
  "Ix, native build": async (stages) =>
    chained((await import("@reactivex/ix-esnext-esm/asynciterable/operators/map")).map, stages),
  "web TransformStream": async (stages) => {
    const map = (): TransformStream<number, number> =>
      new TransformStream({ transform: (value, controller) => controller.enqueue(increment(value)) });
    return (source) =>
      drain(list(stages, map).reduce((it, stage) => it.pipeThrough(stage), ReadableStream.from(source)));
  },
};

const floor = timed("bare for await", async () => workOf(drain));

export const stream: Suite = {
  name: "stream",
  milliseconds: 200,
  smoke: /×1$|^bare/,
  intro: `The items of the source are already there. Net is the time above a bare \`for await\` over the source.`,
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
          ...[1, 8].flatMap((it) => [timeOf(name, it), netOf(name, it), ofNative(name, it)]),
        ]),
      ],
    },
  ],
};

/** The part of a stage as a multiple of that of a native one. */
function ofNative(name: string, stages: number): Figure {
  return quotient(netOf(name, stages), netOf(native, stages));
}

/** The part of the time of an item that a stage takes. */
function netOf(name: string, stages: number): Figure {
  return computed([timeOf(name, stages), floor], (time = NaN, bare = NaN) => (time - bare) / stages);
}

function timeOf(name: string, stages: number): Figure {
  const load = subjects[name] as (stages: number) => Promise<Run>;
  return timed(`${name} ×${stages}`, async () => workOf(await load(stages)));
}

/** Enough items for a few milliseconds. */
function workOf(run: Run): Work {
  const numbers = list(20_000, (i) => i);
  return { units: numbers.length, run: () => run(arriving(numbers)) };
}

const increment = (value: number): number => value + 1;

function chained(map: MapStage, stages: number): Run {
  const chain = list(stages, () => map(increment));
  return (source) => drain(chain.reduce((stream, stage) => stage(stream), source));
}

function nativeMap(project: (value: number) => number): Stage {
  return async function* (source) {
    for await (const value of source) yield project(value);
  };
}
