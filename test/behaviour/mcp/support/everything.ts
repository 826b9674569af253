import { createRequire } from "node:module";
import { freePort, ServerProcess } from "../../../support/server-process.js";

/** The script of the server that has an example of everything. */
export const everything: string = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

/** That server over HTTP. */
export class EverythingOverHttp extends ServerProcess {
  private port = 0;

  constructor() {
    super("mcp");
  }

  /** @returns the address. After `kill()`, the server starts at the same one again */
  async start(): Promise<URL> {
    if (this.port === 0) this.port = await freePort();
    this.spawn(process.execPath, [everything, "streamableHttp"], {
      env: { ...process.env, PORT: String(this.port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    await this.prints(/listening/, "stderr");
    return new URL(`http://127.0.0.1:${this.port}/mcp`);
  }
}
