/** The program that compares both readers in Bun, Deno and Chromium. `elsewhere.ts` bundles it. */
import { parse } from "jsonriver";
import { jsonParser } from "millrace";
import { arriving, drain } from "../reading.js";

const readers = [jsonParser().patches, parse] as const;

/** How many times as fast as jsonriver ours is. The two take turns; the first ones warm up. */
async function measure(chunks: readonly string[], milliseconds: number): Promise<number> {
  const spent: [ours: number, theirs: number] = [0, 0];
  const begin = performance.now();
  for (let isWarm = false; ; isWarm ||= performance.now() - begin > milliseconds) {
    for (const reader of [0, 1] as const) {
      const start = performance.now();
      await drain(readers[reader](arriving(chunks)));
      if (isWarm) spent[reader] += performance.now() - start;
    }
    if (isWarm && performance.now() - begin > 3 * milliseconds) return spent[1] / spent[0];
  }
}

Object.assign(globalThis, { measure });
