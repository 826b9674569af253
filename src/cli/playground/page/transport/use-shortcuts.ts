import { useLayoutEffect } from "react";
import type { Session } from "./use-session.js";
import { useStanding } from "./use-standing.js";

interface Orders {
  readonly start: () => void;
  readonly toggleTheme: () => void;
  readonly help: () => void;
}

/** The keys of the page. Single ones count only where nothing is written, and may be turned off. */
export function useShortcuts(
  session: Session,
  { start, toggleTheme, help }: Orders,
  singleKeys: boolean,
): void {
  const { phase } = useStanding(session.run, session.pacing.playing);
  const goesOn = phase === "running" || phase === "paused" || phase === "lost";
  const orders: Readonly<Record<string, () => void>> = {
    k: goesOn ? (session.pacing.playing ? session.pause : session.play) : start,
    ".": session.step,
    r: start,
    c: session.cut,
    q: session.stop,
    "+": session.faster,
    "=": session.faster,
    "-": session.slower,
    "/": () => document.getElementById("text")?.focus(),
    v: () => document.querySelector<HTMLElement>("[role=tree] [tabindex='0']")?.focus(),
    t: toggleTheme,
    "?": help,
  };
  // Together with what the page shows, not after it: a key between the two would mean what it meant before.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        start();
        return;
      }
      if (!singleKeys || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
      const order = orders[event.key.toLowerCase()];
      if (order === undefined) return;
      event.preventDefault();
      order();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=range],[type=checkbox]), textarea, select, dialog") !== null
  );
}
