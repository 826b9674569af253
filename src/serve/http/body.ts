import type { Clock } from "../../stream/time/clock.js";
import { Upstream } from "../../stream/core/upstream.js";

/** What a body needs besides its texts. */
export interface BodyOptions {
  /** What is sent at once, so that what stands between hands on the headers. */
  readonly start: string;
  /** What is sent in silence. Means nothing. */
  readonly silence: string;
  /** Silence after which that is sent, in milliseconds. */
  readonly heartbeat: number;
  /** Behind the last text. */
  readonly last: string;
  readonly clock: Clock;
  /** Hears of an error of the texts, which cuts the body: the reader sees that, and no more. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** In milliseconds: Bun ends a connection after 10 seconds of silence, unless it is told otherwise, and others later. */
export const defaultHeartbeat = 8_000;

/**
 * Texts as bytes, one at a time and each when the reader asks: nothing is read ahead, so a reader who is slow slows down
 * the model, and one who leaves closes it.
 */
export function bodyOf(texts: AsyncIterable<string>, options: BodyOptions): ReadableStream<Uint8Array> {
  const { start, silence, heartbeat, last, clock, onError } = options;
  const upstream = new Upstream(texts);
  const bytes = new TextEncoder();
  let started = false;
  let over = false;
  let sentAt = 0;
  let timer: unknown;

  const send = (controller: Controller, text: string): void => {
    sentAt = clock.now();
    controller.enqueue(bytes.encode(text));
  };
  const beat = (controller: Controller): void => {
    const silent = clock.now() - sentAt;
    // One that nobody has fetched yet is enough.
    if (silent >= heartbeat && controller.desiredSize === 0) send(controller, silence);
    arm(controller, silent < heartbeat ? heartbeat - silent : heartbeat);
  };
  const arm = (controller: Controller, ms: number): void => {
    if (heartbeat > 0 && heartbeat < Infinity) timer = clock.setTimeout(() => beat(controller), ms);
  };
  const finish = (): void => {
    over = true;
    clock.clearTimeout(timer);
    upstream.abandon();
  };
  /** The next text that is one: an empty patch may be none. */
  const next = async (): Promise<string | undefined> => {
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
          if (!over) onError?.(error);
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
