import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program that serves in a process of its own. */
export interface Started {
  readonly url: string;
  /** Kills it. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a server that says its port in its first line.
 *
 * @throws {Error} if it ends without, with what it said on stderr
 */
export async function start(command: string, args: readonly string[]): Promise<Started> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const port = await Promise.race([
    once(createInterface(child.stdout), "line").then(([line]) => Number(line)),
    exited.then(() => undefined),
  ]);
  if (port === undefined) throw new Error(`${command} ended before it served: ${complaint}`);
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
