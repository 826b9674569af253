/**
 * The process that measures one case: `worker.js SUITE CASE`. It sends `ready`. It answers each message, a number of
 * milliseconds, with one sample: nanoseconds per unit over at least one pass, or the count.
 */
import { groupsOf, type Work } from "./suite.js";
import { suites } from "./suites.js";

const [suiteName, id] = process.argv.slice(2);
const suite = suites.find(({ name }) => name === suiteName);
const found =
  suite &&
  groupsOf(suite)
    .flat()
    .find((it) => it.id === id);
if (found === undefined) throw new Error(`The suite ${suiteName} has no case ${id}`);
const sample = "count" in found ? () => found.count() : sampleOf(await found.load());
process.on("message", (milliseconds: number) => {
  void sample(milliseconds).then((figure) => process.send?.(figure));
});
process.send?.("ready");

function sampleOf(work: Work): (milliseconds: number) => Promise<number> {
  return async (milliseconds) => {
    const start = performance.now();
    let units = 0;
    let elapsed = 0;
    do {
      await work.run();
      units += work.units;
      elapsed = performance.now() - start;
    } while (elapsed < milliseconds);
    return (elapsed * 1e6) / units;
  };
}
