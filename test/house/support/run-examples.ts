import { fork } from "node:child_process";
import { once } from "node:events";
import type { ExampleReport } from "./example-runner.js";

/** Milliseconds that one program may take. */
const timeout = 20_000;

/**
 * Runs programs in one process, one after the other. A program that ends the process, or does not end, has failed; the
 * others continue in a new process.
 *
 * @param runner the bundled example-runner.ts
 */
export async function runExamples(
  runner: string,
  programs: readonly string[],
  cwd: string,
): Promise<ReadonlyMap<string, ExampleReport>> {
  const reports = new Map<string, ExampleReport>();
  for (;;) {
    const left = programs.filter((program) => !reports.has(program));
    const [first] = left;
    if (first === undefined) return reports;
    // No keys and no proxies: an example needs neither.
    const { PATH } = process.env;
    const child = fork(runner, left, {
      cwd,
      env: { ...(PATH !== undefined && { PATH }) },
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const kill = (): void => void child.kill("SIGKILL");
    let timer = setTimeout(kill, timeout);
    child.on("message", (report: ExampleReport) => {
      reports.set(report.program, report);
      clearTimeout(timer);
      timer = setTimeout(kill, timeout);
    });
    await once(child, "close");
    clearTimeout(timer);
    const failed = left.find((program) => !reports.has(program));
    if (failed !== undefined)
      reports.set(failed, {
        program: failed,
        printed: "",
        problem: "It ended the process, or took too long.",
      });
  }
}
