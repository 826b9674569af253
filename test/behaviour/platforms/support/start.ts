import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundle } from "../../browser/support/bundle.js";

const root = join(import.meta.dirname, "../../../..");

/** A server program in its own process. */
export interface Started {
  readonly url: string;
  /** Kills the process. */
  readonly close: () => Promise<void>;
}

/** How to start a program. */
export interface StartOptions {
  /** Node, by default. */
  readonly command?: string;
  /** Arguments before the program. */
  readonly flags?: readonly string[];
  /** Arguments after the program. */
  readonly args?: readonly string[];
}

/**
 * Starts a server of the tests, which prints its port in its first line.
 *
 * @param program path below `test`
 * @throws {Error} if it ends without a port, with its stderr
 */
export async function start(program: string, options: StartOptions = {}): Promise<Started> {
  const { command = process.execPath, flags = [], args = [] } = options;
  await mkdir(join(root, "temp"), { recursive: true });
  const folder = await mkdtemp(join(root, "temp/server-")); // the folder of node_modules
  const file = join(folder, "server.mjs");
  const external = ["express", "hono", "@hono/node-server", "ioredis"];
  await writeFile(file, await bundle(program, { platform: "node", external }));

  const child = spawn(command, [...flags, file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const port = await Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => Number(line)),
    exited.then(() => undefined),
  ]);
  if (port !== undefined) return { url: `http://127.0.0.1:${port}`, close };
  await close();
  throw new Error(`${program} ended before it served: ${complaint}`);
}
