import { describe, expect, test } from "vitest";
import { spySource } from "millrace/testing";
import { turn } from "../stream/support/hand-fed.js";

const open = <T>(source: AsyncIterable<T>): AsyncIterator<T> => source[Symbol.asyncIterator]();

describe("a spy source", () => {
  test("yields its items, and counts the calls", async () => {
    const source = spySource([1, 2]);
    const seen: number[] = [];
    for await (const n of source) seen.push(n);
    expect(seen).toEqual([1, 2]);
    expect(source).toMatchObject({
      opened: 1,
      pulls: 3,
      inFlight: 0,
      maxInFlight: 1,
      returns: 0,
      open: 0,
      faults: [],
    });
  });

  test("can be opened again, and yields the same items", async () => {
    const source = spySource(new Set([1]));
    expect((await open(source).next()).value).toBe(1);
    expect((await open(source).next()).value).toBe(1);
    expect(source).toMatchObject({ opened: 2, open: 2 });
  });

  test("fails, hangs or ends, as its options say", async () => {
    await expect(open(spySource([], { then: { error: undefined } })).next()).rejects.toBe(undefined);
    expect(await open(spySource([])).next()).toEqual({ done: true, value: undefined });
    const hanging = spySource<number>([], { then: "hang" });
    const iterator = open(hanging);
    const outcome = Promise.race([iterator.next(), iterator.return?.(), turn().then(() => "silence")]);
    expect(await outcome).toBe("silence");
    expect(hanging).toMatchObject({ inFlight: 1, returns: 1, open: 0 });
  });

  test("counts overlapping calls of next()", async () => {
    const source = spySource([1, 2, 3], { pace: turn });
    const iterator = open(source);
    const answers = [iterator.next(), iterator.next()];
    expect(source.inFlight).toBe(2);
    expect(await Promise.all(answers)).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
    ]);
    expect([source.inFlight, source.maxInFlight]).toEqual([0, 2]);
  });

  test("reports calls after its end, its failure and its return()", async () => {
    const ended = spySource([]);
    const one = open(ended);
    await one.next();
    await one.next();
    await one.return?.();
    expect(ended.faults).toEqual([
      expect.stringMatching(/^next\(\) .*ended$/),
      expect.stringMatching(/^return\(\) .*ended$/),
    ]);
    const failed = spySource([], { then: { error: new Error("cut") } });
    const two = open(failed);
    await two.next().catch(() => {});
    await two.return?.();
    expect(failed.faults).toEqual([expect.stringMatching(/^return\(\) .*failed$/)]);
    const closed = spySource([1]);
    const three = open(closed);
    await three.return?.();
    expect(await three.next()).toEqual({ done: true, value: undefined });
    expect(closed.faults).toEqual([expect.stringMatching(/^next\(\) .*closed$/)]);
  });
});
