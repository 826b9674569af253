import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { bundledPrograms } from "../../../support/bundled-programs.js";

const root = join(import.meta.dirname, "../../../..");
/** The bundles, by the names of their programs. */
const bundles = new Map<string, string>();

export function buildPrograms(): void {
  const files = readdirSync(import.meta.dirname).filter((name) =>
    /^((worker|laws|engine)-.*|server|reader)\.ts$/.test(name),
  );
  const built = bundledPrograms(...files.map((name) => join(import.meta.dirname, name)));
  for (const bundle of built) bundles.set(basename(bundle, ".mjs"), bundle);
}

export interface ProgramOptions {
  /** In kilobytes: a write beyond it fails, as on a full disk. */
  readonly maxFileSize?: number;
  /** Default: the Node of the tests. */
  readonly node?: string;
  /** Milliseconds by which the clock of a worker is wrong. */
  readonly clock?: number;
}

/** A program that runs, and the lines it has printed. */
export class Program {
  readonly lines: string[] = [];
  readonly exited: Promise<unknown>;
  private readonly child: ChildProcess;
  private wake: () => void = () => undefined;
  private over = false;

  constructor(name: string, args: readonly string[], options: ProgramOptions = {}) {
    const { maxFileSize = "unlimited", node = process.execPath, clock = 0 } = options;
    const script = `ulimit -f ${maxFileSize}; exec "$0" "$@"`;
    const child = spawn("bash", ["-c", script, node, bundles.get(name) ?? name, ...args], {
      cwd: root,
      env: { ...process.env, MILLRACE_CLOCK: String(clock) },
      stdio: ["pipe", "pipe", process.env["MILLRACE_KILLS"] === undefined ? "ignore" : "inherit"],
    });
    this.child = child;
    process.once("exit", this.kill); // also if the test process is stopped
    createInterface({ input: child.stdout }).on("line", (line) => {
      this.lines.push(line);
      this.wake();
    });
    this.exited = once(child, "close").then(() => {
      this.over = true;
      process.off("exit", this.kill);
      this.wake();
    });
  }

  /** The rest of the first line that begins with one of the words, or `undefined` if the program ends without it. */
  async said(...words: readonly string[]): Promise<{ word: string; rest: string } | undefined> {
    for (;;) {
      for (const line of this.lines) {
        const word = words.find((it) => line.startsWith(`${it} `));
        if (word !== undefined) return { word, rest: line.slice(word.length + 1) };
      }
      if (this.over) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Lets a program go on that waits for a line. */
  goOn(): void {
    this.child.stdin?.write("\n");
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  readonly kill = (): void => {
    this.child.kill("SIGKILL");
  };

  async killed(): Promise<void> {
    this.kill();
    await this.exited;
  }
}
