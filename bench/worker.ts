/**
 * The process that measures one case: `worker.js SUITE CASE MILLISECONDS`. Prints nanoseconds per unit, or what the case
 * counts.
 *
 * It warms up for six times the time, so that the figures are those of compiled code, and then takes the median of as many
 * samples as fit into the time, one at least. A sample is one pass, or as many as take 10 ms: with shorter ones the
 * median would leave out the garbage collection, which falls on few of them. A pass of ten times the time, as those have
 * that parse all of the text again on each chunk, is compiled long before its end: the first is the figure.
 */
import { medianOf } from "./statistics.js";
import type { Pass } from "./suite.js";
import { suites } from "./suites.js";

const sampleMilliseconds = 10;
const warmUp = 6;

const [suiteName, id, milliseconds] = process.argv.slice(2);
const found = suites.find(({ name }) => name === suiteName)?.cases.find((it) => it.id === id);
if (found === undefined) throw new Error(`The suite ${suiteName} has no case ${id}`);
console.log("count" in found ? await found.count() : await timeOf(await found.load(), Number(milliseconds)));

async function timeOf(pass: Pass, budget: number): Promise<number> {
  const start = performance.now();
  const units = await pass();
  const first = performance.now() - start;
  if (first > budget * 10) return (first * 1e6) / units;
  while (performance.now() < start + budget * warmUp) await pass();

  const samples: number[] = [];
  for (const end = performance.now() + budget; samples.length === 0 || performance.now() < end;) {
    samples.push(await sampleOf(pass));
  }
  return medianOf(samples);
}

async function sampleOf(pass: Pass): Promise<number> {
  const start = performance.now();
  let units = 0;
  let elapsed = 0;
  while (elapsed < sampleMilliseconds) {
    units += await pass();
    elapsed = performance.now() - start;
  }
  return (elapsed * 1e6) / units;
}
