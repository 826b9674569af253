import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a loopback port. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string;
  /** Closes all connections and the server. */
  readonly close: () => Promise<void>;
}

/** A server of `node:http` on a free port or on `port`. */
export async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  port = 0,
): Promise<Listening> {
  const server = createServer((request, response) => void handle(request, response));
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
