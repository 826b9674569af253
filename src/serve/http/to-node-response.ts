import { checkArgument } from "../../text/check-options.js";
import { type Clock, systemClock } from "../../stream/time/clock.js";
import { noop } from "../../stream/core/result.js";
import { isStall, writeTimeout } from "./slow-clients.js";
import { type BodyChunks, chunksOf, headOf, piecesOf, type ResponseHead } from "./text-body.js";
import { refusalResponse, toRequestError } from "./refusal.js";

/** The part of a `node:http` response that is used. Frameworks built on it match too. */
export interface NodeResponse {
  statusCode: number;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** The request that this response answers. */
  readonly req?: { readonly method?: string | undefined; readonly httpVersionMajor?: number };
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: "close" | "drain" | "finish", listener: () => void): unknown;
  removeListener(event: "close" | "drain" | "finish", listener: () => void): unknown;
}

/** The options of `nodeHandler()` and `toNodeResponse()`. */
export interface NodeHandlerOptions {
  /**
   * `write`: how many milliseconds a client may take to accept the next 64 KB of the response; then it is disconnected.
   * Default: 30,000.
   */
  readonly timeouts?: { readonly write?: number };
  /** Receives errors of the handler other than `RequestError`. The client only sees that the request failed. */
  readonly onError?: (error: unknown) => void;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Writes a web `Response` to `node:http`, Express or Fastify (`reply.raw`), at the pace of the client. Closes the body
 * when the client disconnects or takes nothing for `timeouts.write`. If the body fails, destroys the connection so that
 * the client sees the cut. A `Response` that cannot be sent, such as one whose body was read before, becomes status
 * 500.
 *
 * @returns a promise that resolves when everything was written or the client has disconnected
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts no-run
 * import { createServer } from "node:http";
 * import { from } from "millrace";
 * import { toEventStream, toNodeResponse } from "millrace/serve";
 *
 * createServer((_request, response) => {
 *   void toNodeResponse(toEventStream(from([[]])), response);
 * }).listen(8080);
 * ```
 */
export async function toNodeResponse(
  response: Response,
  to: NodeResponse,
  options: NodeHandlerOptions = {},
): Promise<void> {
  checkArgument("toNodeResponse()", "a Response, and the response of Node", Object(to) === to, to);
  const { clock = systemClock, onError } = options;
  const timeout = writeTimeout(options);
  let body: BodyChunks | undefined;
  let head: ResponseHead;
  try {
    head = headOf(response);
    if (response.type === "error") throw new TypeError("Response.error() cannot be sent.");
    body = response.body === null ? undefined : chunksOf(response.body);
  } catch (error) {
    return toNodeResponse(refusalResponse(toRequestError(error, onError)), to, options);
  }
  const isOver = to.writableEnded || to.destroyed; // fromNodeRequest() has answered, or the client has disconnected
  if (isOver || to.req?.method === "HEAD") {
    body?.cancel().catch(noop);
    body = undefined;
  }
  if (isOver) return;

  let proceed = noop;
  const onProgress = (): void => {
    proceed();
  };
  const onClose = (): void => {
    proceed();
    body?.cancel().catch(noop);
  };
  /** Waits until the client has accepted what was written. */
  const accepted = async (): Promise<void> => {
    const timer = clock.setTimeout(() => to.destroy(), timeout);
    await new Promise<void>((resolve) => {
      proceed = resolve;
    });
    clock.clearTimeout(timer);
  };
  body?.closed?.catch((error: unknown) => {
    if (isStall(error)) to.destroy(); // although the client still has to accept something
  });
  to.on("close", onClose);
  to.on("drain", onProgress);
  to.on("finish", onProgress);
  try {
    writeHead(head, to);
    if (body !== undefined) await writeBody(body, to, accepted);
    if (to.destroyed) return;
    to.end();
    await accepted();
  } catch {
    to.destroy();
  } finally {
    to.removeListener("close", onClose);
    to.removeListener("drain", onProgress);
    to.removeListener("finish", onProgress);
  }
}

/** Writes the chunks of a body, until its end or until the client has disconnected. */
async function writeBody(body: BodyChunks, to: NodeResponse, accepted: () => Promise<void>): Promise<void> {
  for (;;) {
    const { done, value } = await body.next();
    if (to.destroyed || done === true || value === undefined) return;
    for (const piece of piecesOf(value)) {
      if (!to.write(piece)) await accepted();
      if (to.destroyed) return;
    }
  }
}

export function writeHead({ status, headers }: ResponseHead, to: NodeResponse): void {
  to.statusCode = status;
  headers.forEach((value, name) => {
    if (name === "connection" && to.req?.httpVersionMajor === 2) return; // has no such header
    if (name !== "set-cookie") to.setHeader(name, value);
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) to.setHeader("set-cookie", cookies);
}
