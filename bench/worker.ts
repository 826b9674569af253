/**
 * The process that measures one case: `worker.js SUITE CASE MILLISECONDS`. Prints nanoseconds per unit.
 *
 * It warms up for half the time, so that the figures are those of compiled code, and then takes the median of as many
 * passes as fit into the time, three at least.
 */
import { medianOf } from "./statistics.js";
import { suites } from "./suites.js";

const [suiteName, id, milliseconds] = process.argv.slice(2);
const found = suites.find(({ name }) => name === suiteName)?.cases.find((it) => it.id === id);
if (found === undefined) throw new Error(`The suite ${suiteName} has no case ${id}`);
const budget = Number(milliseconds);

const pass = await found.load();
for (const end = performance.now() + budget / 2; performance.now() < end;) await pass();

const figures: number[] = [];
for (const end = performance.now() + budget; figures.length < 3 || performance.now() < end;) {
  const start = performance.now();
  const units = await pass();
  figures.push(((performance.now() - start) * 1e6) / units);
}
console.log(medianOf(figures));
