import { noop } from "../../stream/core/result.js";
import { milliseconds } from "../../text/check-number.js";
import type { Clock } from "../../stream/time/clock.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { isInstance } from "../../text/thrown.js";
import { type BodyPart, bytesOf, chunksOf, piecesOf } from "./text-body.js";

/** Checks the option `timeouts.write`, and returns it. */
export function writeTimeout({ timeouts }: { readonly timeouts?: { readonly write?: number } }): number {
  return milliseconds("timeouts.write", timeouts?.write ?? 30_000);
}

export interface StallOptions {
  /** Milliseconds without a read after which the body ends. */
  readonly timeout: number;
  readonly clock: Clock;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /**
   * Called when the body has ended or failed, or nobody reads it anymore. Possibly more than once.
   *
   * @param unread for how many milliseconds the client had accepted nothing of what was there
   */
  readonly onEnd: (unread: number) => void;
}

/** Returns the same body. Cancels it when nothing is read for too long, and when the client has disconnected. */
export function endWhenStalled(
  body: ReadableStream<Uint8Array>,
  { timeout, clock, signal, onEnd }: StallOptions,
): ReadableStream<Uint8Array> {
  const chunks = chunksOf(body);
  /** The rest of the last chunk. */
  let rest: Iterator<BodyPart, unknown> = none;
  /** When the client received a piece. `Infinity` while it waits for one. */
  let sentAt = clock.now();
  let timer: unknown;

  const end = (): void => {
    clock.clearTimeout(timer);
    stopListening();
    onEnd(Math.max(clock.now() - sentAt, 0));
  };
  const leave = (reason: unknown): Promise<void> => {
    end();
    return chunks.cancel(reason).then(noop);
  };
  const onDisconnect = (): void => {
    leave(signal.reason).catch(noop);
  };
  const stopListening = onAbort(signal, onDisconnect);

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const check = (): void => {
          const left = timeout - Math.max(clock.now() - sentAt, 0);
          if (left > 0) {
            timer = clock.setTimeout(check, left);
            (timer as { unref?: () => void } | undefined)?.unref?.(); // a script may leave a response unread
            return;
          }
          const stall = new DOMException("The client does not read the response.", "TimeoutError");
          controller.error(stall);
          leave(stall).catch(noop);
        };
        if (signal.aborted) onDisconnect();
        else check();
      },
      async pull(controller) {
        sentAt = Infinity;
        try {
          let piece = rest.next();
          while (piece.done === true) {
            const { done, value } = await chunks.next();
            if (done === true || value === undefined) {
              end();
              controller.close();
              return;
            }
            rest = piecesOf(value)[Symbol.iterator]();
            piece = rest.next();
          }
          controller.enqueue(bytesOf(piece.value));
          sentAt = clock.now();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

const none = ([] as BodyPart[])[Symbol.iterator]();

/** Whether `endWhenStalled()` ended a body because the client read nothing. */
export function isStall(error: unknown): boolean {
  return isInstance(error, DOMException) && error.name === "TimeoutError";
}
