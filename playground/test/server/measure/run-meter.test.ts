import { collect, from, jsonParser, pipe, systemClock } from "millrace";
import type { Point } from "../../../src/protocol.js";
import { expect, test } from "vitest";
import { RunMeter } from "../../../src/server/measure/run-meter.js";
import { TraceWriter } from "../../../src/server/trace-writer.js";

test("what is parsed is counted in characters, so the same run has the same figures", async () => {
  const writer = new TraceWriter(null, systemClock);
  const points: Point[] = [];
  writer.chunk = (_, point) => void points.push(point);
  const { before, after } = new RunMeter(writer);
  await collect(pipe(from(['{"a": ', '"bcd', '"}']), before, jsonParser().patches, after));
  expect(points.map(({ characters, again }) => [characters, again])).toEqual([
    [6, 6],
    [10, 16],
    [12, 28],
  ]);
});
