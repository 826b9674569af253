import type { PatchStatus } from "millrace/client";
import { useObject } from "millrace/react";
import type { End } from "../../protocol.js";
import type { PageRun } from "./run.js";

/** The state of a run. */
export type Phase = "idle" | "running" | "paused" | "lost" | "complete" | "stopped" | "early" | "failed";

export interface RunState {
  readonly phase: Phase;
  readonly end: End | null | undefined;
  /** The connection's error, if the run itself reports none. */
  readonly error: unknown;
}

export function useRunState(run: PageRun, playing: boolean): RunState {
  const status = useObject(run.document, (state) => state.status);
  const error = useObject(run.document, (state) => state.error);
  const end = useObject(run.trace, ({ value }) => value?.end) as RunState["end"];
  return { phase: phaseOf(run, status, end, playing), end, error };
}

function phaseOf({ id }: PageRun, status: PatchStatus, end: RunState["end"], playing: boolean): Phase {
  if (id === undefined) return "idle";
  if (status === "reconnecting") return "lost";
  if (status === "done") return "complete";
  if (status === "stopped") return "stopped";
  // The schema ended the run, which is what it is for.
  if (end?.kind === "failed" && end.issues.length > 0) return "early";
  if (status === "error" || end?.kind === "failed") return "failed";
  return playing ? "running" : "paused";
}
