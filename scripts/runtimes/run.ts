import { spawn } from "node:child_process";

/** The options of `run()`. */
export interface RunOptions {
  readonly cwd: string;
  /** Added to the few variables that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. Default: empty. */
  readonly input?: string;
  /** Milliseconds; 60,000 by default. */
  readonly timeout?: number;
}

/** The outcome of a program. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end. Its environment has only the variables that programs need to be found and to keep their
 * caches, and no keys.
 *
 * @throws {Error} if it cannot be started, or takes too long
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, env, input, timeout = 60_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...plainEnvironment(), ...env }, timeout });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === null) resolve({ code, ...said });
      else reject(new Error(`${command} was ended by ${signal}.\n${said.stdout}${said.stderr}`));
    });
    child.stdin.on("error", () => {}); // the program has ended without reading
    child.stdin.end(input ?? "");
  });
}

/** Runs a program that must succeed. Returns its standard output. */
export async function print(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code === 0) return stdout;
  throw new Error(`${[command, ...args].join(" ")} ended with code ${String(code)}.\n${stdout}${stderr}`);
}

/** @throws {Error} with both texts, if they differ in more than the space at their ends */
export function expectSame(printed: string, expected: string): void {
  if (printed.trimEnd() === expected.trimEnd()) return;
  throw new Error(`It printed\n\n${printed.trimEnd()}\n\nand not\n\n${expected.trimEnd()}`);
}

function plainEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "SystemRoot"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
}
