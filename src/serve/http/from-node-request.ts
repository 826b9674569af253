import type { NodeResponse } from "./to-node-response.js";

/** The part of a `node:http` request that is used. Frameworks built on it match too. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Converts a request of `node:http`, Express or Fastify (`request.raw`) to a web `Request`. Its signal is aborted when the
 * response closes, also because the client disconnected. Earlier middleware must not have read the body.
 *
 * @example
 * ```ts no-run
 * import { createServer } from "node:http";
 * import { boundedHandler, fromNodeRequest, toNodeResponse } from "millrace/serve";
 *
 * const handle = boundedHandler((body) => Response.json({ got: body }));
 * createServer(async (request, response) => {
 *   await toNodeResponse(await handle(fromNodeRequest(request, response)), response);
 * }).listen(8080);
 * ```
 */
export function fromNodeRequest(request: NodeRequest, response: Pick<NodeResponse, "on">): Request {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(request.headers)) {
    if (name.startsWith(":")) continue; // HTTP/2 pseudo-headers: method, path and host
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
  }
  const controller = new AbortController();
  response.on("close", () => {
    controller.abort(new DOMException("The client disconnected.", "AbortError"));
  });
  const method = methodOf(request);
  return new Request(urlOf(request, headers.get("host") ?? request.headers[":authority"]), {
    method,
    headers,
    signal: controller.signal,
    ...(method === "GET" || method === "HEAD" ? undefined : { body: bodyOf(request), duplex: "half" }),
  });
}

/** `Request` forbids these methods, and no handler answers them. */
function methodOf({ method = "GET" }: NodeRequest): string {
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method) ? "GET" : method;
}

/** Concatenates instead of resolving: a path that starts with `//` would change the host. */
function urlOf({ url = "/" }: NodeRequest, host: string | readonly string[] = "localhost"): string {
  const path = url.startsWith("/") ? url : "/";
  const joined = `http://${String(host)}${path}`;
  return URL.canParse(joined) ? joined : `http://localhost${path}`;
}

/** Has no `cancel`: cancelling would close the connection before the response is sent. */
function bodyOf(request: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const bytes = request[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const result = await bytes.next();
        if (result.done === true) controller.close();
        else controller.enqueue(result.value);
      },
    },
    { highWaterMark: 0 },
  );
}
