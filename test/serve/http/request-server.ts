import { nodeHandler } from "millrace/serve";
import { listen } from "../../behaviour/browser/support/listen.js";

/** Serves a handler with node:http during `use`. */
export async function serving(
  handle: (request: Request) => Response | Promise<Response>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const { url, close } = await listen(nodeHandler(handle));
  try {
    await use(`${url}/agent`);
  } finally {
    await close();
  }
}

/** A request with JSON from a page of the same host. */
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
