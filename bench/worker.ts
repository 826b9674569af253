/**
 * The process that measures one case: `worker.js SUITE CASE`. It sends `ready`. It answers each message, a number of
 * milliseconds, with a sample of at least that time.
 */
import { type Case, groupsOf, type Suite } from "./harness/suite.js";
import { suites } from "./suites.js";

const [suiteName, id] = process.argv.slice(2);
const suite = suites.find(({ name }) => name === suiteName) as Suite;
const cases = groupsOf(suite).flat();
const sample = await (cases.find((it) => it.id === id) as Case).load();
process.on("message", (milliseconds: number) => {
  void sample(milliseconds).then((figure) => process.send?.(figure));
});
process.send?.("ready");
