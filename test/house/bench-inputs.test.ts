import { describe, expect, test } from "vitest";
import { inputs, type MakeInput } from "../../bench/inputs.js";
import { randomOf } from "../../bench/random.js";

const sizes = [8 * 1024, 128 * 1024];

describe("the documents of the benchmarks", () => {
  for (const [name, make] of Object.entries(inputs) as [string, MakeInput][]) {
    for (const size of sizes) {
      test(`${name} of ${size} characters is JSON of that size`, () => {
        const text = make(size);
        expect(() => JSON.parse(text) as unknown).not.toThrow();
        expect(text.length).toBeGreaterThanOrEqual(size);
        expect(text.length).toBeLessThan(size + 1024);
      });
    }

    test(`${name} is the same for the same seed and another for another`, () => {
      expect(make(8192)).toBe(make(8192));
      expect(make(8192, 100)).toBe(make(8192, 100));
      expect(make(8192, 100)).not.toBe(make(8192, 101));
    });
  }

  test("are what their names say", () => {
    const config = JSON.parse(inputs.config(8192)) as { services: unknown[] };
    expect(depthOf(config.services[0])).toBe(14);
    expect(new Set(config.services.flatMap(keysOf)).size).toBe(22); // "enabled", "limit" and twenty sections
    const strings = JSON.parse(inputs.strings(8192)) as { chapters: { text: string }[] };
    expect(strings.chapters.map(({ text }) => text.length > 1500)).toEqual([true, true, true, true]);
    expect(inputs.strings(8192)).toMatch(/\\n.*\\".*\\\\/s);
    const orders = JSON.parse(inputs.orders(8192)) as { orders: Record<string, object> };
    expect(new Set(Object.values(orders.orders).map((order) => Object.keys(order).length))).toEqual(
      new Set([20]),
    );
  });
});

test("the random numbers are in [0, 1), spread, and never stuck", () => {
  for (const seed of [0, 1, -1, 2 ** 31]) {
    const random = randomOf(seed);
    const values = Array.from({ length: 10_000 }, random);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(values.reduce((a, b) => a + b) / values.length).toBeCloseTo(0.5, 1);
    expect(new Set(values).size).toBeGreaterThan(9_900);
  }
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(keysOf)];
}
