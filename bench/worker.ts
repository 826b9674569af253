/**
 * The process that measures one case, or the cases of a group: `worker.js SUITE MILLISECONDS CASE…`. Prints for each, in a
 * line, nanoseconds per unit, or what the case counts.
 *
 * It warms up for six times the time, so that the figures are those of compiled code, and then takes the median of as many
 * samples as fit into the time, one at least; those of a group take turns. A sample is one pass, or as many as take 10 ms:
 * with shorter ones the median would leave out the garbage collection, which falls on few of them. A pass of ten times the
 * time, as those have that parse all of the text again on each chunk, is compiled long before its end: the first is the
 * figure.
 */
import { medianOf } from "./statistics.js";
import type { Case, Pass } from "./suite.js";
import { suites } from "./suites.js";

const sampleMilliseconds = 10;
const warmUp = 6;

const [suiteName, milliseconds, ...ids] = process.argv.slice(2);
const cases = ids.map(caseOf);
const [first] = cases;
if (first !== undefined && "count" in first) console.log(await first.count());
else console.log((await timesOf(await Promise.all(cases.map(load)), Number(milliseconds))).join("\n"));

function caseOf(id: string): Case {
  const found = suites.find(({ name }) => name === suiteName)?.cases.find((it) => it.id === id);
  if (found === undefined) throw new Error(`The suite ${suiteName} has no case ${id}`);
  return found;
}

function load(it: Case): Promise<Pass> {
  if ("count" in it) throw new Error(`${it.id} counts, and is not timed`);
  return it.load();
}

/** @param time for each of them, in milliseconds */
async function timesOf(passes: readonly Pass[], time: number): Promise<readonly number[]> {
  const budget = time * passes.length;
  const start = performance.now();
  const firsts: number[] = [];
  for (const pass of passes) firsts.push(await sampleOf(pass, 0));
  if (performance.now() - start > budget * 10) return firsts;
  while (performance.now() < start + budget * warmUp) for (const pass of passes) await pass();

  const samples: number[][] = passes.map(() => []);
  const end = performance.now() + budget;
  do {
    for (const [i, pass] of passes.entries()) samples[i]?.push(await sampleOf(pass, sampleMilliseconds));
  } while (performance.now() < end);
  return samples.map(medianOf);
}

/** As many passes as take this time, one at least: nanoseconds per unit. */
async function sampleOf(pass: Pass, least: number): Promise<number> {
  const start = performance.now();
  let units = 0;
  let elapsed = 0;
  do {
    units += await pass();
    elapsed = performance.now() - start;
  } while (elapsed < least);
  return (elapsed * 1e6) / units;
}
