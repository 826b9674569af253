import type { ServerResponse } from "node:http";

/** The body ends after this number of bytes: the connection is lost, or closed as if the body were complete. */
export function cut(response: Response, after: number, lost = after % 2 === 0): Response {
  let left = after;
  const body = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        controller.enqueue(bytes.slice(0, left));
        left -= bytes.length;
        if (left > 0) return;
        if (lost) controller.error(new TypeError("terminated"));
        else controller.terminate();
      },
    }),
  );
  return new Response(body, response);
}

/** One byte for each read. */
export function crumbled(response: Response): Response {
  const body = response.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        for (let at = 0; at < bytes.length; at++) controller.enqueue(bytes.slice(at, at + 1));
      },
    }),
  );
  return new Response(body, response);
}

/** The connection breaks after this number of writes. */
export function breakAfter(writes: number, response: ServerResponse): void {
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  let count = 0;
  response.write = ((...args: unknown[]) => {
    if (++count <= writes) return write(...args);
    setTimeout(() => response.destroy(), 20);
    return false;
  }) as typeof response.write;
}
