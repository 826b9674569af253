import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  abortable,
  batch,
  compose,
  conflate,
  dropLast,
  filter,
  from,
  map,
  mapAsync,
  merge,
  type Operator,
  scan,
  share,
  stage,
  take,
  tap,
  throttle,
  timeout,
} from "millrace";
import { ixOperator } from "millrace/ix";
import { type LawOptions, manualClock, operatorLaws } from "millrace/testing";
import { parallel } from "#src/stream/core/parallel.js";
import { bursts } from "../../stream/support/bursts.js";
import { turn } from "../../stream/support/hand-fed.js";

const inputs = [1, 2, 3, 4];
/** The laws run concurrently on one clock, so it only moves forward. */
const clock = manualClock();
const idle = async (): Promise<void> => {
  await turn();
  clock.advance(5);
};
const flat = (batches: readonly number[][]): number[] => batches.flat();
const final = (items: readonly number[]): number | undefined => items.at(-1);

function subject<Out>(
  name: string,
  create: () => Operator<number, Out>,
  options?: Partial<LawOptions<number, Out>>,
): readonly [string, () => { name: string; check(): Promise<void> }[]] {
  return [name, () => operatorLaws(create, { inputs, ...options })];
}

/** A step with all outcomes: no item, several, some at the end, and an early stop. */
const everything = stage<number, string>((emit, stop) => ({
  next: (value) => {
    if (value === 2) return;
    emit(`${value}`);
    emit(`${value}!`);
    if (value === 3) stop();
  },
  end: () => {
    emit("end");
  },
}));

const walls = [
  ["abortable", () => abortable<number>(new AbortController().signal)],
  ["timeout", () => timeout<number>(1e9, { clock })],
  ["merge of one", () => (source: AsyncIterable<number>) => merge(source)],
  ["mapAsync", () => mapAsync((n: number) => Promise.resolve(n))],
] as const satisfies readonly (readonly [string, () => Operator<number, number>])[];

const subjects = [
  subject("map", () => map((n) => n * 2)),
  subject("mapAsync", () => mapAsync((n) => (n % 2 === 0 ? n : Promise.resolve(n * 2)))),
  subject("filter", () => filter((n) => n % 2 === 0)),
  subject("a filter that drops all", () => filter(() => false)),
  subject("scan", () => scan((sum, n) => sum + n, 0), { result: final }),
  subject("tap", () => tap(() => {})),
  subject("take(0)", () => take(0)),
  subject("take(2)", () => take(2)),
  subject("take(Infinity)", () => take(Infinity)),
  subject("dropLast()", () => dropLast()),
  subject("dropLast(0)", () => dropLast(0)),
  subject("dropLast(3)", () => dropLast(3)),
  subject("a stage with everything", () => everything),
  subject("compose() of several", () =>
    compose(
      map((n: number) => n + 1),
      filter((n) => n !== 3),
      dropLast(),
      take(2),
    ),
  ),
  subject("merge of one", () => (source) => merge(source)),
  subject("merge of several", () => (source) => merge(from([]), source, from([]))),
  subject("share", () => share()),
  subject("share({ bound: 1 })", () => share({ bound: 1 })),
  subject("conflate", () => conflate(), { readAhead: Infinity, result: final }),
  subject("conflate with a sum", () => conflate((a, b) => a + b), {
    readAhead: Infinity,
    result: (items) => items.reduce((sum, n) => sum + n, 0),
  }),
  subject("batch()", () => batch(), { readAhead: 16, result: flat }),
  subject("batch(1)", () => batch(1), { readAhead: 1, result: flat }),
  subject("batch(3)", () => batch(3), { readAhead: 3, result: flat }),
  subject("throttle(0)", () => throttle(0, { clock }), { readAhead: Infinity, result: final, idle }),
  subject("throttle(5)", () => throttle(5, { clock }), { readAhead: Infinity, result: final, idle }),
  subject("timeout that is never reached", () => timeout({ first: 1e9, idle: 1e9, total: 1e9 }, { clock })),
  subject("abortable", () => abortable(new AbortController().signal)),
  ...walls.map(([name, wall]) =>
    subject(
      `${name} behind what comes in pairs`,
      () =>
        compose(
          bursts<number>(2),
          wall(),
          map((n) => n + 1),
          wall(),
        ),
      { readAhead: 1 },
    ),
  ),
  ...[true, false].map((ordered) =>
    subject(
      `parallel work, ${ordered ? "in order" : "as results arrive"}`,
      () => (source) =>
        parallel(source, (n: number) => Promise.resolve(n * 2), { concurrency: 2, ordered, maxHeld: 2 }),
      { readAhead: 2 },
    ),
  ),
  subject("ixOperator", () => ixOperator(map((n) => n * 2))),
  subject(
    "an async generator",
    () =>
      async function* (source) {
        for await (const n of source) yield n * 2;
      },
    { generator: true },
  ),
];

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

// G-stream-1
describe.concurrent.each(subjects)("%s", (_, laws) => {
  test.each(laws().map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
