/** As much of the response of `node:http`, and of what is built on it, as is needed. */
export interface NodeResponse {
  statusCode: number;
  readonly destroyed: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  write(bytes: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
  removeListener(event: "close" | "drain", listener: () => void): unknown;
}

/**
 * A web `Response` through `node:http`, Express, Fastify's `reply.raw` and alike: at the pace of the client, and closed when
 * the client leaves. A body that fails destroys the connection, so that the client sees that it is cut.
 *
 * @returns when all was written, or the client has left
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
export async function toNodeResponse(response: Response, to: NodeResponse): Promise<void> {
  to.statusCode = response.status;
  response.headers.forEach((value, name) => {
    if (name !== "set-cookie") to.setHeader(name, value);
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) to.setHeader("set-cookie", cookies);
  if (response.body === null) {
    to.end();
    return;
  }

  const reader = response.body.getReader();
  let proceed = (): void => {};
  const onDrain = (): void => {
    proceed();
  };
  const onClose = (): void => {
    proceed();
    reader.cancel().catch(() => {}); // nobody is there to be told
  };
  to.on("close", onClose);
  to.on("drain", onDrain);
  try {
    for (;;) {
      if (to.destroyed) await reader.cancel();
      const { done, value } = await reader.read();
      if (to.destroyed) return;
      if (done) break;
      const drained = new Promise<void>((resolve) => {
        proceed = resolve;
      });
      if (!to.write(value)) await drained;
    }
    to.end();
  } catch {
    to.destroy();
  } finally {
    to.removeListener("close", onClose);
    to.removeListener("drain", onDrain);
  }
}
