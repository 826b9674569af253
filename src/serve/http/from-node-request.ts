import { noop } from "../../stream/core/result.js";
import { refusalResponse, refusalText } from "./refusal.js";
import { bodyWasRead, RequestError } from "./request-error.js";
import { kindName } from "../../text/kind-name.js";
import { fieldOf } from "../../text/thrown.js";
import { type NodeResponse, writeHead } from "./to-node-response.js";

/** The part of a `node:http` request that is used. Frameworks built on it match too. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  /** The path and query. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values in turn. */
  readonly rawHeaders?: readonly string[];
}

/**
 * Converts a request of `node:http`, Express or Fastify (`request.raw`) to a web `Request`. Its signal is aborted when
 * the response closes, also because the client disconnected. Earlier middleware must not have read the body.
 * `nodeHandler()` calls this and `toNodeResponse()`.
 *
 * An invalid request, such as one with the header `Host: a@b`, is answered with status 400 at once. The result is then
 * a request for `http://localhost/` whose signal is already aborted, and `toNodeResponse()` writes nothing.
 *
 * @example
 * ```ts no-run
 * import { createServer } from "node:http";
 * import { fromNodeRequest } from "millrace/serve";
 *
 * createServer((incoming, outgoing) => {
 *   const { signal, url } = fromNodeRequest(incoming, outgoing);
 *   if (!signal.aborted) outgoing.end(new URL(url).pathname);
 * }).listen(8080);
 * ```
 */
export function fromNodeRequest(request: NodeRequest, response: NodeResponse): Request {
  checkNode(request, response);
  const controller = new AbortController();
  response.on("close", () => {
    controller.abort(new DOMException("The client disconnected.", "AbortError"));
  });
  try {
    return toRequest(request, controller.signal);
  } catch {
    const error = new RequestError("invalid_request", "The request is not valid.");
    writeHead(refusalResponse(error), response);
    response.write(new TextEncoder().encode(refusalText(error)));
    response.end();
    return new Request("http://localhost/", { signal: AbortSignal.abort() });
  }
}

/** @throws {TypeError} for the request of another framework, or without a response */
export function checkNode(request: NodeRequest, response: NodeResponse): void {
  const { on } = (response ?? {}) as Partial<NodeResponse>;
  if (typeof request?.headers === "object" && typeof on === "function") return;
  throw new TypeError(
    `Expected a request and a response of node:http, but got ${kindName(request)} and ${kindName(response)}. Where there is a web Request, call the handler with it, without nodeHandler().`,
  );
}

/** @throws {TypeError} if the request is invalid, or has a method that `Request` forbids (`TRACE`) */
function toRequest(request: NodeRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(request.headers)) {
    if (name.startsWith(":")) continue; // HTTP/2 pseudo-headers: method, path and host
    for (const one of typeof value === "string" ? [value] : value) headers.append(name, one);
  }
  const { method = "GET" } = request;
  return new Request(urlOf(request), {
    method,
    headers,
    signal,
    ...(method === "GET" || method === "HEAD" ? undefined : { body: bodyOf(request), duplex: "half" }),
  });
}

/** Concatenates instead of resolving: a path that starts with `//` would change the host. */
function urlOf(request: NodeRequest): string {
  const host = hostOf(request);
  const { method, url = "/" } = request;
  if (url.startsWith("/")) return `http://${host}${url}`;
  if (url === "*" && method === "OPTIONS") return `http://${host}/`;
  const [, authority, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (authority?.toLowerCase() !== host.toLowerCase()) throw new TypeError("Invalid target");
  return `http://${host}${path}`;
}

/** The `Host` header, or that of HTTP/2. HTTP/1.0 needs none. */
function hostOf({ headers, rawHeaders = [] }: NodeRequest): string {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host");
  const host = headers["host"] ?? headers[":authority"] ?? "localhost";
  if (hosts.length > 1 || typeof host !== "string" || !hostAndPort.test(host))
    throw new TypeError("Invalid host");
  return host;
}

/** RFC 9110, section 7.2. `Request` checks the rest, such as the number of the port. */
const hostAndPort = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i;

function bodyOf(request: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const wasRead = fieldOf(request, "readableDidRead") === true;
  const bytes = request[Symbol.asyncIterator]();
  const drain = async (): Promise<void> => {
    while ((await bytes.next()).done !== true);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (wasRead) throw bodyWasRead();
        const result = await bytes.next();
        if (result.done === true) controller.close();
        else controller.enqueue(result.value);
      },
      // Closing the iterator would close the connection before the response is sent. Many clients read the response
      // only after they have sent their body, so the rest of it is read and dropped.
      cancel() {
        drain().catch(noop); // the client has disconnected
      },
    },
    { highWaterMark: 0 },
  );
}
