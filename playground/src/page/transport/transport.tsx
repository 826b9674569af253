import type { ReactNode } from "react";
import { useObject } from "millrace/react";
import { count, share } from "../counts.js";
import { Icon } from "../icon.js";
import { speeds, speedText } from "./speeds.js";
import type { PageRun } from "./run.js";
import type { Session } from "./use-session.js";
import { type Phase, useRunState } from "./use-run-state.js";

const words: Readonly<Record<Phase, string>> = {
  idle: "Ready",
  running: "Streaming",
  paused: "Paused",
  lost: "Lost, resuming",
  complete: "Complete",
  stopped: "Stopped",
  early: "Stopped early",
  failed: "Failed",
};

interface TransportProps {
  readonly session: Session;
  readonly onStart: () => void;
}

export function Transport({ session, onStart }: TransportProps): ReactNode {
  const { run, pacing } = session;
  const { phase } = useRunState(run, pacing.playing);
  const active = phase === "running" || phase === "paused" || phase === "lost";
  const playing = active && pacing.playing;
  return (
    <section id="controls" className="panel transport" aria-label="Controls">
      <div className="buttons">
        <button
          type="button"
          className="main-button"
          onClick={active ? (playing ? session.pause : session.play) : onStart}
          aria-keyshortcuts="k"
        >
          <Icon name={playing ? "pause" : "play"} />
          {playing ? "Pause" : "Play"}
        </button>
        <button type="button" onClick={session.step} disabled={!active} aria-keyshortcuts=".">
          <Icon name="step" />
          Step
        </button>
        <button type="button" onClick={onStart} aria-keyshortcuts="r">
          <Icon name="replay" />
          Replay
        </button>
        <button type="button" onClick={session.cut} disabled={!active} aria-keyshortcuts="c">
          <Icon name="cut" />
          Cut
        </button>
        <button type="button" onClick={session.stop} disabled={!active} aria-keyshortcuts="q">
          <Icon name="stop" />
          Stop
        </button>
      </div>
      <label className="speed">
        <span className="sr">Speed</span>
        <input
          type="range"
          min={0}
          max={speeds.length - 1}
          value={speeds.indexOf(pacing.interval)}
          aria-valuetext={speedText(pacing.interval)}
          onChange={({ target }) => session.setInterval(speeds[Number(target.value)] ?? pacing.interval)}
        />
        <span className="speed-text" aria-hidden="true">
          {speedText(pacing.interval)}
        </span>
      </label>
      <p className={`phase phase-${phase}`}>
        <span className="dot" />
        <span role="status">
          {words[phase]}
          {phase === "early" && <Unpaid run={run} />}
        </span>
        <Progress session={session} />
      </p>
    </section>
  );
}

/** How much of the answer the model had not written yet. */
function Unpaid({ run }: { readonly run: PageRun }): ReactNode {
  const point = useObject(run.trace, ({ value }) => value?.points?.at(-1));
  const total = useObject(run.trace, ({ value }) => value?.total) ?? 0;
  const unpaid = share(total - (point?.characters ?? 0), total);
  return unpaid !== undefined && ` · ${unpaid} never paid for`;
}

/** Number of characters read. Outside the status element, because screen readers would announce each change. */
function Progress({ session: { run } }: { readonly session: Session }): ReactNode {
  const point = useObject(run.trace, ({ value }) => value?.points?.at(-1));
  const total = useObject(run.trace, ({ value }) => value?.total) ?? undefined;
  if (point?.characters === undefined) return null;
  const share = total === undefined || total === 0 ? undefined : point.characters / total;
  return (
    <>
      <span className="progress-text">
        {count(point.characters)}
        {total === undefined ? "" : ` / ${count(total)}`}
        <span className="sr"> characters</span>
      </span>
      {share !== undefined && <span className="bar" style={{ transform: `scaleX(${share})` }} />}
    </>
  );
}
