import { describe, expectTypeOf, test } from "vitest";
import {
  abortable,
  batch,
  collect,
  compose,
  conflate,
  dropLast,
  filter,
  from,
  invoke,
  last,
  map,
  merge,
  type Operator,
  pipe,
  scan,
  share,
  take,
  tap,
  throttle,
  timeout,
} from "millrace";

declare const numbers: AsyncIterable<number>;
declare const toText: Operator<number, string>;
declare const toNumber: Operator<string, number>;

describe("pipe", () => {
  test("returns its source without stages", () => {
    expectTypeOf(pipe(numbers)).toEqualTypeOf<AsyncIterable<number>>();
  });

  test("yields what the last stage yields", () => {
    expectTypeOf(pipe(numbers, toText)).toEqualTypeOf<AsyncIterable<string>>();
    expectTypeOf(pipe(numbers, toText, toNumber)).toEqualTypeOf<AsyncIterable<number>>();
  });

  test("is typed up to 20 stages, and rejects more", () => {
    const [a, b] = [toText, toNumber];
    const twenty = pipe(numbers, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b);
    expectTypeOf(twenty).toEqualTypeOf<AsyncIterable<number>>();
    const nineteen = pipe(numbers, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a);
    expectTypeOf(nineteen).toEqualTypeOf<AsyncIterable<string>>();
    // @ts-expect-error: put some of them into compose()
    pipe(numbers, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a);
  });

  test("passes the type of each stage to the next", () => {
    const stream = pipe(
      numbers,
      map((n) => ({ text: n.toFixed(), n })),
      filter(({ n }) => n > 1),
      scan((texts: readonly string[], { text }) => [...texts, text], []),
      tap((texts) => texts.length),
      dropLast(),
      take(3),
      map((texts, index) => [texts.join(), index] as const),
      batch(2),
      abortable(new AbortController().signal),
      timeout(1),
      share(),
      conflate((pending, batches) => [...pending, ...batches]),
      throttle(1, { merge: (pending, batches) => [...pending, ...batches] }),
      map((batches) => batches.map(([text]) => text.length)),
    );
    expectTypeOf(stream).toEqualTypeOf<AsyncIterable<number[]>>();
  });

  test("infers up to 20 functions", () => {
    const stream = pipe(
      numbers,
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => x.length),
      map((x) => `${x}`),
      map((x) => ({ x })),
    );
    expectTypeOf(stream).toEqualTypeOf<AsyncIterable<{ x: string }>>();
  });

  test("rejects adjacent stages that do not fit, at any position", () => {
    // @ts-expect-error: toNumber reads text
    pipe(numbers, toNumber);
    // @ts-expect-error: the second reads numbers
    pipe(numbers, toText, toText);
    const [a, b] = [toText, toNumber];
    // @ts-expect-error: of 20, the 20th reads text
    pipe(numbers, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, b, b);

    // @ts-expect-error: the argument is a number
    pipe(numbers, map((n): string => n)); // prettier-ignore
    // @ts-expect-error: the function takes text
    pipe(numbers, map((text: string) => text.length)); // prettier-ignore
    // @ts-expect-error: batches are not numbers
    pipe(numbers, batch(2), toText);
  });

  test("rejects stages and sources of other types", () => {
    // @ts-expect-error: a stage that may be missing
    pipe(numbers, undefined);
    // @ts-expect-error: a function on items
    pipe(numbers, (n: number) => n + 1);
    // @ts-expect-error: wrap it in from()
    pipe([1, 2, 3], toText);
  });
});

describe("compose", () => {
  test("joins operators, from the first stage's input to the last one's output", () => {
    expectTypeOf(compose<number>()).toEqualTypeOf<Operator<number, number>>();
    expectTypeOf(compose(toText)).toEqualTypeOf<Operator<number, string>>();
    expectTypeOf(compose(toText, toNumber, toText)).toEqualTypeOf<Operator<number, string>>();
    const fromFunctions = compose(
      map((n: number) => n.toFixed()),
      map((text) => text.length),
      filter((n) => n > 1),
    );
    expectTypeOf(fromFunctions).toEqualTypeOf<Operator<number, number>>();
  });

  test("is typed over 20 stages", () => {
    const [a, b] = [toText, toNumber];
    const twenty = compose(a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b);
    expectTypeOf(twenty).toEqualTypeOf<Operator<number, number>>();
    // @ts-expect-error: compose some of them first
    compose(a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a);
    // @ts-expect-error: the 20th reads text
    compose(a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b, b, b);
  });

  test("infers its input inside a pipe", () => {
    const stream = pipe(
      numbers,
      compose(
        map((n) => n.toFixed()),
        filter((text) => text.length > 1),
      ),
      map((text) => text.length),
    );
    expectTypeOf(stream).toEqualTypeOf<AsyncIterable<number>>();
  });

  test("rejects adjacent stages that do not fit", () => {
    // @ts-expect-error: the second reads numbers
    compose(toText, toText);
  });
});

describe("other functions", () => {
  test("filter narrows by a type guard, written or inferred", () => {
    const mixed = pipe(numbers, map((n) => (n > 1 ? n : `${n}`))); // prettier-ignore
    const isText = (value: unknown): value is string => typeof value === "string";
    expectTypeOf(pipe(mixed, filter(isText))).toEqualTypeOf<AsyncIterable<string>>();
    expectTypeOf(pipe(mixed, filter((x) => typeof x === "number"))).toEqualTypeOf<AsyncIterable<number>>(); // prettier-ignore
    expectTypeOf(pipe(mixed, filter((x) => x !== 7))).toEqualTypeOf<AsyncIterable<number | string>>(); // prettier-ignore
  });

  test("merge gives the union of its sources' items", () => {
    expectTypeOf(merge()).toEqualTypeOf<AsyncIterable<never>>();
    expectTypeOf(merge(numbers, from(["a"]))).toEqualTypeOf<AsyncIterable<number | string>>();
    const many: AsyncIterable<number>[] = [];
    expectTypeOf(merge(...many)).toEqualTypeOf<AsyncIterable<number>>();
  });

  test("from infers the type of the items", () => {
    expectTypeOf(from(new Response())).toEqualTypeOf<AsyncIterable<Uint8Array<ArrayBuffer>>>();
    expectTypeOf(from(Promise.resolve(new Response()))).toEqualTypeOf<
      AsyncIterable<Uint8Array<ArrayBuffer>>
    >();
    expectTypeOf(from(new ReadableStream<string>())).toEqualTypeOf<AsyncIterable<string>>();
    expectTypeOf(from([1, 2])).toEqualTypeOf<AsyncIterable<number>>();
    expectTypeOf(from([Promise.resolve(1)])).toEqualTypeOf<AsyncIterable<number>>();
    expectTypeOf(from(new Set(["a"]))).toEqualTypeOf<AsyncIterable<string>>();
    expectTypeOf(from(Promise.resolve(numbers))).toEqualTypeOf<AsyncIterable<number>>();
    expectTypeOf(from(Promise.resolve([1]))).toEqualTypeOf<AsyncIterable<number>>();
    // @ts-expect-error: neither a stream nor a promise of one
    from(7);
  });

  test("consumers infer the type of the items", () => {
    expectTypeOf(collect(numbers)).toEqualTypeOf<Promise<number[]>>();
    expectTypeOf(last(numbers)).toEqualTypeOf<Promise<number | undefined>>();
    expectTypeOf(invoke(toText, 1)).toEqualTypeOf<Promise<string | undefined>>();
    // @ts-expect-error: toText reads numbers
    void invoke(toText, "1");
  });
});
