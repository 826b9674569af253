/**
 * The process that measures one case: `worker.js SUITE CASE`. It sends `ready`. It answers each message, a number of
 * milliseconds, with one sample: nanoseconds per unit over at least one run, or the count.
 */
import { type Case, groupsOf, type Suite, type Work } from "./suite.js";
import { suites } from "./suites.js";

const [suiteName, id] = process.argv.slice(2);
const suite = suites.find(({ name }) => name === suiteName) as Suite;
const cases = groupsOf(suite).flat();
const found = cases.find((it) => it.id === id) as Case;
const sample = "count" in found ? () => found.count() : sampleOf(await found.load());
process.on("message", (milliseconds: number) => {
  void sample(milliseconds).then((figure) => process.send?.(figure));
});
process.send?.("ready");

function sampleOf({ units, prepare, run }: Work): (milliseconds: number) => Promise<number> {
  return async (milliseconds) => {
    let elapsed = 0;
    for (let runs = 1; ; runs++) {
      prepare?.();
      const start = performance.now();
      await run();
      elapsed += performance.now() - start;
      if (elapsed >= milliseconds) return (elapsed * 1e6) / (runs * units);
    }
  };
}
