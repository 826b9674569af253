import type { PatchEnd, PatchEntry } from "../json/patch-entry.js";
import type { Clock } from "../stream/clock.js";
import { Upstream } from "../stream/upstream.js";
import type { Encoder } from "./formats.js";

/** What a body needs besides its entries. */
export interface BodyOptions {
  readonly encoder: Encoder;
  /** Silence after which a heartbeat is sent, in milliseconds. */
  readonly heartbeat: number;
  readonly clock: Clock;
  /** What the reader is told of an error of the entries; `undefined` if nothing, and the body is cut. */
  readonly endOf: (error: unknown) => PatchEnd | undefined;
}

/** In milliseconds: Bun ends a connection after 10 seconds of silence, unless it is told otherwise, and others later. */
export const defaultHeartbeat = 8_000;

/**
 * Entries as bytes, one at a time and each when the reader asks: nothing is read ahead, so a reader who is slow slows down
 * the model, and one who leaves closes it. Entries that end without `done` or `error` are complete.
 */
export function bodyOf(entries: AsyncIterable<PatchEntry>, options: BodyOptions): ReadableStream<Uint8Array> {
  const { encoder, heartbeat, clock, endOf } = options;
  const upstream = new Upstream(entries);
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
    const silence = clock.now() - sentAt;
    // One that nobody has fetched yet is enough.
    if (silence >= heartbeat && controller.desiredSize === 0) send(controller, encoder.heartbeat);
    arm(controller, silence < heartbeat ? heartbeat - silence : heartbeat);
  };
  const arm = (controller: Controller, ms: number): void => {
    if (heartbeat > 0 && heartbeat < Infinity) timer = clock.setTimeout(() => beat(controller), ms);
  };
  const finish = (): void => {
    over = true;
    clock.clearTimeout(timer);
    upstream.abandon();
  };
  const next = async (): Promise<PatchEntry> => {
    try {
      const result = await upstream.iterator.next();
      if (result.done !== true) return result.value;
      upstream.finished = true;
      return { type: "done", reason: "complete" };
    } catch (error) {
      upstream.finished = true;
      const end = over ? undefined : endOf(error);
      if (end === undefined) throw error;
      return end;
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!started) {
          started = true;
          send(controller, encoder.start);
          arm(controller, heartbeat);
          return;
        }
        try {
          let text: string | undefined = "";
          // An empty patch may be no text at all.
          while (text === "") {
            const entry = await next();
            if (over) return;
            if (entry.type === "patch") text = encoder.patch(entry);
            else {
              finish();
              text = encoder.end(entry);
              if (text === undefined) throw new Error("The stream has not come to its end, and is cut.");
              send(controller, text);
              controller.close();
              return;
            }
          }
          send(controller, text);
        } catch (error) {
          finish();
          throw error;
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

type Controller = ReadableStreamDefaultController<Uint8Array>;
