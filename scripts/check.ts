/**
 * `npm run check [-- [--tested CODE] [GATE…]]`: runs every gate, or the named ones, also after a failure. With
 * `--tested CODE` the tests are not run again: they have just ended with that exit code and left their counts.
 *
 * The last line is `N passed, N failed`: the tests of each run, and each gate as one.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { parseArguments } from "../src/cli/commands/arguments.js";
import { gates, type Gate } from "./gates.js";
import { checkNames, scriptArguments } from "./script-arguments.js";

/** Lines shown of a failed gate. The reason is at the end of its output, which may have megabytes. */
const shownLines = 300;

const { values, positionals } = scriptArguments((argv) =>
  parseArguments(argv, { tested: { type: "string" } }),
);
checkNames(
  "gate",
  positionals,
  gates.map(({ name }) => name),
);

if (values.tested === undefined) rmSync("temp/check", { recursive: true, force: true });
mkdirSync("temp/check", { recursive: true });

let passed = 0;
let failed = 0;
const broken: string[] = [];
for (const gate of gates) {
  if (positionals.length > 0 && !positionals.includes(gate.name)) continue;
  const start = performance.now();
  const testsCode = gate.name === "tests" ? values.tested : undefined;
  const { code, output } =
    testsCode === undefined ? await run(gate) : { code: Number(testsCode), output: "" };
  const counted = gate.counts === undefined ? { passed: 0, failed: 0 } : countsIn(gate.counts);
  const ok = code === 0 && counted !== undefined;
  passed += (counted?.passed ?? 0) + (ok ? 1 : 0);
  failed += (counted?.failed ?? 0) + (ok ? 0 : 1);
  if (!ok) broken.push(gate.name);

  const tests = gate.counts === undefined ? "" : `, ${counted?.passed ?? 0} tests`;
  console.log(
    `${ok ? "✓" : "✗"} ${gate.name} (${((performance.now() - start) / 1000).toFixed(1)} s${tests})`,
  );
  if (!ok || gate.show === true) console.log(tailOf(output));
}

if (broken.length > 0) console.log(`\nFailed: ${broken.join(", ")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run({ command, env }: Gate): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", ...env },
    });
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stderr.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(pieces).toString() }));
  });
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The counts of a vitest report. A missing or empty report means that the tests did not run, whatever the exit code is.
 */
function countsIn(report: string): Counts | undefined {
  if (!existsSync(report)) return undefined;
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8")) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
  };
  return numPassedTests + numFailedTests === 0
    ? undefined
    : { passed: numPassedTests, failed: numFailedTests };
}

function tailOf(output: string): string {
  const lines = output.trimEnd().split("\n");
  const left = lines.length - shownLines;
  const shown = left > 0 ? [`… ${left} lines before …`, ...lines.slice(left)] : lines;
  return shown.map((line) => `  ${line}`).join("\n");
}
