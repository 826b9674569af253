/**
 * `npm run check [-- [--tested CODE] [PART…] [GATE…]]`: runs every gate, or the named ones, also after a failure. A part
 * is `tests`, `gates` or `services`. With `--tested CODE` the tests are not run again: they have just ended with that
 * exit code and left their counts.
 *
 * The last line is `N passed, N failed`: the tests of each run, and each gate as one.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { gates, parts, type Gate } from "./gates.js";
import { checkNames, scriptArguments } from "./script-arguments.js";

/** Lines shown of a failed gate. The reason is at the end of its output, which may have megabytes. */
const shownLines = 300;

const { values, positionals } = scriptArguments({ tested: { type: "string" } });
checkNames("gate or part", positionals, [...new Set([...parts, ...gates.map(({ name }) => name)])]);
const chosen = gates.filter(
  ({ name, part = "gates" }) =>
    positionals.length === 0 || positionals.includes(name) || positionals.includes(part),
);

if (values.tested === undefined) rmSync("temp/check", { recursive: true, force: true });
mkdirSync("temp/check", { recursive: true });

let passed = 0;
let failed = 0;
const broken: string[] = [];
const failedTests: string[] = [];
while (chosen.length > 0) {
  if (chosen[0]?.alone === true) await check(chosen.shift() as Gate);
  else await Promise.all(Array.from({ length: availableParallelism() }, checkSideBySide));
}

if (broken.length > 0) console.log(`\nFailed: ${broken.join(", ")}`);
// Again at the end, because logs are often cut off at their beginning.
for (const test of failedTests) console.log(`  ${test}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Checks one of the next gates after the other, beside others that do the same. */
async function checkSideBySide(): Promise<void> {
  while (chosen[0] !== undefined && chosen[0].alone !== true) await check(chosen.shift() as Gate);
}

async function check(gate: Gate): Promise<void> {
  const start = performance.now();
  const testsCode = gate.name === "tests" ? values.tested : undefined;
  const { code, output } =
    testsCode === undefined ? await run(gate) : { code: Number(testsCode), output: "" };
  const counted =
    gate.counts === undefined ? { passed: 0, failed: 0, failedTests: [] } : countsIn(gate.counts);
  const ok = code === 0 && counted !== undefined;
  passed += (counted?.passed ?? 0) + (ok ? 1 : 0);
  failed += (counted?.failed ?? 0) + (ok ? 0 : 1);
  if (!ok) broken.push(gate.name);
  failedTests.push(...(counted?.failedTests ?? []));

  const tests = gate.counts === undefined ? "" : `, ${counted?.passed ?? 0} tests`;
  console.log(
    `${ok ? "✓" : "✗"} ${gate.name} (${((performance.now() - start) / 1000).toFixed(1)} s${tests})`,
  );
  if (!ok || gate.show === true) console.log(tailOf(output));
}

async function run({ command }: Gate): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1" },
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
  /** The names of the failed tests, each with the first line of its error. */
  readonly failedTests: readonly string[];
}

/** The part of a vitest report that is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/**
 * The counts of a vitest report. A missing or empty report means that the tests did not run, whatever the exit code is.
 */
function countsIn(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const report = JSON.parse(readFileSync(path, "utf8")) as Report;
  const { numPassedTests: passed, numFailedTests: failed } = report;
  if (passed + failed === 0) return undefined;
  const failedTests = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(".", name);
    const failures = assertionResults.filter((it) => it.status === "failed");
    if (failures.length === 0) return status === "failed" ? [`${file}: ${firstLine(message)}`] : [];
    return failures.map((it) => `${file} > ${it.fullName}: ${firstLine(it.failureMessages[0] ?? "")}`);
  });
  return { passed, failed, failedTests };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function tailOf(output: string): string {
  const lines = output.trimEnd().split("\n");
  const left = lines.length - shownLines;
  const shown = left > 0 ? [`… ${left} lines before …`, ...lines.slice(left)] : lines;
  return shown.map((line) => `  ${line}`).join("\n");
}
