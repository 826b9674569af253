/** Measures the built package and other libraries, see start.ts. */
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { checkNames, refuse, scriptArguments } from "../scripts/script-arguments.js";
import { measure } from "./harness/measure.js";
import { reportOf } from "./harness/report.js";
import { type Group, groupsOf, type Suite } from "./harness/suite.js";
import { suites } from "./suites.js";
import { topics } from "./topics.js";

const { values, positionals } = scriptArguments({
  smoke: { type: "boolean", default: false },
  rounds: { type: "string" },
  only: { type: "string", default: "" },
  write: { type: "boolean", default: false },
});
const { smoke, only, write } = values;
const rounds = Number(values.rounds ?? (smoke ? 1 : 3));
if (!(rounds >= 1)) refuse("--rounds must be a number of 1 or more.");
if (write && (smoke || only !== "")) refuse("--write needs a complete run, without --smoke or --only.");

const all = Object.keys(topics);
checkNames(
  "suite",
  all,
  suites.map(({ name }) => name),
);
const names = positionals.length > 0 ? positionals : smoke ? all : ["summary"];
checkNames("benchmark", names, all);
const chosen = suites.filter(({ name }) => names.includes(name));
for (const suite of chosen) {
  if (selected(suite).length === 0) refuse(`No case of ${suite.name} contains "${only}".`);
}

for (const suite of chosen) {
  const { name } = suite;
  const milliseconds = smoke ? 0 : (suite.milliseconds ?? 300);
  const results = await measure(name, selected(suite), rounds, milliseconds);
  const each = `${rounds} ${rounds === 1 ? "round" : "interleaved rounds"}, each case in a fresh process`;
  const heading = `# npm run bench ${name}\n\n${machine()}; ${each}; medians (and ranges)`;
  const report = `${heading}\n\n${reportOf(suite, results)}\n`;
  console.log(report);
  if (write) writeFileSync(`docs/internals/benchmarks/${name}.md`, report);
}

/** The groups of a suite without the cases that `--only` and `--smoke` leave out. */
function selected(suite: Suite): readonly Group[] {
  const isSelected = (id: string): boolean => id.includes(only) && (!smoke || suite.smoke.test(id));
  const groups = groupsOf(suite).map((group) => group.filter(({ id }) => isSelected(id)));
  return groups.filter(({ length }) => length > 0);
}

/** The machine and the date. */
function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const date = new Date().toISOString().slice(0, 10);
  return `${model}, ${processors.length} cores, ${memory}; Node ${process.version}, ${process.platform}; ${date}`;
}
