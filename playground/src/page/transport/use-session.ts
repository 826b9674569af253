import { useCallback, useEffect, useRef, useState } from "react";
import type { Control, Pacing, RunRequest } from "../../protocol.js";
import { begin, control } from "./api.js";
import { disconnect, newRun, type PageRun, connect } from "./run.js";
import { speeds } from "./speeds.js";

/** Starts and controls runs, one at a time. */
export interface Session {
  readonly run: PageRun;
  readonly pacing: Pacing;
  /** Message of the last request that failed. */
  readonly refusal: string | undefined;
  /** @param interval a new speed, in milliseconds between chunks */
  readonly start: (what: RunInput, interval?: number) => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly step: () => void;
  readonly cut: () => void;
  readonly stop: () => void;
  readonly setInterval: (interval: number) => void;
  readonly faster: () => void;
  readonly slower: () => void;
}

/** A run request without the speed. */
export type RunInput = Omit<RunRequest, "pace">;

export function useSession(interval: number): Session {
  const [run, setRun] = useState(() => newRun());
  const [pacing, setPacing] = useState<Pacing>({ playing: true, interval });
  const [refusal, setRefusal] = useState<string>();
  const starts = useRef(0);
  /** The connected run. A ref, because `pagehide` can occur before React renders the new run. */
  const connected = useRef(run);
  /** Resolves when the last control request is answered. Requests are queued so they arrive in order. */
  const queue = useRef(Promise.resolve());
  useEffect(() => {
    const onHide = (): void => end(connected.current);
    addEventListener("pagehide", onHide);
    return () => removeEventListener("pagehide", onHide);
  }, []);

  const send = useCallback(
    (order: Control): void => {
      const { id } = run;
      if (id === undefined) return;
      setRefusal(undefined);
      queue.current = queue.current
        .then(() => control(id, order))
        .catch((error: unknown) => {
          if (connected.current.id === id) setRefusal((error as Error).message);
        });
    },
    [run],
  );
  const pace = (next: Pacing): void => {
    setPacing(next);
    send({ action: "pace", ...next });
  };
  const setInterval = (interval: number): void => pace({ ...pacing, interval });
  const shift = (by: number): void => {
    const at = speeds.indexOf(pacing.interval) + by;
    setInterval(speeds[Math.min(Math.max(at, 0), speeds.length - 1)] ?? pacing.interval);
  };

  return {
    run,
    pacing,
    refusal,
    start(what, interval = pacing.interval) {
      const number = ++starts.current;
      const next = { interval, playing: true };
      const before = connected.current;
      setRefusal(undefined);
      // The previous run and its errors disappear at once, not when the server has answered.
      disconnect(before);
      end(before);
      connected.current = newRun(what.format);
      setRun(connected.current);
      setPacing(next);
      begin({ ...what, pace: next })
        .then(({ id }) => {
          const started = newRun(what.format, id);
          if (number !== starts.current) {
            end(started);
            return;
          }
          connected.current = started;
          connect(started);
          setRun(started);
        })
        .catch((error: unknown) => {
          if (number === starts.current) setRefusal((error as Error).message);
        });
    },
    play: () => pace({ ...pacing, playing: true }),
    pause: () => pace({ ...pacing, playing: false }),
    step() {
      setPacing({ ...pacing, playing: false });
      send({ action: "step" });
    },
    cut: () => send({ action: "cut" }),
    stop: () => send({ action: "stop" }),
    setInterval,
    faster: () => shift(1),
    slower: () => shift(-1),
  };
}

/** Stops a run that nobody reads any more, so its model is not paid for. */
function end({ id }: PageRun): void {
  if (id !== undefined) control(id, { action: "stop" }).catch(() => {}); // the run may already be over
}
