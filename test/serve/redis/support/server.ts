import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { describe } from "vitest";
import { ServerProcess } from "../../../support/server-process.js";

const program = process.env["REDIS_SERVER_PATH"] ?? "redis-server";
/** Whether redis-server is installed. */
export const hasRedis: boolean = spawnSync(program, ["--version"]).status === 0;
if (!hasRedis) console.log(`Skipped: redis-server not found (REDIS_SERVER_PATH or ${program} in PATH)`);

/** A group of tests that needs Redis. They are skipped without redis-server. */
export const describeRedis: typeof describe.skip = describe.skipIf(!hasRedis);

/** A redis-server on a socket in its own folder. With `keep`, its data survives a restart. */
export class RedisServer extends ServerProcess {
  readonly path: string;
  private readonly keep: boolean;
  private readonly opened: (() => unknown)[] = [];

  constructor({ keep = false }: { readonly keep?: boolean } = {}) {
    super("redis");
    this.path = join(this.folder, "redis.sock");
    this.keep = keep;
  }

  async start(): Promise<void> {
    const keep = this.keep ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
    const args = ["--port", "0", "--unixsocket", this.path, "--dir", this.folder, "--save", "", ...keep];
    this.spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    await this.prints(/ready to accept connections/i, "stdout");
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

  override async close(): Promise<void> {
    for (const close of this.opened.reverse()) await close();
    await super.close();
  }
}

function newNodeRedis(path: string) {
  return createClient({ socket: { path, tls: false } });
}
