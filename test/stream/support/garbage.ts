import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { turn } from "./hand-fed.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as (
  options?: { type: "major"; execution: "async" } | { type: "minor" },
) => unknown;

/**
 * How many of the objects are still in memory. One collection may miss an object that a register or the current job
 * still holds, so this collects again until all are gone, or until the objects have survived ten collections.
 */
export async function countHeld(objects: readonly WeakRef<object>[]): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    await collectFromAnEmptyStack();
    const held = objects.filter((object) => object.deref() !== undefined).length;
    if (held === 0 || attempt === 10) return held;
  }
}

/** Bytes in use, once collecting again frees no more. */
export async function settledHeap(): Promise<number> {
  let bytes = Infinity;
  for (let attempt = 1; ; attempt++) {
    await collectFromAnEmptyStack();
    const before = bytes;
    bytes = process.memoryUsage().heapUsed;
    if (before - bytes < 50_000 || attempt === 10) return bytes;
  }
}

/** Bytes in use after one collection, for code that cannot wait. */
export function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Bytes in use after two scavenges, which free only what no object of the old space can reach. */
export async function scavengedHeap(): Promise<number> {
  await turn();
  collectGarbage({ type: "minor" });
  collectGarbage({ type: "minor" });
  return process.memoryUsage().heapUsed;
}

/** `deref()` and `new WeakRef()` hold their object until the end of the job, so a turn comes first. */
async function collectFromAnEmptyStack(): Promise<void> {
  await turn();
  await collectGarbage({ type: "major", execution: "async" });
}
