/**
 * `npm run bench [-- SUITE… [options]]`: measures the built package and its peers.
 *
 * --smoke          one quick round of a few cases: shows that everything runs, its figures mean little
 * --rounds N       rounds (5)
 * --time MS        how long a case is measured in each round (what the suite says)
 * --only TEXT      only the cases with this in their name
 * --write          also writes docs/benchmarks/<suite>.md, and <suite>.svg if the suite has a plot; of a whole run only
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { checkNames, refuse, scriptArguments } from "../scripts/script-arguments.js";
import { parseArguments } from "../src/cli/commands/arguments.js";
import { machine, measure } from "./harness.js";
import { suites } from "./suites.js";

const { values, positionals } = scriptArguments((argv) =>
  parseArguments(argv, {
    smoke: { type: "boolean", default: false },
    rounds: { type: "string" },
    time: { type: "string" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  }),
);
const { smoke, only, write } = values;
const rounds = Number(values.rounds ?? (smoke ? 1 : 5));
const time = values.time === undefined ? undefined : Number(values.time);
if (!(rounds >= 1 && (time === undefined || time >= 1))) {
  refuse("--rounds and --time must be numbers of 1 or more.");
}
if (write && (smoke || only !== "")) {
  refuse("--write is for a whole run: --smoke and --only measure a part of it.");
}

const all = suites.map(({ name }) => name);
const names = positionals.length > 0 ? positionals : smoke ? all : ["json"];
checkNames("benchmark", names, all);

const chosen = suites
  .filter(({ name }) => names.includes(name))
  .map((suite) => ({
    suite,
    cases: suite.cases.filter(({ id }) => id.includes(only) && (!smoke || suite.smoke(id))),
  }));
for (const { suite, cases } of chosen)
  if (cases.length === 0) refuse(`No case of ${suite.name} has "${only}" in its name.`);

for (const { suite, cases } of chosen) {
  const { name } = suite;
  const milliseconds = time ?? (smoke ? 20 : suite.milliseconds);
  const results = await measure(suite, cases, { rounds, milliseconds, onProgress: showProgress });
  showProgress("");

  const each = `${rounds} ${rounds === 1 ? "round" : "interleaved rounds"}, each case in a fresh process`;
  const thrice = suite.decisive === undefined ? "" : ", those of the goals in three a round";
  const heading = `# npm run bench ${name}\n\n${machine()}; ${each}${thrice}; medians (and ranges)\n`;
  const report = `${heading}\n${suite.report(results)}\n`;
  const plot = suite.plot?.(results);
  console.log(report);
  if (write) {
    mkdirSync("docs/benchmarks", { recursive: true });
    writeFileSync(
      `docs/benchmarks/${name}.md`,
      plot === undefined ? report : `${report}\n![${name}](${name}.svg)\n`,
    );
    if (plot !== undefined) writeFileSync(`docs/benchmarks/${name}.svg`, plot);
  }
}

/** On a terminal only, over itself. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
