import { useLayoutEffect } from "react";
import type { Session } from "./use-session.js";
import { useRunState } from "./use-run-state.js";

interface Orders {
  readonly start: () => void;
  readonly focusValue: () => void;
  readonly toggleTheme: () => void;
  readonly help: () => void;
}

/** Handles the keyboard shortcuts. Single keys work outside text fields only, and can be turned off. */
export function useShortcuts(
  session: Session,
  { start, focusValue, toggleTheme, help }: Orders,
  singleKeys: boolean,
): void {
  const { phase } = useRunState(session.run, session.pacing.playing);
  const active = phase === "running" || phase === "paused" || phase === "lost";
  const orders: Readonly<Record<string, () => void>> = {
    k: active ? (session.pacing.playing ? session.pause : session.play) : start,
    ".": session.step,
    r: start,
    c: session.cut,
    q: session.stop,
    "+": session.faster,
    "=": session.faster,
    "-": session.slower,
    "/": () => document.getElementById("text")?.focus(),
    v: focusValue,
    t: toggleTheme,
    "?": help,
  };
  // A layout effect, so the handler changes together with the page. With an effect, a key pressed right after a render
  // could call the previous handler.
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
