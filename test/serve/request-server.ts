import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fromNodeRequest, toNodeResponse } from "millrace/serve";

/** Serves a handler by node:http while `use` runs. */
export async function serving(
  handle: (request: Request) => Response | Promise<Response>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    void (async () => {
      await toNodeResponse(await handle(fromNodeRequest(request, response)), response);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A request with JSON, as a page of the same host sends it. */
export function post(
  body: unknown,
  init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Request {
  return new Request("http://localhost/agent", {
    method: "POST",
    headers: { "content-type": "application/json", ...init.headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(init.signal === undefined ? undefined : { signal: init.signal }),
  });
}
