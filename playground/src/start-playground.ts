import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Clock, systemClock } from "millrace";
import { nodeHandler } from "millrace/serve";
import { PlaygroundError } from "./playground-error.js";
import { Playground } from "./server/playground.js";
import { readRecordings } from "./server/recordings.js";
import { staticFiles } from "./server/static-files.js";

/** The options of `startPlayground()`. */
export interface StartOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** A name or an address of the loopback interface. Default: 127.0.0.1. */
  readonly host?: string;
  /** Folder with recordings. Default: none. */
  readonly recordings?: string | undefined;
  /** Folder of the page as built by Vite. Default: the one in the package. */
  readonly page?: string;
  /** Called with errors whose details are not sent to the page. */
  readonly onError: (error: unknown) => void;
  /** Clock for the runs. Default: the system clock. */
  readonly clock?: Clock;
}

/** A running playground. */
export interface StartedPlayground {
  readonly url: string;
  /** Stops all runs, closes all connections and stops the server. */
  stop(): Promise<void>;
}

/**
 * Serves the playground on the loopback interface. The models use the keys and addresses in the environment of the
 * process.
 *
 * @throws {PlaygroundError} if the page is not built, the recordings cannot be read, or the server cannot listen on the
 *   port
 */
export async function startPlayground(options: StartOptions): Promise<StartedPlayground> {
  const { port = 0, host = "127.0.0.1", page = builtPage, onError, clock = systemClock } = options;
  const files = await staticFiles(page);
  const recordings = options.recordings === undefined ? new Map() : await readRecordings(options.recordings);
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "the port is already in use" : message;
    throw new PlaygroundError("port", `The playground cannot listen on port ${port}: ${reason}.`, { cause });
  }
  const address = server.address() as AddressInfo;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${address.port}`);
  const playground = new Playground({ files, recordings, onError, clock, hosts: new Set(names) });
  server.on(
    "request",
    nodeHandler((request) => playground.handle(request), { onError }),
  );
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/`,
    async stop() {
      await playground.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The page's folder in the package, from this file in `src` and from the bundle in `dist`. */
const builtPage = fileURLToPath(new URL("../dist/page/", import.meta.url));
