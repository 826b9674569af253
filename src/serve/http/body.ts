import { report } from "../report.js";
import type { Clock } from "../../stream/time/clock.js";
import { Upstream } from "../../stream/core/upstream.js";

/** Options of `encodedBody()`. */
export interface BodyOptions {
  /** Sent at once, so that proxies forward the headers. */
  readonly start: string;
  /** Sent while the body is idle. Carries no data. */
  readonly heartbeatText: string;
  /** Milliseconds without data after which it is sent. */
  readonly heartbeat: number;
  /** Sent after the last text. */
  readonly last: string;
  readonly clock: Clock;
  /** Called when the texts fail. The body is then cut, and the reader sees no details. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Milliseconds. Bun closes a connection after 10 idle seconds by default, other servers later. */
export const defaultHeartbeat = 8_000;

/**
 * Encodes texts as a byte stream, one text per read. Bytes pass as they are. Nothing is read ahead: a slow reader slows down the model, and a
 * reader that leaves closes it.
 */
export function encodedBody(
  texts: AsyncIterable<string | Uint8Array>,
  options: BodyOptions,
): ReadableStream<Uint8Array> {
  const { start, heartbeatText, heartbeat, last, clock, onError } = options;
  const upstream = new Upstream(texts);
  const bytes = new TextEncoder();
  let started = false;
  let over = false;
  let sentAt = 0;
  let timer: unknown;

  const send = (controller: Controller, text: string | Uint8Array): void => {
    sentAt = clock.now();
    controller.enqueue(typeof text === "string" ? bytes.encode(text) : text);
  };
  const beat = (controller: Controller): void => {
    const idle = clock.now() - sentAt;
    // Send no second heartbeat while one is still unread.
    if (idle >= heartbeat && controller.desiredSize === 0) send(controller, heartbeatText);
    arm(controller, idle < heartbeat ? heartbeat - idle : heartbeat);
  };
  const arm = (controller: Controller, ms: number): void => {
    if (heartbeat > 0 && heartbeat < Infinity) timer = clock.setTimeout(() => beat(controller), ms);
  };
  const finish = (): void => {
    over = true;
    clock.clearTimeout(timer);
    upstream.abandon();
  };
  /** Returns the next text that is not empty. An empty patch may encode as "". */
  const next = async (): Promise<string | Uint8Array | undefined> => {
    for (;;) {
      const result = await upstream.iterator.next();
      if (result.done === true) return undefined;
      if (result.value !== "") return result.value;
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!started) {
          started = true;
          send(controller, start);
          arm(controller, heartbeat);
          return;
        }
        try {
          const text = await next();
          if (over) return;
          if (text !== undefined) {
            send(controller, text);
            return;
          }
        } catch (error) {
          upstream.finished = true;
          if (!over) report(onError, error);
          finish();
          throw error;
        }
        upstream.finished = true;
        finish();
        if (last !== "") send(controller, last);
        controller.close();
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

type Controller = ReadableStreamDefaultController<Uint8Array>;
