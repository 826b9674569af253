import { Inlet } from "../../stream/core/inlet.js";
import { type Ending, ending, outlet, wait } from "../../stream/core/outlet.js";
import { none } from "../../stream/core/ready.js";
import type { Clock } from "../../stream/time/clock.js";

/** The texts that a response sends besides its data. */
export interface BodyFrame {
  /** Sent while a reader waits. Carries no data. `""` if there is none. */
  readonly heartbeatText: string;
  /** Sent at once, so that proxies forward the headers. Default: `heartbeatText`. */
  readonly start?: string;
  /** Returns what is sent after the last text. */
  readonly last?: () => string;
  /** Returns the text sent when the texts fail. If it throws, the body is cut without details. */
  readonly failed: (error: unknown) => string;
}

/**
 * Adds a start, heartbeats and an end to texts. Reads nothing ahead, and leaves out empty texts.
 *
 * @param heartbeat milliseconds without data after which one is sent. 0: never
 */
export function framed(
  texts: AsyncIterable<string>,
  { heartbeatText, start = heartbeatText, last = () => "", failed }: BodyFrame,
  heartbeat: number,
  clock: Clock,
): AsyncIterable<string> {
  const hasHeartbeats = heartbeatText !== "" && heartbeat > 0 && heartbeat < Infinity;
  return outlet<string>((wake) => {
    let started = false;
    let text: string | undefined;
    let ended: Ending | undefined;
    let beats = false;
    let sentAt = 0;
    let timer: unknown;

    const inlet = new Inlet<string>(
      texts,
      (it) => {
        if (it === "") inlet.pull();
        else {
          text = it;
          wake();
        }
      },
      (failure) => {
        ended = { failure: undefined };
        try {
          const rest = failure === undefined ? last() : failed(failure.error);
          if (rest !== "") text = rest;
        } catch (error) {
          ended = { failure: { error } };
        }
        wake();
      },
    );
    const arm = (ms: number): void => {
      if (hasHeartbeats) timer = clock.setTimeout(beat, ms);
    };
    const beat = (): void => {
      const idle = clock.now() - sentAt;
      arm(idle < heartbeat ? heartbeat - idle : heartbeat);
      if (idle < heartbeat) return;
      beats = true;
      wake();
    };
    const sent = (it: string): string => {
      sentAt = clock.now();
      text = undefined;
      beats = false;
      return it;
    };

    return {
      poll() {
        if (!started) {
          started = true;
          arm(heartbeat);
          return sent(start);
        }
        if (text !== undefined) return sent(text);
        if (ended !== undefined) return ending(ended);
        if (beats) return sent(heartbeatText);
        inlet.pull();
        return wait;
      },
      ready() {
        if (!started || text !== undefined || ended !== undefined) return none;
        const it = inlet.takeReady();
        return it === none || it === "" ? none : sent(it);
      },
      close() {
        clock.clearTimeout(timer);
        inlet.abandon();
        return Promise.resolve();
      },
    };
  });
}
