import type { NodeResponse } from "./to-node-response.js";

/** As much of the request of `node:http`, and of what is built on it, as is needed. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  /** The path with the query. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * A request of `node:http`, Express, Fastify's `request.raw` and alike as a web `Request`. Its signal is aborted when the
 * response is closed, so also by a client that leaves. Middleware in front must not have read the body.
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
    if (name.startsWith(":")) continue; // HTTP/2 has the method, the path and the host there
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
  }
  const controller = new AbortController();
  response.on("close", () => {
    controller.abort(new DOMException("The client has left.", "AbortError"));
  });
  const method = methodOf(request);
  return new Request(urlOf(request, headers.get("host") ?? request.headers[":authority"]), {
    method,
    headers,
    signal: controller.signal,
    ...(method === "GET" || method === "HEAD" ? undefined : { body: bodyOf(request), duplex: "half" }),
  });
}

/** A `Request` cannot have these methods, and no handler answers them. */
function methodOf({ method = "GET" }: NodeRequest): string {
  return /^(?:CONNECT|TRACE|TRACK)$/i.test(method) ? "GET" : method;
}

/** Put together, and not resolved: a path that begins with `//` would be another host. */
function urlOf({ url = "/" }: NodeRequest, host: string | readonly string[] = "localhost"): string {
  const path = url.startsWith("/") ? url : "/";
  const given = `http://${String(host)}${path}`;
  return URL.canParse(given) ? given : `http://localhost${path}`;
}

/** Not cancelled where the rest is not wanted: that would close the connection before the answer is sent. */
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
