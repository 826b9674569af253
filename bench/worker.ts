/**
 * The process that measures one case: `worker.js SUITE CASE MILLISECONDS`. Prints nanoseconds per unit.
 *
 * It warms up for half the time, so that the figures are those of compiled code, and then takes the median of as many
 * samples as fit into the time, one at least. A sample is one pass, or as many as take 10 ms: with shorter ones the
 * median would leave out the garbage collection, which falls on few of them.
 */
import { medianOf } from "./statistics.js";
import { suites } from "./suites.js";

const sampleMilliseconds = 10;

const [suiteName, id, milliseconds] = process.argv.slice(2);
const found = suites.find(({ name }) => name === suiteName)?.cases.find((it) => it.id === id);
if (found === undefined) throw new Error(`The suite ${suiteName} has no case ${id}`);
const budget = Number(milliseconds);
const pass = await found.load();

for (const end = performance.now() + budget / 2; performance.now() < end;) await pass();

const samples: number[] = [];
for (const end = performance.now() + budget; samples.length === 0 || performance.now() < end;) {
  samples.push(await sample());
}
console.log(medianOf(samples));

async function sample(): Promise<number> {
  const start = performance.now();
  let units = 0;
  let elapsed = 0;
  while (elapsed < sampleMilliseconds) {
    units += await pass();
    elapsed = performance.now() - start;
  }
  return (elapsed * 1e6) / units;
}
