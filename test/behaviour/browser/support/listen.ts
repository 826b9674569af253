import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Something that answers on a loopback port. */
export interface Listening {
  /** Without a slash at its end. */
  readonly url: string;
  /** Ends all connections, and the server. */
  readonly close: () => Promise<void>;
}

/** A server of `node:http` on a free port, or on the one that is given. */
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
