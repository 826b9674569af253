/** The program that compares both readers in Bun, Deno and Chromium. `elsewhere.ts` bundles it. */
import { jsonParser } from "millrace";
import { parse } from "jsonriver";
import { arriving, drain } from "../source-and-sink.js";
import type { Reader } from "./programs.js";

const { patches } = jsonParser();
const readers: Readonly<Record<Reader, (chunks: readonly string[]) => Promise<unknown>>> = {
  patches: (chunks) => drain(patches(arriving(chunks))),
  jsonriver: (chunks) => drain(parse(arriving(chunks))),
};

/** How many times as fast as jsonriver ours is. The two take turns; the first ones warm up. */
async function measure(chunks: readonly string[], milliseconds: number): Promise<number> {
  const spent = { patches: 0, jsonriver: 0 };
  const begin = performance.now();
  for (let isWarm = false; ; isWarm ||= performance.now() - begin > milliseconds) {
    for (const reader of ["patches", "jsonriver"] as const) {
      const start = performance.now();
      await readers[reader](chunks);
      if (isWarm) spent[reader] += performance.now() - start;
    }
    if (performance.now() - begin > 3 * milliseconds) return spent.jsonriver / spent.patches;
  }
}

Object.assign(globalThis, { measure });
