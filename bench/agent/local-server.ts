import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs `work` with a server in a separate process. */
export async function withServer<T>(work: (baseURL: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ["--import", "tsx", "bench/agent/server.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    return await work(`http://127.0.0.1:${port.trim()}/v1`);
  } finally {
    child.stdin.end();
  }
}
