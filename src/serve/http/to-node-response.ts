/** The part of a `node:http` response that is used. Frameworks built on it match too. */
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
 * Writes a web `Response` to `node:http`, Express or Fastify (`reply.raw`), at the pace of the client. Closes the body when
 * the client disconnects. If the body fails, destroys the connection so that the client sees the cut.
 *
 * @returns a promise that resolves when everything was written or the client has disconnected
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
    reader.cancel().catch(() => {}); // the client is gone
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
