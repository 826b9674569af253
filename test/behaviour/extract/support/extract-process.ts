import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** A process of `millrace extract` or `millrace worker`. */
export class ExtractProcess {
  /** The most memory that it has used, in bytes. */
  memory = 0;
  private readonly child: ChildProcess;
  private readonly watching: NodeJS.Timeout;
  private errors = "";

  constructor(main: string, args: readonly string[], cwd: string, command: "extract" | "worker" = "extract") {
    this.child = spawn(process.execPath, [main, command, ...args], {
      cwd,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
    });
    this.child.stderr?.on(
      "data",
      (chunk: Buffer) => (this.errors = (this.errors + String(chunk)).slice(-5_000)),
    );
    this.watching = setInterval(() => {
      this.measure();
    }, 200);
  }

  /** Resolves when standard error contains a text. */
  async said(text: string): Promise<void> {
    while (!this.errors.includes(text)) {
      if (this.isOver) throw new Error(`The process has ended: ${this.errors}`);
      await sleep(10);
    }
  }

  /** Ends the process at once, as a crash does. */
  kill(): void {
    this.child.kill("SIGKILL");
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves with the exit code, or `undefined` if it was killed. */
  async ended(): Promise<number | undefined> {
    if (!this.isOver) await once(this.child, "close");
    clearInterval(this.watching);
    const { exitCode } = this.child;
    if (exitCode !== null && exitCode > 1)
      throw new Error(`millrace extract ended with ${exitCode}: ${this.errors}`);
    return exitCode ?? undefined;
  }

  private measure(): void {
    const status = `/proc/${String(this.child.pid)}/status`;
    if (!existsSync(status)) return;
    try {
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8"))?.[1];
      this.memory = Math.max(this.memory, Number(peak ?? 0) * 1_024);
    } catch {
      // it has just ended
    }
  }
}

/** How often each number is in the output, which must consist of whole lines. */
export async function numbersIn(out: string): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  if (!existsSync(out)) return found;
  for await (const line of createInterface({ input: createReadStream(out) })) {
    const { object } = JSON.parse(line) as { readonly object: { readonly n: number } };
    found.set(object.n, (found.get(object.n) ?? 0) + 1);
  }
  return found;
}
