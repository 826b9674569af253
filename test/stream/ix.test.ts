import { from as ixFrom } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
import { merge as ixMerge } from "@reactivex/ix-esnext-esm/asynciterable/merge";
import { filter as ixFilter } from "@reactivex/ix-esnext-esm/asynciterable/operators/filter";
import { map as ixMap } from "@reactivex/ix-esnext-esm/asynciterable/operators/map";
import { take as ixTake } from "@reactivex/ix-esnext-esm/asynciterable/operators/take";
import { describe, expect, test } from "vitest";
import { abortable, collect, compose, filter, map, merge, pipe, take } from "millrace";
import { ixOperator, toIx } from "millrace/ix";
import { spySource } from "millrace/testing";
import { turn } from "./support/hand-fed.js";

describe("operators of Ix", () => {
  test("work in pipe, between ours", async () => {
    const stream = pipe(
      ixFrom([1, 2, 3]),
      map((n) => n + 1),
      ixFilter((n) => n > 2),
      map((n) => n * 10),
      ixMap((n) => `${n}`),
    );
    expect(await collect(stream)).toEqual(["30", "40"]);
  });

  test("that close their source also close ours", async () => {
    const source = spySource([1, 2, 3]);
    expect(await collect(pipe(source, map((n) => n), ixTake(1)))).toEqual([1]); // prettier-ignore
    expect(source.returns).toBe(1);
  });

  test("that leak their source need abortable() before it; our merge does not", async () => {
    const leaked = spySource([1, 2, 3]);
    const controller = new AbortController();
    for await (const _ of ixMerge(pipe(leaked, abortable(controller.signal)), ixFrom([4]))) break;
    expect(leaked.returns).toBe(0);
    controller.abort();
    await turn();
    expect(leaked.open).toBe(0);

    const closed = spySource([1, 2, 3]);
    for await (const _ of merge(closed, ixFrom([4]))) break;
    expect(closed.returns).toBe(1);
  });
});

describe("ours inside Ix's .pipe()", () => {
  test("work unchanged, and through ixOperator() between those of Ix", async () => {
    expect(await collect(ixFrom([1, 2]).pipe(map((n) => n + 1)))).toEqual([2, 3]);
    const words = ixFrom(["mill", "race", "a"])
      .pipe(
        ixOperator(
          compose(
            map((word) => word.length),
            filter((n) => n > 1),
          ),
        ),
      )
      .pipe(ixMap((n) => n + 1))
      .pipe(ixOperator(take(1)));
    expect(await collect(words)).toEqual([5]);
  });

  test("close their source when the consumer leaves", async () => {
    const source = spySource([1, 2, 3]);
    for await (const _ of toIx(source).pipe(ixOperator(map((n) => n)))) break; // prettier-ignore
    expect(source.returns).toBe(1);
  });
});

describe("toIx", () => {
  test("makes an Ix iterable, and adds no pulls", async () => {
    const source = spySource([1, 2]);
    const ix = toIx(pipe(source, map((n) => n))); // prettier-ignore
    expect(await collect(ix.pipe(ixMap((n) => n * 10)))).toEqual([10, 20]);
    await ix[Symbol.asyncIterator]().return?.();
    expect([source.opened, source.returns]).toEqual([2, 1]);
  });

  test("is aborted by a signal of Ix", async () => {
    const source = spySource([1], { then: "hang" });
    const controller = new AbortController();
    const seen: number[] = [];
    const done = toIx(source).forEach((n) => void seen.push(n), undefined, controller.signal);
    await turn();
    controller.abort();
    await expect(done).rejects.toThrow();
    expect(seen).toEqual([1]);
    expect(source.returns).toBe(1);
  });
});
