import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { manualClock } from "millrace/testing";
import { expect, test } from "vitest";
import type { Point, Trace } from "../../src/protocol.js";
import { TraceWriter } from "../../src/server/trace-writer.js";

const atOnce = {
  now: () => 0,
  setTimeout: (callback: () => void) => {
    callback();
  },
  clearTimeout: () => {},
};

function pointAt(chunks: number): Point {
  const rest = {
    characters: chunks,
    patches: 0,
    append: 0,
    replace: 0,
    snapshot: 0,
    again: 0,
    ahead: 0,
  };
  return { chunks, ...rest };
}

test("thins out many points, and keeps the last one", async () => {
  const writer = new TraceWriter(null, atOnce);
  const patches = writer.patches();
  let value = applyPatch(undefined, (await patches.next()).value ?? []);
  for (let i = 1; i <= 3_000; i++) {
    writer.chunk("x", pointAt(i));
    value = applyPatch(value, (await patches.next()).value ?? []);
    const { points } = value as unknown as Trace;
    expect(points.at(-1)?.chunks).toBe(i);
    expect(points.length).toBeLessThanOrEqual(600);
  }
  const { points, text } = value as unknown as Trace;
  expect([points[0]?.chunks, text.length]).toEqual([1, 3_000]);
});

test("joins the changes within a frame into one patch; the end is written at once", async () => {
  const clock = manualClock();
  const writer = new TraceWriter(10, clock);
  const patches = writer.patches();
  let value: JsonValue | undefined = applyPatch(undefined, (await patches.next()).value ?? []);
  const next = patches.next();
  for (let i = 1; i <= 5; i++) writer.chunk("x", pointAt(i));
  writer.repair({ kind: "quote", offset: 3, near: "'" });
  const refused = { code: "schema", message: "Operation 1: …", offset: 4 } as const;
  writer.refuse(refused);
  writer.close({ kind: "complete" });
  value = applyPatch(value, (await next).value ?? []);
  expect(value).toEqual({
    text: "xxxxx",
    total: 10,
    points: [pointAt(5)],
    repairs: [{ kind: "quote", offset: 3, near: "'" }],
    refused: [refused],
    end: { kind: "complete" },
  });
  expect((await patches.next()).done).toBe(true);
});
