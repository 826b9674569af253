import { type AsyncIterableX, from as ixFrom } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
import { filter as ixFilter } from "@reactivex/ix-esnext-esm/asynciterable/operators/filter";
import { map as ixMap } from "@reactivex/ix-esnext-esm/asynciterable/operators/map";
import { describe, expectTypeOf, test } from "vitest";
import { compose, filter, map, pipe } from "millrace";
import { ixOperator, toIx } from "millrace/ix";

const numbers = ixFrom([1, 2, 3]);

describe("types", () => {
  test("of Ix's operators pass through our pipe", () => {
    const stream = pipe(
      numbers,
      ixMap((n) => n.toFixed()),
      map((text) => text.length),
      ixFilter((n) => n > 1),
      filter((n) => n > 1),
    );
    expectTypeOf(stream).toEqualTypeOf<AsyncIterable<number>>();
    // @ts-expect-error: the second reads text
    pipe(numbers, ixMap((n) => n + 1), ixMap((text: string) => text.length)); // prettier-ignore
  });

  test("of ours pass through Ix's .pipe()", () => {
    expectTypeOf(numbers.pipe(map((n) => n.toFixed()))).toEqualTypeOf<AsyncIterable<string>>();
    const stream = numbers
      .pipe(
        ixOperator(
          compose(
            map((n) => n.toFixed()),
            filter((text) => text !== ""),
          ),
        ),
      ) // prettier-ignore
      .pipe(ixMap((text) => [text]));
    expectTypeOf(stream).toEqualTypeOf<AsyncIterableX<string[]>>();
    // @ts-expect-error: a number is not text
    numbers.pipe(ixOperator(map((text: string) => text.length)));
  });

  test("of a stream are kept by toIx", () => {
    expectTypeOf(toIx(pipe(numbers, map((n) => [n])))).toEqualTypeOf<AsyncIterableX<number[]>>(); // prettier-ignore
  });
});
