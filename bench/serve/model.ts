/** What streams: a model that writes a token of four characters each 20 ms, whoever reads. */
import type { JsonPatch } from "millrace";

/** From one patch to the next, in milliseconds. */
export const interval = 20;
/** Patches of each stream that do not count: until all have begun and the code is compiled. */
export const warmUp = 100;

/** The value that a stream begins with. */
export interface First {
  /** When, by `millisecondsNow()`. The patch of number n is due n intervals later. */
  readonly start: number;
  readonly text: "";
}

/** What a process of many clients has to tell. */
export interface Received {
  readonly patches: number;
  /** How many streams came to their end with the right value. */
  readonly whole: number;
  /** Milliseconds from when a patch was due to when it was read. */
  readonly median: number;
  readonly p99: number;
}

/** A patch that is late does not put off those after it: the model writes on. */
export async function* model(patches: number): AsyncGenerator<JsonPatch> {
  const first: First = { start: millisecondsNow(), text: "" };
  yield [{ op: "replace", path: "", value: { ...first } }];
  for (let number = 1; number <= patches; number++) {
    const early = first.start + number * interval - millisecondsNow();
    if (early > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, early);
      });
    }
    yield [{ op: "append", path: "/text", value: "abcd" }];
  }
}

/** On the clock that all processes of the machine share. */
export function millisecondsNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
