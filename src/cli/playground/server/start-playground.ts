import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { fromNodeRequest } from "../../../serve/http/from-node-request.js";
import { toNodeResponse } from "../../../serve/http/to-node-response.js";
import { type Clock, systemClock } from "../../../stream/time/clock.js";
import type { Io } from "../../terminal/io.js";
import { packageFile } from "../../package-file.js";
import { UsageError } from "../../terminal/usage-error.js";
import { Playground } from "./playground.js";
import { readRecordings } from "./recordings.js";
import { staticFiles } from "./static-files.js";
import { warmUp } from "./warm-up.js";

/** The options of `startPlayground()`. */
export interface StartOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** A name or an address of the loopback interface. Default: 127.0.0.1. */
  readonly host?: string;
  /** Where recordings are; none by default. */
  readonly recordings?: string | undefined;
  /** Where the page is, as Vite has built it. By default in the package. */
  readonly page?: string;
  readonly env: Io["env"];
  /** Hears of what the page is not told of. */
  readonly onError: (error: unknown) => void;
  /** The time of its runs. Default: the machine's own. */
  readonly clock?: Clock;
}

/** A playground that listens. */
export interface StartedPlayground {
  readonly url: string;
  /** Ends its runs, its connections and itself. */
  stop(): Promise<void>;
}

/**
 * Serves the playground on this machine, for this machine.
 *
 * @throws {UsageError} if the page is not built, the recordings cannot be read, or the port cannot be had
 */
export async function startPlayground(options: StartOptions): Promise<StartedPlayground> {
  const { port = 0, host = "127.0.0.1", page = builtPage(), env, onError, clock = systemClock } = options;
  const files = await staticFiles(page);
  const recordings = options.recordings === undefined ? new Map() : await readRecordings(options.recordings);
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "something else listens there" : message;
    throw new UsageError(`The playground cannot listen on port ${port}: ${reason}.`, { cause });
  }
  warmUp().catch(onError);
  const address = server.address() as AddressInfo;
  const names = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${address.port}`);
  const playground = new Playground({ files, recordings, env, onError, clock, hosts: new Set(names) });
  server.on("request", (request, response) => {
    playground
      .handle(fromNodeRequest(request, response))
      .then((answer) => toNodeResponse(answer, response))
      .catch(onError);
  });
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/`,
    async stop() {
      await playground.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** From src/cli/playground and from dist/cli/playground alike, where the package is built. */
const builtPage = (): string => fileURLToPath(packageFile("dist/playground/"));
