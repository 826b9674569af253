import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddressInfo, createServer } from "node:net";
import { createInterface } from "node:readline";

/** A server for tests: a process with a folder of its own. Both are gone when the test process ends, however it ends. */
export class ServerProcess {
  protected readonly folder: string;
  private readonly stopSignal: NodeJS.Signals;
  private child: ChildProcess | undefined;

  /** @param stopSignal ends the server. The default is like a power failure. */
  constructor(name: string, stopSignal: NodeJS.Signals = "SIGKILL") {
    this.stopSignal = stopSignal;
    this.folder = mkdtempSync(join(tmpdir(), `millrace-${name}-`));
  }

  protected spawn(program: string, args: readonly string[], options: SpawnOptions): void {
    this.child = spawn(program, args, options);
    process.once("exit", this.onExit); // also if the test process is stopped
  }

  /** Resolves when the server prints a line that matches. */
  protected async prints(pattern: RegExp, output: "stdout" | "stderr"): Promise<void> {
    const stream = this.child?.[output];
    if (stream === null || stream === undefined) throw new Error(`The server has no ${output}.`);
    for await (const line of createInterface({ input: stream })) if (pattern.test(line)) break;
    stream.resume();
  }

  /** Pauses and continues the server, like a lost network. */
  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.child?.kill(name);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    process.off("exit", this.onExit);
    if (child?.exitCode !== null) return;
    child.kill(this.stopSignal);
    await once(child, "exit");
  }

  /** Kills the server and removes its folder. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private readonly onExit = (): void => {
    this.child?.kill(this.stopSignal);
    rmSync(this.folder, { recursive: true, force: true });
  };
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
