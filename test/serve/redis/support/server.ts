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

/** The options of `RedisServer`. */
interface ServerOptions {
  /** Whether its data survives a restart. */
  readonly keep?: boolean;
  /** The port for replicas. */
  readonly port?: number;
  /** The port of the server that it copies. */
  readonly replicaOf?: number;
}

/** A redis-server on a socket in its own folder. */
export class RedisServer extends ServerProcess {
  readonly path: string;
  private readonly options: ServerOptions;
  private readonly opened: (() => unknown)[] = [];

  constructor(options: ServerOptions = {}) {
    super("redis");
    this.path = join(this.folder, "redis.sock");
    this.options = options;
  }

  async start(): Promise<void> {
    const { keep = false, port = 0, replicaOf } = this.options;
    const args = ["--port", String(port), "--unixsocket", this.path, "--dir", this.folder, "--save", ""];
    args.push("--appendonly", ...(keep ? ["yes", "--appendfsync", "always"] : ["no"]));
    args.push("--repl-diskless-sync-delay", "0");
    if (replicaOf !== undefined) args.push("--replicaof", "127.0.0.1", String(replicaOf));
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
