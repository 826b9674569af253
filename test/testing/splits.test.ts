import { describe, expect, test } from "vitest";
import { allPartitions, everyCut, everyWay, fixedSizes, randomPartitions } from "millrace/testing";

const joined = (pieces: readonly (string | Uint8Array)[]): string =>
  typeof pieces[0] === "string" ? pieces.join("") : Buffer.concat(pieces as Uint8Array[]).toString("latin1");
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => 97 + (i % 26));
const text = (length: number): string => Buffer.from(bytes(length)).toString("latin1");

describe("allPartitions", () => {
  test("yields each partition once, 2^(n-1) of them", () => {
    expect([...allPartitions("abc")]).toEqual([["abc"], ["a", "bc"], ["ab", "c"], ["a", "b", "c"]]);
    const ways = [...allPartitions(text(12))];
    expect(ways.length).toBe(2 ** 11);
    expect(new Set(ways.map((pieces) => pieces.join("|"))).size).toBe(2 ** 11);
    for (const pieces of ways) expect(pieces.join("")).toBe(text(12));
  });

  test("yields one empty partition for an empty text", () => {
    expect([...allPartitions("")]).toEqual([[]]);
  });

  test("splits bytes within a UTF-8 sequence, and strings within a surrogate pair", () => {
    expect([...allPartitions(new TextEncoder().encode("é"))]).toEqual([
      [Uint8Array.of(0xc3, 0xa9)],
      [Uint8Array.of(0xc3), Uint8Array.of(0xa9)],
    ]);
    expect([...allPartitions("👍")]).toEqual([["👍"], ["\ud83d", "\udc4d"]]);
  });

  test("accepts a length of 20 and rejects longer ones", () => {
    expect(allPartitions(text(20)).next().value).toEqual([text(20)]);
    expect(() => allPartitions(text(21)).next()).toThrow(RangeError);
  });
});

describe("everyCut", () => {
  test("splits in two at each position, including the ends", () => {
    expect([...everyCut("ab")]).toEqual([
      ["", "ab"],
      ["a", "b"],
      ["ab", ""],
    ]);
    expect([...everyCut(bytes(2))].map((pieces) => pieces.map(({ length }) => length))).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ]);
  });
});

describe("fixedSizes", () => {
  test("splits into pieces of each size", () => {
    expect([...fixedSizes("abcde", [1, 2, 5, 9])]).toEqual([
      ["a", "b", "c", "d", "e"],
      ["ab", "cd", "e"],
      ["abcde"],
      ["abcde"],
    ]);
  });

  test.each([0, 1.5, Number.NaN])("rejects a size of %s", (size) => {
    expect(() => [...fixedSizes("ab", [size])]).toThrow(RangeError);
  });
});

describe("randomPartitions", () => {
  test("yields the same for the same seed, and others for another", () => {
    const ways = (seed: number) => JSON.stringify([...randomPartitions(text(100), { seed, count: 20 })]);
    expect(ways(1)).toBe(ways(1));
    expect(ways(1)).not.toBe(ways(2));
    expect(ways(0)).not.toBe(ways(1));
  });

  test("yields as many partitions as requested, 100 by default, each complete and without empty pieces", () => {
    expect([...randomPartitions("ab", { count: 3 })].length).toBe(3);
    const ways = [...randomPartitions(text(300))];
    expect(ways.length).toBe(100);
    for (const pieces of ways) {
      expect(pieces.join("")).toBe(text(300));
      expect(pieces).not.toContain("");
    }
  });

  test("yields partitions with small pieces and others with large ones", () => {
    const largest = [...randomPartitions(text(1000))].map((pieces) =>
      Math.max(...pieces.map((p) => p.length)),
    );
    expect(Math.min(...largest)).toBeLessThan(20);
    expect(Math.max(...largest)).toBeGreaterThan(300);
  });
});

describe("everyWay", () => {
  test.each([0, 1, 12, 13, 512, 513, 5000])("splits a length of %i into complete partitions", (length) => {
    for (const whole of [text(length), bytes(length)]) {
      let ways = 0;
      for (const pieces of everyWay(whole)) {
        ways++;
        if (joined(pieces) !== text(length)) expect(joined(pieces)).toBe(text(length));
      }
      expect(ways).toBeGreaterThanOrEqual(length > 12 ? 100 : 2 ** Math.max(0, length - 1));
    }
  });

  test("includes every cut and every size up to 512", () => {
    const ways = new Set([...everyWay(text(13))].map((pieces) => pieces.join("|")));
    for (const pieces of everyCut(text(13))) expect(ways).toContain(pieces.join("|"));
    expect(ways).toContain(text(13));
  });
});
