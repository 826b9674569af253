import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { PageRun } from "../transport/run.js";

/** Counts down while the connection is lost, then says after which event the run resumed. */
export function ConnectionNote({ run }: { readonly run: PageRun }): ReactNode {
  const { connection } = useSyncExternalStore(run.wire.subscribe, run.wire.getState);
  if (connection === undefined) return null;
  const { tone, text, until } = connection;
  return (
    <p className={`page-note ${tone}`}>
      {until === undefined ? text : <Countdown key={until} text={text} until={until} />}
    </p>
  );
}

function Countdown({ text, until }: { readonly text: string; readonly until: number }): ReactNode {
  const [left, setLeft] = useState(until - performance.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(until - performance.now()), 100);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = (Math.max(0, left) / 1_000).toFixed(1);
  return text.replace(/\d+ ms$/, `${seconds} s`);
}
