import { useCallback, useEffect, useRef, useState } from "react";
import type { Control, Pacing, RunRequest } from "../../protocol.js";
import { begin, control } from "./api.js";
import { leave, newRun, type Run, watch } from "./run.js";
import { speeds, usualSpeed } from "./speeds.js";

/** What the page does with runs: one at a time. */
export interface Session {
  readonly run: Run;
  readonly pacing: Pacing;
  /** Why the last order was refused. */
  readonly refusal: string | undefined;
  readonly start: (what: Reading) => void;
  readonly play: () => void;
  readonly pause: () => void;
  readonly step: () => void;
  readonly cut: () => void;
  readonly stop: () => void;
  readonly setInterval: (interval: number) => void;
  readonly faster: () => void;
  readonly slower: () => void;
}

/** What is to be read. */
export type Reading = Omit<RunRequest, "pace">;

export function useSession(): Session {
  const [run, setRun] = useState(newRun);
  const [pacing, setPacing] = useState<Pacing>({ playing: true, interval: usualSpeed });
  const [refusal, setRefusal] = useState<string>();
  const starts = useRef(0);
  /** The run that is watched, which the page may be left with before it is shown. */
  const watched = useRef(run);
  /** Settled when the last order is answered. Requests may overtake each other, orders are not to. */
  const told = useRef(Promise.resolve());
  useEffect(() => {
    const onHide = (): void => end(watched.current);
    addEventListener("pagehide", onHide);
    return () => removeEventListener("pagehide", onHide);
  }, []);

  const tell = useCallback(
    (order: Control): void => {
      const { id } = run;
      if (id === undefined) return;
      setRefusal(undefined);
      told.current = told.current
        .then(() => control(id, order))
        .catch((error: unknown) => setRefusal((error as Error).message));
    },
    [run],
  );
  const pace = (next: Pacing): void => {
    setPacing(next);
    tell({ action: "pace", ...next });
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
    start(what) {
      const number = ++starts.current;
      const next = { ...pacing, playing: true };
      setRefusal(undefined);
      begin({ ...what, pace: next })
        .then(({ id }) => {
          if (number !== starts.current) return;
          leave(watched.current);
          end(watched.current);
          const begun = newRun(id);
          watched.current = begun;
          watch(begun);
          setRun(begun);
          setPacing(next);
        })
        .catch((error: unknown) => setRefusal((error as Error).message));
    },
    play: () => pace({ ...pacing, playing: true }),
    pause: () => pace({ ...pacing, playing: false }),
    step() {
      setPacing({ ...pacing, playing: false });
      tell({ action: "step" });
    },
    cut: () => tell({ action: "cut" }),
    stop: () => tell({ action: "stop" }),
    setInterval,
    faster: () => shift(1),
    slower: () => shift(-1),
  };
}

/** Nobody watches it any more: a model is not to write on, and to be paid. */
function end({ id }: Run): void {
  if (id !== undefined) control(id, { action: "stop" }).catch(() => {}); // it may be over long since
}
