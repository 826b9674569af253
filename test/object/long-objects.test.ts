import { collect, createAgent, streamObject } from "millrace";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

describe("the views of a long object", () => {
  // With a snapshot for each item, this takes minutes.
  test("yield 100,000 items, one in each chunk", async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => `${n === 0 ? "" : ","}[${n}]`);
    const model = scriptedModel(['{"a": [', ...items, "]}"]);
    const schema = z.object({ a: z.array(z.array(z.number())) });
    const stream = streamObject({ model, schema, prompt: "" });
    expect(await collect(stream.items("/a"))).toHaveLength(100_000);
  });

  test("show hundreds of thousands of changes in one chunk", async () => {
    const model = scriptedModel(['{"a": [1', ",1".repeat(200_000), "]}"]);
    const schema = z.object({ a: z.array(z.number()) });
    const seen = await collect(streamObject({ model, schema, prompt: "" }).partials);
    expect(seen.at(-1)?.a).toHaveLength(200_001);
  });

  // With a partial for each chunk, this takes minutes.
  test("yield fewer partials of a wide object, and the last one is whole", async () => {
    const members = Array.from({ length: 20_000 }, (_, n): [string, number] => [`k${n}`, n]);
    const chunks = members.map(([key, n]) => `${n === 0 ? "" : ","}"${key}":${n}`);
    const schema = z.record(z.string(), z.number());
    for (const partials of [
      streamObject({ model: scriptedModel(["{", ...chunks, "}"]), schema, prompt: "" }).partials,
      createAgent({ model: scriptedModel(["{", ...chunks, "}"]), responseFormat: schema }).partials(""),
    ]) {
      const seen = await collect(partials);
      expect(seen.length).toBeGreaterThan(128);
      expect(seen.length).toBeLessThan(1_000);
      expect(seen.at(-1)).toEqual(Object.fromEntries(members));
    }
  });
});
