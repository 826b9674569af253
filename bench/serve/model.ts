/** A model that writes a token of four characters every 20 ms, independent of its reader. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonPatch } from "millrace";

/** Time between patches, in milliseconds. */
export const interval = 20;
/** Patches of each stream that are not measured, until all streams have started and the code is compiled. */
export const warmUp = 100;

/** Concurrent streams. */
export const streams = 1_000;

/** Patches per stream: the warm-up and four seconds. */
export const patches = warmUp + 200;

/**
 * Streams that end before the others begin. V8 drops compiled code when the first stream ends. In a server that has
 * happened long ago; here it was a pause of 60 ms at the end, which decided p99.
 */
export const shortStreams = 400;
/** Patches of each of them. */
export const shortPatches = 8;

/** The first value has the start time. Patch n is due n intervals later. A late patch does not delay the next ones. */
export async function* model(count: number): AsyncGenerator<JsonPatch> {
  const start = millisecondsNow();
  yield [{ op: "replace", path: "", value: { start, text: "" } }];
  for (let number = 1; number <= count; number++) {
    const early = start + number * interval - millisecondsNow();
    if (early > 0) await sleep(Math.ceil(early)); // a timer of 1.9 ms fires after 1 ms
    yield [{ op: "append", path: "/text", value: "abcd" }];
  }
}

/** A clock that all processes of the machine share. */
export function millisecondsNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
