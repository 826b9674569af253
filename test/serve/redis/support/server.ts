import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { describe } from "vitest";

const program = process.env["REDIS_SERVER_PATH"] ?? "redis-server";
/** Whether redis-server is installed. */
export const hasRedis: boolean = spawnSync(program, ["--version"]).status === 0;
if (!hasRedis) console.log(`Skipped: redis-server not found (REDIS_SERVER_PATH or ${program} in PATH)`);

/** A group of tests that needs Redis. They are skipped without redis-server. */
export const describeRedis: typeof describe.skip = describe.skipIf(!hasRedis);

/** A redis-server on a socket in its own folder. With `keep`, its data survives a restart. */
export class RedisServer {
  readonly path: string;
  private readonly folder: string = mkdtempSync(join(tmpdir(), "millrace-redis-"));
  private readonly keep: boolean;
  private process: ChildProcess | undefined;
  private readonly opened: (() => unknown)[] = [];

  constructor({ keep = false }: { readonly keep?: boolean } = {}) {
    this.path = join(this.folder, "redis.sock");
    this.keep = keep;
  }

  async start(): Promise<void> {
    const keep = this.keep ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
    const args = ["--port", "0", "--unixsocket", this.path, "--dir", this.folder, "--save", "", ...keep];
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.process = child;
    process.once("exit", this.onExit); // also if the test process is stopped
    for await (const line of createInterface({ input: child.stdout }))
      if (/ready to accept connections/i.test(line)) break;
    child.stdout.resume();
  }

  private readonly onExit = (): void => {
    this.process?.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  };

  /** Kills the server, like a power failure. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    process.off("exit", this.onExit);
    if (child?.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Pauses and continues the server, like a lost network. */
  signal(name: "SIGSTOP" | "SIGCONT"): void {
    this.process?.kill(name);
  }

  ioredis(options: { readonly keyPrefix?: string } = {}): Redis {
    const client = new Redis({ path: this.path, ...options });
    client.on("error", () => undefined);
    this.opened.push(() => {
      client.disconnect();
    });
    return client;
  }

  async nodeRedis(): Promise<ReturnType<typeof newNodeRedis>> {
    const client = newNodeRedis(this.path);
    client.on("error", () => undefined);
    this.opened.push(() => {
      client.destroy();
    });
    await client.connect();
    return client;
  }

  /** Called before the clients are closed. */
  onClose(close: () => unknown): void {
    this.opened.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.opened.reverse()) await close();
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function newNodeRedis(path: string) {
  return createClient({ socket: { path, tls: false } });
}
