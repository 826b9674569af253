/**
 * `npm run bench`: answers `--help` at once; otherwise builds the package and what measures it, and runs that. `--smoke`
 * takes the build that is there.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { topics } from "./topics.js";

const help = `npm run bench [-- SUITE… [options]]

Measures the built package beside other libraries: each case in fresh processes, interleaved. Read the ratios.

Suites
${Object.entries(topics)
  .map(([name, text]) => `  ${name.padEnd(10)}${text}`)
  .join("\n")}

Options
  --smoke       one quick round of a few cases: checks that everything runs in the last build;
                ignore its figures
  --rounds N    rounds (3)
  --only TEXT   only cases whose name contains the text
  --write       also writes docs/internals/benchmarks/SUITE.md; only for complete runs`;

const words = process.argv.slice(2);
if (words.some((word) => word === "--help" || word === "-h")) console.log(help);
else {
  const entries = ["main", "worker", "thread"].map((name) => `bench/${name}.ts`);
  const bundling = [
    "--bundle",
    "--packages=external",
    "--tsconfig-raw={}",
    "--platform=node",
    "--format=esm",
  ];
  if (!words.includes("--smoke") || !existsSync("dist/index.js")) run("npm", ["run", "--silent", "build"]);
  run("npx", ["esbuild", ...entries, ...bundling, "--outdir=temp/bench", "--log-level=warning"]);
  run(process.execPath, ["temp/bench/main.js", ...words]);
}

/** Runs a program. If it fails, ends this one with its exit code. */
function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
